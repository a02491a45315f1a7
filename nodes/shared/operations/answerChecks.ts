import type { IDataObject } from 'n8n-workflow';
import { hasSentValue, uniqueKeyOf } from '../contract/compare';
import { isDefaultMatch } from '../contract/matchBy';
import { identityMismatches, mismatchesIn } from '../contract/mismatches';
import { isOtherId } from '../contract/readers';
import { isSame, matchText } from '../contract/sameResource';
import type { RequestHooks } from '../transport/rowRequests';
import type { ServiceError } from '../transport/failures';
import {
	fieldLabel,
	mismatchError,
	strayCreateError,
	unmatchedCreateError,
	wrongResourceError,
} from './answerErrors';
import { InterpretationVotes } from './interpretations';
import { idIn } from './resource';
import { fieldsToCreate, searchTextOf, type EncodedRow } from '../contract/encodedRow';
import type { EncodedField, WrittenField } from '../contract/fieldTypes';
import type { ResourceContract } from '../contract/resourceTypes';

/** An update: the ID of its path, the fields that it wrote, and the resource before it if that was read. */
export interface Update {
	readonly id: string;
	readonly sent: readonly EncodedField[];
	readonly before?: IDataObject;
}

/** A write whose response is checked field by field. */
type CheckedWrite = Pick<WrittenField, 'isCreate'> & Omit<Update, 'id'>;

/** Returns the values that a row sends to create a resource, as one text. A run does not keep its rows. */
const sentValues = (row: EncodedRow): string =>
	JSON.stringify(fieldsToCreate(row).map(({ field, values }) => [field.wire.key, values]));

/**
 * Returns whether the response to a create has the ID of another row's resource, and no value of its own row. Without a
 * value, nothing shows that the service created a second resource.
 *
 * @param earlier the sent values of the row for which the run created a resource with this ID
 */
const isIdOfOther = (row: EncodedRow, answer: IDataObject, earlier?: string): boolean =>
	earlier !== undefined &&
	earlier !== sentValues(row) &&
	!fieldsToCreate(row).some((sent) => hasSentValue(sent, answer, row) === true);

/**
 * Checks the responses to the writes of one run. A write succeeds only if nothing in its response contradicts the row.
 */
export class AnswerChecks {
	private readonly contract: ResourceContract;

	/** Whether the service returned another resource for a create. */
	private hasStray: boolean;

	/** IDs of the resources that existed before the run. */
	private readonly existing = new Set<string>();

	/** The sent values of the resources that the run created, by ID. */
	private readonly created = new Map<string, string>();

	/** IDs of these resources by the text of the unique key. */
	private readonly idByKey = new Map<string, string>();

	/** Number of rows for which the service did not store a field, by the label of the field. */
	private readonly mismatches = new Map<string, number>();

	/** Number of resources that got a moment in the past, by the label of the field. */
	private readonly past = new Map<string, number>();

	readonly interpretations = new InterpretationVotes();

	/** @param hasStray whether an earlier try of the run left a stray resource at the service */
	constructor(contract: ResourceContract, hasStray: boolean) {
		this.contract = contract;
		this.hasStray = hasStray;
	}

	/** Stops the queued creates after a stray create. */
	readonly createHooks: RequestHooks = {
		beforeSend: () =>
			this.hasStray
				? {
						cause: 'rejected',
						message: `Not created, because the service returned another ${this.contract.value} for an earlier create`,
						advice: 'The node did not send the create.',
					}
				: undefined,
	};

	/** Records existing resources, so that the node does not mistake one of them for the result of a create. */
	noteExisting(row: EncodedRow, resources: readonly IDataObject[]): void {
		for (const resource of resources) {
			const [id, key] = [idIn(resource), uniqueKeyOf(row, resource)];
			if (id !== undefined) this.existing.add(id);
			if (id !== undefined && key !== undefined) this.idByKey.set(key, id);
		}
	}

	/** Removes a resource that no longer exists. */
	forgetExisting(row: EncodedRow, resource: IDataObject): void {
		this.existing.delete(idIn(resource) ?? '');
		this.idByKey.delete(uniqueKeyOf(row, resource) ?? '');
	}

	/**
	 * Checks the response to a create, and records the resource.
	 *
	 * @throws ServiceError with `stray` if the response has another resource; otherwise as `checkFields`
	 */
	checkCreate(row: EncodedRow, answer: IDataObject): void {
		const { uniqueBy, searchBy } = this.contract.key;
		const sent = fieldsToCreate(row).filter(({ field }) => !uniqueBy.includes(field.wire.key));
		const write = { sent, isCreate: true };
		const differing = identityMismatches(row, answer);
		const [text, id] = [searchTextOf(row), idIn(answer) ?? ''];
		const key = uniqueKeyOf(row, answer);
		const isKnown = this.existing.has(id) || this.created.has(id);
		// An identical row may get a resource that this run created. A restored service gives IDs a second time.
		const isOfOther =
			(text !== undefined && this.existing.has(id)) ||
			(isKnown && this.mismatchesOf(row, answer, write).length > 0) ||
			isIdOfOther(row, answer, this.created.get(id));
		// A service that changes the case of a key may store a second resource with it.
		const isChanged = text !== undefined && text !== answer[searchBy];
		const isSecond = isChanged && !isKnown && this.idByKey.has(key ?? '');
		if (differing.length > 0 || isOfOther || isSecond) {
			this.hasStray = true;
			throw strayCreateError(row, answer, { differing, isOfOther, isSecond });
		}
		if (!isDefaultMatch(row) && matchText(row) !== undefined && !isSame(row, answer)) {
			this.hasStray = true;
			throw unmatchedCreateError(row, answer);
		}
		if (id !== '') this.created.set(id, sentValues(row));
		if (key !== undefined) this.idByKey.set(key, id);
		this.checkFields(row, answer, write);
	}

	/** Returns whether this run created a resource. */
	hasCreated(resource: IDataObject): boolean {
		return this.created.has(idIn(resource) ?? '');
	}

	/** Returns the failure of a create whose response was lost, if the service has a new resource under another key. */
	renamedCreate(row: EncodedRow, resource: IDataObject): ServiceError {
		this.hasStray = true;
		return strayCreateError(row, resource, { differing: identityMismatches(row, resource) });
	}

	/**
	 * Checks the response to an update.
	 *
	 * @throws ServiceError if the response has another resource; otherwise as `checkFields`
	 */
	checkUpdate(row: EncodedRow, answer: IDataObject, { id, ...write }: Update): void {
		const differs = identityMismatches(row, answer).some((field) => !write.sent.includes(field));
		if (differs || isOtherId(idIn(answer), id)) throw wrongResourceError(row, answer, write.sent);
		this.checkFields(row, answer, { ...write, isCreate: false });
	}

	/**
	 * Returns the fields that a response contradicts. The response to an update must also match the fields that did not need
	 * a write. An ambiguous value is an exception, because the run may have learned another interpretation since.
	 */
	private mismatchesOf(row: EncodedRow, answer: IDataObject, { sent, ...write }: CheckedWrite) {
		const { key, ambiguous } = this.contract;
		const keys = [...key.uniqueBy, ...(ambiguous?.keys ?? [])];
		const unsent = row.fields.filter(
			(field) => !sent.includes(field) && !keys.includes(field.field.wire.key),
		);
		const { hasAgreement, isSharedOffset } = this.interpretations;
		const interpreted = this.interpretations.applyTo(row);
		const written = { ...write, row: interpreted, hasAgreement, isSharedOffset };
		return mismatchesIn([...sent, ...(write.isCreate ? [] : unsent)], answer, written);
	}

	/** @throws ServiceError if the response contradicts a field with `failsOnMismatch` */
	private checkFields(row: EncodedRow, answer: IDataObject, write: CheckedWrite): void {
		const mismatches = this.mismatchesOf(row, answer, write);
		const failing = mismatches.filter(({ fails }) => fails);
		if (failing.length > 0) throw mismatchError(this.interpretations.applyTo(row), failing, answer);
		for (const label of new Set(mismatches.map(({ sent }) => fieldLabel(sent)))) {
			this.mismatches.set(label, (this.mismatches.get(label) ?? 0) + 1);
		}
		this.noteSent(row, write.sent);
		this.interpretations.addAnswer({ ...row, fields: write.sent }, answer, write.before);
	}

	/** Counts the resource of a row that sends, or in a dry run would send, a moment in the past. */
	noteSent({ contract, options }: EncodedRow, sent: readonly EncodedField[]): void {
		const label = contract.pastFieldOf?.(sent, options);
		if (label !== undefined) this.past.set(label, (this.past.get(label) ?? 0) + 1);
	}

	/** Returns sentences for the summary of the run. */
	notes(): string[] {
		const { ambiguous, value } = this.contract;
		const { hasAgreement, offsets } = this.interpretations;
		const explanation = ambiguous?.noteFor(offsets, hasAgreement);
		const mismatches = new Map(this.mismatches);
		if (ambiguous && explanation === undefined && offsets.length > 0) {
			mismatches.set(ambiguous.displayName, offsets.length);
		}
		const texts = [...mismatches].map(
			([label, count]) => `${label} in ${count} ${count === 1 ? 'item' : 'items'}`,
		);
		return [
			...(texts.length > 0
				? [`The service did not store these values as sent: ${texts.join(', ')}`]
				: []),
			...(explanation === undefined ? [] : [explanation]),
			...[...this.past].map(
				([label, count]) =>
					`${label} is in the past for ${count} ${count === 1 ? value : `${value}s`}`,
			),
		];
	}
}
