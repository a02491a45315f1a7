import type { IDataObject } from 'n8n-workflow';
import {
	compare,
	compareResponse,
	currentValue,
	hasValue,
	isSame,
	matchText,
	otherIdentity,
	uniqueKeyOf,
} from '../contract/compare';
import {
	type EncodedRow,
	fieldsNamed,
	fieldsToCreate,
	searchTextOf,
	secretsOf,
} from '../contract/encodedRow';
import type { EncodedField, Field, ResourceContract } from '../contract/resourceTypes';
import { isDefaultMatch } from '../contract/layout';
import { isOtherId } from '../contract/readers';
import { increase, isSecret, isTextual, isUnset, quote, shorten } from '../contract/values';
import { counted } from '../contract/wording';
import { joinSentences, rejection, type ServiceError } from '../transport/failures';
import type { RequestHooks } from '../transport/rowRequests';
import { passwordMask, rowSecrets } from '../transport/secrets';
import { idIn } from './resource';

/** Returns whether a value of the service may repeat a secret of the row. */
function containsSecret(row: EncodedRow, value: unknown): boolean {
	const text = typeof value === 'string' ? value : String(JSON.stringify(value));
	return rowSecrets(secretsOf(row)).text(text) !== text;
}

/** Returns a text that a row sent, quoted and without the row's passwords. */
export const quoteSent = (row: EncodedRow, field: Field, text: string): string =>
	quote(passwordMask(secretsOf(row)).text(text), field);

/** Returns the sent and the returned value of a field: `Disabled (sent "1", returned 0)`. */
function mismatchText(sent: EncodedField, answer: IDataObject, row: EncodedRow): string {
	const { field, values, cleared } = sent;
	const { displayName: name } = field;
	if (isSecret(field)) return `${name} (${cleared ? 'still set' : 'not set'} in the response)`;
	const texts = quoteSent(row, field, values.map(([, text]) => text).join(' '));
	const value = currentValue(field, answer, row.options.timeZone);
	const answered = containsSecret(row, value) ? '(hidden)' : quote(value, field);
	return `${name} (${cleared ? 'cleared' : `sent ${texts}`}, returned ${answered})`;
}

const mismatchTexts = (fields: readonly EncodedField[], answer: IDataObject, row: EncodedRow) =>
	fields.map((field) => mismatchText(field, answer, row)).join('; ');

/** Returns the ID of a resource and its public address, for an error. */
export function idAndAddress(row: EncodedRow, resource: IDataObject): string {
	const id = `ID ${shorten(idIn(resource) ?? 'unknown')}`;
	const text = resource[row.contract.key.address ?? ''];
	if (!isTextual(text) || isUnset(text) || containsSecret(row, String(text))) return id;
	return `${id}, ${shorten(String(text), 200)}`;
}

/** What a response contradicts. */
interface Contradiction {
	readonly message: string;
	readonly advice: string;
	/** The fields with another value than was sent. */
	readonly fields: readonly EncodedField[];
	/** The stray resource of a create. */
	readonly stray?: string;
	/** What is wrong if no field differs. */
	readonly otherwise?: string;
}

/** Returns the failure of a row whose response contradicts it, so that the outcome is unknown. */
function contradiction({ message, advice, fields, stray }: Contradiction): ServiceError {
	const what = ['differs in the response from the value that was sent'];
	const fieldErrors = Object.fromEntries(fields.map(({ field }) => [field.wire.key, what]));
	const stop = stray === undefined ? '' : ' The run sends no more creates.';
	return rejection(message, `${advice}${stop}`, {
		...{ outcome: 'unknown', stray },
		...(fields.length > 0 && { fieldErrors }),
	});
}

/** The fields that an update writes, and the resource before the write if it was read. */
export interface FieldUpdate {
	readonly id: string;
	readonly fields: readonly EncodedField[];
	readonly before?: IDataObject;
}

/**
 * Checks the responses to the writes of a run in all its tries, and remembers which resources existed before. A write succeeds only
 * if nothing in its response contradicts the row.
 */
export class ResponseChecks {
	private readonly contract: ResourceContract;

	/** Whether the service returned another resource for a create. */
	private hasStray = false;

	/** IDs of the resources that existed before the run. */
	readonly existing = new Set<string>();

	/** IDs of the resources that the run created. */
	private readonly created = new Set<string>();

	/** The unique keys of all these resources. */
	private readonly keys = new Set<string>();

	/** The IDs of the resources that rows with another case have. */
	readonly taken = new Set<string | undefined>();

	/** Number of rows whose response has another value, by the label of the field. */
	private readonly mismatches = new Map<string, number>();

	/** The sentences about similar values. */
	private readonly similar = new Set<string>();

	/** Number of resources that got a moment in the past, by the label of the field. */
	private readonly past = new Map<string, number>();

	constructor(contract: ResourceContract) {
		this.contract = contract;
	}

	/** Stops the queued creates after a stray create. */
	readonly createHooks: RequestHooks = {
		beforeSend: () => {
			if (!this.hasStray) return undefined;
			const message = `Not created, because the service returned another ${this.contract.value} for an earlier create`;
			return { cause: 'ended', message, advice: '', claim: 'The node did not send the create.' };
		},
	};

	/** Records existing resources, so that the node does not mistake one of them for the result of a create. */
	noteExisting(row: EncodedRow, resources: readonly IDataObject[]): void {
		for (const resource of resources) {
			const [id, key] = [idIn(resource), uniqueKeyOf(row, resource)];
			if (id !== undefined) this.existing.add(id);
			if (id !== undefined && key !== undefined) this.keys.add(key);
		}
	}

	/** Forgets the resources that existed before an earlier try, because this one has read all again. */
	forgetAll(): void {
		this.existing.clear();
		this.keys.clear();
	}

	/** Removes a resource that no longer exists. */
	forgetExisting(row: EncodedRow, resource: IDataObject): void {
		this.existing.delete(idIn(resource) ?? '');
		this.keys.delete(uniqueKeyOf(row, resource) ?? '');
	}

	/** Returns whether this run created a resource. */
	hasCreated(resource: IDataObject): boolean {
		return this.created.has(idIn(resource) ?? '');
	}

	/** Returns whether a resource existed before the run, or was created by it. */
	isKnown(resource: IDataObject): boolean {
		return this.existing.has(idIn(resource) ?? '') || this.hasCreated(resource);
	}

	/**
	 * Returns the failure of a create for which the service may have created another resource. The run sends no more creates.
	 *
	 * @param texts replace the texts about another unique key
	 * @param doubt what is unknown of earlier tries: a whole sentence
	 */
	stray(row: EncodedRow, answer: IDataObject, texts: Partial<Contradiction>, doubt = '') {
		this.hasStray = true;
		const { value } = row.contract;
		const stray = idAndAddress(row, answer);
		const {
			message = `The service returned another ${value} for the create (${stray})`,
			advice = `Check this ${value} in the service. Delete it, unless it existed before the run.`,
			fields = otherIdentity(row, answer),
			otherwise = '',
		} = texts;
		const what = mismatchTexts(fields, answer, row) || otherwise;
		const full = `${message}${what && `: ${what}`}`;
		return contradiction({ message: full, advice: joinSentences(advice, doubt), fields, stray });
	}

	/**
	 * Checks the response to a create, and records the resource.
	 *
	 * @param doubt as in `stray`
	 * @throws ServiceError with `stray` if the response has another resource; otherwise as `checkFields`
	 */
	checkCreate(row: EncodedRow, answer: IDataObject, doubt = ''): void {
		const stray = (texts: Partial<Contradiction>) => this.stray(row, answer, texts, doubt);
		const { value, key } = row.contract;
		const sent = fieldsToCreate(row).filter(({ field }) => !key.uniqueBy.includes(field.wire.key));
		const [text, id, ownKey] = [searchTextOf(row), idIn(answer) ?? '', uniqueKeyOf(row, answer)];
		const results = sent.map((field) => compareResponse(field, answer, row));
		// An identical row without an alias may get a resource that exists, with the key that it has.
		const isOther = results.includes('different') || (ownKey && !this.keys.has(ownKey));
		const isOwn = text === undefined && results.includes('same') && !isOther;
		if (this.isKnown(answer) && !isOwn) {
			const advice = `The ${value} with this ID existed before, or belongs to another item. Check it in the service.`;
			throw stray({ advice });
		}
		this.created.add(id);
		// A service that changes the case of a key may store a second resource with it.
		const isChanged = text !== undefined && text !== answer[key.searchBy];
		const isSecond = isChanged && this.keys.has(ownKey ?? '');
		if (isSecond || otherIdentity(row, answer).length > 0) {
			const otherwise = `a ${value} with this ${key.searchBy} already exists`;
			throw stray({ otherwise });
		}
		// Another run would create it again.
		if (!isDefaultMatch(row) && matchText(row) !== undefined && !isSame(row, answer)) {
			throw stray({
				message: `The service created the ${value}, but its ${row.match.name} differs from the value that was sent, so another run would not find it`,
				advice: `Delete it (${idAndAddress(row, answer)}), and match the items by another field.`,
				fields: fieldsNamed(row, row.match.fields?.uniqueBy ?? []).filter(
					(field) => !hasValue(field, answer, row),
				),
			});
		}
		if (ownKey !== undefined) this.keys.add(ownKey);
		this.checkFields(row, answer, sent);
		this.noteSent(sent);
	}

	/**
	 * Checks the response to an update. It must also match the fields of the row that did not need a write.
	 *
	 * @throws ServiceError if the response has another resource; otherwise as `checkFields`
	 */
	checkUpdate(row: EncodedRow, answer: IDataObject, { id, fields, before }: FieldUpdate): void {
		const { value, key } = row.contract;
		const differing = otherIdentity(row, answer).filter((field) => !fields.includes(field));
		if (differing.length > 0 || isOtherId(idIn(answer), id)) {
			const texts = mismatchTexts(differing, answer, row);
			throw contradiction({
				message: `The service returned a different ${value} (${idAndAddress(row, answer)})${texts && `: ${texts}`}`,
				advice: `Its ${key.searchBy} may have changed at the same time. Check the ${value} in the service, and run the item again.`,
				fields: differing,
			});
		}
		const unsent = row.fields.filter(
			(field) => !fields.includes(field) && !key.uniqueBy.includes(field.field.wire.key),
		);
		this.checkFields(row, answer, [...fields, ...unsent], before);
		this.noteSent(fields);
	}

	/**
	 * @param before the resource before the write, if it was read
	 * @throws ServiceError if the response contradicts a field that decides who may open the resource or where it leads
	 */
	private checkFields(
		row: EncodedRow,
		answer: IDataObject,
		fields: readonly EncodedField[],
		before?: IDataObject,
	): void {
		const results = fields.map(
			(sent) => [sent, compareResponse(sent, answer, row, before)] as const,
		);
		const failing = results
			.filter(([{ field }, result]) => field.wire.failsIfDifferent && result === 'different')
			.map(([sent]) => sent);
		if (failing.length > 0) {
			const similar = failing.filter((sent) => compare(sent, answer, row) === 'similar');
			const [note] = similar.flatMap(({ field }) => field.wire.similarNote ?? []);
			throw contradiction({
				message: `The service reported success, but did not store ${mismatchTexts(failing, answer, row)}`,
				advice: `Check the ${row.contract.value} (${idAndAddress(row, answer)}) in the service before you run the item again. ${note ?? 'The plan of the account may not include this'}.`,
				fields: failing,
			});
		}
		for (const [sent, result] of results) {
			const { displayName, wire } = sent.field;
			if (result === 'different') increase(this.mismatches, displayName);
			else if (result === 'similar' && wire.similarNote) this.similar.add(wire.similarNote);
		}
	}

	/** Counts the moments in the past that a row sends, or in a dry run would send. */
	noteSent(sent: readonly EncodedField[]): void {
		for (const { field, isPast } of sent) if (isPast) increase(this.past, field.displayName);
	}

	/** Returns sentences for the summary of the run. */
	notes(): string[] {
		const texts = [...this.mismatches].map(
			([label, count]) => `${label} in ${counted(count, 'item')}`,
		);
		const past = [...this.past].map(
			([label, count]) => `${label} is in the past for ${counted(count, this.contract.value)}`,
		);
		const mismatches = `The service did not store these values as sent: ${texts.join(', ')}`;
		return [...(texts.length > 0 ? [mismatches] : []), ...this.similar, ...past];
	}
}
