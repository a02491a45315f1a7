import type { IDataObject } from 'n8n-workflow';
import { uniqueKeyOf } from '../contract/compare';
import { mismatchesIn, identityMismatches } from '../contract/mismatches';
import { fieldsToCreate, searchTextOf, type EncodedRow } from '../contract/encodedRow';
import type { EncodedField, WrittenField } from '../contract/fieldTypes';
import type { ResourceContract } from '../contract/resourceTypes';
import { isDefaultMatch } from '../contract/matchBy';
import { isOtherId } from '../contract/readers';
import { isSame, matchText } from '../contract/sameResource';
import type { RequestHooks } from '../transport/rowRequests';
import type { ServiceError } from '../transport/serviceError';
import {
	mismatchError,
	wrongResourceError,
	fieldLabel,
	strayCreateError,
	unmatchedCreateError,
} from './answerErrors';
import { InterpretationVotes } from './interpretations';
import { idIn } from './resource';

/** An update: the ID that was asked for, the fields that were written, and the resource before it if it was read. */
export interface Update {
	readonly id: string;
	readonly sent: readonly EncodedField[];
	readonly before?: IDataObject;
}

/** A write whose answer is checked field by field. */
type CheckedWrite = Pick<WrittenField, 'isCreate'> & Omit<Update, 'id'>;

/**
 * Checks what the service answers to the writes of one run: a write succeeds only if nothing in its answer contradicts the
 * row.
 */
export class AnswerChecks {
	/** Whether a create was answered with another resource than the row's. */
	private hasStray: boolean;

	/** IDs of what was there before, and of what the run has created; and the ID by what makes each unique. */
	private readonly existing = new Set<string>();
	private readonly created = new Set<string>();
	private readonly existingByKey = new Map<string, string>();

	/** Number of rows for which the service did not store a field, by the field's display name. */
	private readonly mismatches = new Map<string, number>();

	/** What the run has learned about values that can be read in more than one way. */
	readonly interpretations = new InterpretationVotes();

	/** @param hasStray whether an earlier try of the same run has left a stray resource at the service */
	constructor(hasStray: boolean) {
		this.hasStray = hasStray;
	}

	/** Holds back the creates that have not left when a stray create is seen. */
	createHooks({ value }: ResourceContract): RequestHooks {
		return {
			beforeSend: () =>
				this.hasStray
					? {
							cause: 'rejected',
							message: `Not created, because the service answered an earlier create with another ${value}`,
							advice: 'The node did not send it.',
						}
					: undefined,
		};
	}

	/** Notes resources that are there already, so that no create is done with one of them. */
	noteExisting(row: EncodedRow, resources: readonly IDataObject[]): void {
		for (const resource of resources) {
			const [id, key] = [idIn(resource), uniqueKeyOf(row, resource)];
			if (id !== undefined) this.existing.add(id);
			if (id !== undefined && key !== undefined) this.existingByKey.set(key, id);
		}
	}

	/** Forgets a resource that is gone. */
	forgetExisting(row: EncodedRow, resource: IDataObject): void {
		this.existing.delete(idIn(resource) ?? '');
		this.existingByKey.delete(uniqueKeyOf(row, resource) ?? '');
	}

	/**
	 * Checks the answer to a create, and notes the resource.
	 *
	 * @throws ServiceError with `stray` if it is another resource than the row's; as `checkFields`
	 */
	checkCreate(row: EncodedRow, answer: IDataObject): void {
		const { contract } = row;
		const keys = contract.key.uniqueBy;
		const sent = fieldsToCreate(row).filter(({ field }) => !keys.includes(field.wire.key));
		const write = { sent, isCreate: true };
		const foreign = identityMismatches(row, answer);
		const [text, id] = [searchTextOf(row), idIn(answer) ?? ''];
		const isKnown = this.existing.has(id) || this.created.has(id);
		// An identical row may get what this run has created. A service that was restored gives IDs once more.
		const isOfOther =
			(text !== undefined && this.existing.has(id)) ||
			(isKnown && this.denialsIn(row, answer, write).length > 0);
		// A service that changes the case of a key may store a second one of it.
		const isChanged = text !== undefined && text !== answer[contract.key.searchBy];
		const isSecond =
			isChanged && !isKnown && this.existingByKey.has(uniqueKeyOf(row, answer) ?? '');
		if (foreign.length > 0 || isOfOther || isSecond) {
			this.hasStray = true;
			throw strayCreateError(row, answer, { foreign, isOfOther, isSecond });
		}
		if (!isDefaultMatch(row) && matchText(row) !== undefined && !isSame(row, answer)) {
			this.hasStray = true;
			throw unmatchedCreateError(row, answer);
		}
		this.created.add(id);
		const key = uniqueKeyOf(row, answer);
		if (key !== undefined) this.existingByKey.set(key, id);
		this.checkFields(row, answer, write);
	}

	/** Returns whether this run has created a resource. */
	hasCreated(resource: IDataObject): boolean {
		return this.created.has(idIn(resource) ?? '');
	}

	/** Returns the failure of a create whose answer was lost, and in whose place the service has something new. */
	renamedCreate(row: EncodedRow, resource: IDataObject): ServiceError {
		this.hasStray = true;
		return strayCreateError(row, resource, { foreign: identityMismatches(row, resource) });
	}

	/**
	 * Checks the answer to an update.
	 *
	 * @throws ServiceError if it is another resource than the row's; as `checkFields`
	 */
	checkUpdate(row: EncodedRow, answer: IDataObject, { id, ...write }: Update): void {
		const isForeign = identityMismatches(row, answer).some((field) => !write.sent.includes(field));
		if (isForeign || isOtherId(idIn(answer), id)) throw wrongResourceError(row, answer, write.sent);
		this.checkFields(row, answer, { ...write, isCreate: false });
	}

	/**
	 * What the row did not have to write must be there as well, apart from an ambiguous value: it was compared by what the
	 * run knew then.
	 */
	private denialsIn(row: EncodedRow, answer: IDataObject, { sent, ...write }: CheckedWrite) {
		const { key, ambiguous } = row.contract;
		const keys = [...key.uniqueBy, ...(ambiguous?.keys ?? [])];
		const unsent = row.fields.filter(
			(one) => !sent.includes(one) && !keys.includes(one.field.wire.key),
		);
		const { hasAgreement, isSharedOffset } = this.interpretations;
		const written = {
			...write,
			row: this.interpretations.applyTo(row),
			hasAgreement,
			isSharedOffset,
		};
		return mismatchesIn([...sent, ...(write.isCreate ? [] : unsent)], answer, written);
	}

	/** @throws ServiceError if the answer contradicts a field without which the row is not done */
	private checkFields(row: EncodedRow, answer: IDataObject, write: CheckedWrite): void {
		const denials = this.denialsIn(row, answer, write);
		const failing = denials.filter(({ fails }) => fails);
		if (failing.length > 0) throw mismatchError(this.interpretations.applyTo(row), failing, answer);
		for (const label of new Set(denials.map(({ sent }) => fieldLabel(sent)))) {
			this.mismatches.set(label, (this.mismatches.get(label) ?? 0) + 1);
		}
		this.interpretations.addAnswer({ ...row, fields: write.sent }, answer, write.before);
	}

	/** Returns what the summary of the run says about the answers. */
	notes({ ambiguous }: ResourceContract): string[] {
		const { hasAgreement, offsets } = this.interpretations;
		const explained = ambiguous?.noteFor(offsets, hasAgreement);
		const denied = new Map(this.mismatches);
		if (ambiguous && explained === undefined && offsets.length > 0) {
			denied.set(ambiguous.displayName, offsets.length);
		}
		const texts = [...denied].map(
			([label, rows]) => `${label} in ${rows} ${rows === 1 ? 'row' : 'rows'}`,
		);
		return [
			...(texts.length > 0 ? [`The service did not store as sent: ${texts.join(', ')}`] : []),
			...(explained === undefined ? [] : [explained]),
		];
	}
}
