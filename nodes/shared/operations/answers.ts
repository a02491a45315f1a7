import type { IDataObject } from 'n8n-workflow';
import { heldOf, isSame } from '../contract/compare';
import { denialsIn, foreignFields, type Denial } from '../contract/denials';
import {
	fieldsNamed,
	fieldsToCreate,
	type EncodedField,
	type EncodedRow,
} from '../contract/encodeRow';
import { isOtherId } from '../contract/readers';
import type { ResourceContract, WrittenField } from '../contract/types';
import { isTextual, isUnset, quote, shorten } from '../contract/values';
import type { RequestHooks } from '../transport/rowRequests';
import { ServiceError, type FieldErrors } from '../transport/serviceError';
import { idIn } from './resource';

/** An update: the ID that was asked for, the fields that were written, and the resource before it if it was read. */
export interface Update {
	readonly id: string;
	readonly sent: readonly EncodedField[];
	readonly before?: IDataObject;
}

/** A write whose answer is checked field by field. */
type CheckedWrite = Pick<WrittenField, 'before' | 'isCreate'> & {
	readonly sent: readonly EncodedField[];
	readonly before?: IDataObject;
};

/**
 * Checks what the service answers to the writes of one run: a write succeeds only if nothing in its answer contradicts the
 * row. Learns from the answers, and from the list if there is one, how the service means values that can be read in more
 * than one way.
 */
export class AnswerChecks {
	/** Whether a create was answered with another resource than the row's. */
	private hasStray: boolean;

	/** Number of rows for which the service did not store a field, by the field's display name. */
	private readonly denied = new Map<string, number>();

	/** Number of resources of the list, and of answers, that support each reading. */
	private readonly listed = new Map<string, number>();
	private readonly answered = new Map<string, number>();

	/** Number of rows that agree with the service about the ambiguous value. */
	private agreements = 0;

	/** How far the answers to the other rows are off. */
	private readonly offsets: number[] = [];

	/** @param hasStray whether an earlier try of the same run has left a stray resource at the service */
	constructor(hasStray: boolean) {
		this.hasStray = hasStray;
	}

	/** Holds back the creates that have not left when a stray create is seen. */
	createHooks({ value }: ResourceContract): RequestHooks {
		return {
			whyNotSend: () =>
				this.hasStray
					? {
							cause: 'rejected',
							message: `Not created, because the service answered an earlier create with another ${value}`,
							advice: 'Nothing was sent for this row.',
						}
					: undefined,
		};
	}

	/** Learns from the resources that a list has of rows. */
	learnFromList(
		rows: readonly EncodedRow[],
		candidatesFor: (row: EncodedRow) => readonly IDataObject[],
	): void {
		for (const row of rows) {
			const { ambiguous } = row.contract;
			const one = ambiguousResource(row, candidatesFor);
			if (!ambiguous || !one) continue;
			if (ambiguous.offsetOf(row, one) === 0) this.agreements += 1;
			count(this.listed, ambiguous.readingOf(row, one));
		}
	}

	/** The reading that most answers support, or else most of the list; undefined if neither decides. */
	private get reading(): string | undefined {
		return mostIn(this.answered) ?? mostIn(this.listed);
	}

	/** Returns the row with what is known by now about ambiguous values, for a comparison. */
	readAs(row: EncodedRow): EncodedRow {
		const { reading } = this;
		return reading === undefined ? row : { ...row, options: { ...row.options, reading } };
	}

	/**
	 * Checks the answer to a create.
	 *
	 * @param isEarlier whether an earlier row of the run has created what has this ID
	 * @throws ServiceError with `isStray` if it is another resource than the row's; as `checkFields`
	 */
	checkCreate(row: EncodedRow, answer: IDataObject, isEarlier: boolean): void {
		const keys = row.contract.key.uniqueBy;
		const sent = fieldsToCreate(row).filter(({ field }) => !keys.includes(field.wire.key));
		const write = { sent, isCreate: true };
		const foreign = foreignFields(row, answer);
		if (foreign.length > 0 || (isEarlier && this.denialsIn(row, answer, write).length > 0)) {
			this.hasStray = true;
			throw strayCreate(row, answer, { foreign, isEarlier });
		}
		this.checkFields(row, answer, write);
	}

	/**
	 * Checks the answer to an update.
	 *
	 * @throws ServiceError if it is another resource than the row's; as `checkFields`
	 */
	checkUpdate(row: EncodedRow, answer: IDataObject, { id, ...write }: Update): void {
		const isForeign = foreignFields(row, answer).some((field) => !write.sent.includes(field));
		if (isForeign || isOtherId(idIn(answer), id)) throw foreignAnswer(row, answer);
		this.checkFields(row, answer, { ...write, isCreate: false });
	}

	/**
	 * What the row did not have to write must be there as well, apart from an ambiguous value: it was compared by what the
	 * run knew then.
	 */
	private denialsIn(row: EncodedRow, answer: IDataObject, { sent, ...write }: CheckedWrite) {
		const hasAgreement = this.agreements > 0;
		const { key, ambiguous } = row.contract;
		const keys = [...key.uniqueBy, ...(ambiguous?.keys ?? [])];
		const unsent = row.fields.filter(
			(one) => !sent.includes(one) && !keys.includes(one.field.wire.key),
		);
		const written = { ...write, row: this.readAs(row), hasAgreement };
		return denialsIn([...sent, ...(write.isCreate ? [] : unsent)], answer, written);
	}

	/** @throws ServiceError if the answer contradicts a field without which the row is not done */
	private checkFields(row: EncodedRow, answer: IDataObject, write: CheckedWrite): void {
		const denials = this.denialsIn(row, answer, write);
		const failing = denials.filter(({ fails }) => fails);
		if (failing.length > 0) throw deniedFields(this.readAs(row), failing, answer);
		for (const label of new Set(denials.map(({ sent }) => labelOf(sent)))) {
			this.denied.set(label, (this.denied.get(label) ?? 0) + 1);
		}
		this.learn({ ...row, fields: write.sent }, answer, write.before);
	}

	/** An answer outweighs the list only if the value has really changed. */
	private learn(row: EncodedRow, answer: IDataObject, before: IDataObject | undefined): void {
		const { ambiguous } = row.contract;
		const offset = ambiguous?.offsetOf(row, answer);
		if (!ambiguous || offset === undefined) return;
		if (offset === 0) this.agreements += 1;
		else this.offsets.push(offset);
		if (!before || ambiguous.isChanged(before, answer)) {
			count(this.answered, ambiguous.readingOf(row, answer));
		}
	}

	/** Returns what the summary of the run says about the answers. */
	notes({ ambiguous }: ResourceContract): string[] {
		const explained = this.agreements === 0 ? ambiguous?.noteOn(this.offsets) : undefined;
		const denied = new Map(this.denied);
		if (ambiguous && explained === undefined && this.offsets.length > 0) {
			denied.set(ambiguous.displayName, this.offsets.length);
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

/** Returns the only resource of a row, if the row sends a value that can be read in more than one way. */
function ambiguousResource(
	row: EncodedRow,
	candidatesFor: (row: EncodedRow) => readonly IDataObject[],
): IDataObject | undefined {
	if (fieldsNamed(row, row.contract.ambiguous?.keys ?? []).length === 0) return undefined;
	const [one, ...others] = candidatesFor(row).filter((resource) => isSame(row, resource));
	return others.length === 0 ? one : undefined;
}

/** Returns whether the reading decides if a row has something to write, so that the answers to other rows come first. */
export function isContested(
	row: EncodedRow,
	candidatesFor: (row: EncodedRow) => readonly IDataObject[],
): boolean {
	const one = ambiguousResource(row, candidatesFor);
	return one !== undefined && row.contract.ambiguous?.readingOf(row, one) !== undefined;
}

function count(votes: Map<string, number>, reading: string | undefined): void {
	if (reading !== undefined) votes.set(reading, (votes.get(reading) ?? 0) + 1);
}

/** The reading with the most votes; undefined if several have as many. */
function mostIn(votes: ReadonlyMap<string, number>): string | undefined {
	const [first, second] = [...votes].sort(([, one], [, other]) => other - one);
	return first && first[1] > (second?.[1] ?? 0) ? first[0] : undefined;
}

/** The display name by which the user knows a field. */
const labelOf = ({ field, source }: EncodedField): string => (source ?? field).displayName;

/** What was sent and answered, as the user reads it: `Disabled (sent "1", answered 0)`. */
function denialText(fields: readonly EncodedField[], answer: IDataObject, row: EncodedRow): string {
	const [first] = fields;
	if (!first) return '';
	const { field, cleared } = first;
	const label = labelOf(first);
	if (field.typeOptions?.password) {
		return `${label} (the answer says that there is ${cleared ? 'still one' : 'none'})`;
	}
	const sent = fields.flatMap(({ values }) => values.map(([, text]) => text)).join(' ');
	const values = fields.map((one) => heldOf(one.field, answer, row));
	const answered = quote(values.length > 1 ? values.join(' ') : values[0], field);
	return `${label} (${cleared ? 'cleared' : `sent ${quote(sent, field)}`}, answered ${answered})`;
}

/** What was sent and answered, once for each field that the user knows. */
function denialTexts(
	fields: readonly EncodedField[],
	answer: IDataObject,
	row: EncodedRow,
): string {
	const labels = [...new Set(fields.map(labelOf))];
	return labels
		.map((label) =>
			denialText(
				fields.filter((field) => labelOf(field) === label),
				answer,
				row,
			),
		)
		.join('; ');
}

/** What a resource is called in an error: its ID, and the address under which people open it. */
function identityOf({ key }: ResourceContract, resource: IDataObject): string {
	const address = key.address === undefined ? undefined : resource[key.address];
	const shown = isTextual(address) && !isUnset(address) ? `, ${shorten(String(address), 200)}` : '';
	return `ID ${shorten(idIn(resource) ?? 'unknown')}${shown}`;
}

const denialErrors = (fields: readonly EncodedField[]): FieldErrors =>
	Object.fromEntries(
		fields.map(({ field }) => [field.wire.key, ['is not in the answer as it was sent']]),
	);

/** The failure of a row whose answer is about something else. Nobody knows what the service has stored. */
const contradiction = (
	message: string,
	advice: string,
	fields: readonly EncodedField[],
	more: { readonly isStray?: true } = {},
) =>
	new ServiceError({
		cause: 'rejected',
		message,
		advice,
		outcome: 'unknown',
		...(fields.length > 0 ? { fieldErrors: denialErrors(fields) } : {}),
		...more,
	});

function foreignAnswer({ contract: { value, key } }: EncodedRow, answer: IDataObject) {
	return contradiction(
		`The service answered with another ${value} than the row's (ID ${shorten(idIn(answer) ?? 'unknown')})`,
		`Perhaps its ${key.searchBy} was changed at the same time. Look at the ${value} at the service, and run the row again.`,
		[],
	);
}

function strayCreate(
	row: EncodedRow,
	answer: IDataObject,
	{ foreign, isEarlier }: { foreign: readonly EncodedField[]; isEarlier: boolean },
): ServiceError {
	const { value } = row.contract;
	const texts = denialTexts(foreign, answer, row);
	const differing = texts === '' ? '' : `: ${texts}`;
	const advice = isEarlier
		? `An earlier row has created the ${value} with this ID. Look at it at the service.`
		: `Look at that ${value} at the service: delete it, unless it was there before the run.`;
	return contradiction(
		`The service answered the create with another ${value} (${identityOf(row.contract, answer)})${differing}`,
		`${advice} The run sends no more creates.`,
		foreign,
		{ isStray: true },
	);
}

function deniedFields(
	row: EncodedRow,
	failing: readonly Denial[],
	answer: IDataObject,
): ServiceError {
	const { value } = row.contract;
	const fields = failing.map(({ sent }) => sent);
	return contradiction(
		`The service answered with success, but did not store ${denialTexts(fields, answer, row)}`,
		`Look at the ${value} (${identityOf(row.contract, answer)}) at the service before you run the row again. Perhaps the plan of the account does not include this.`,
		fields,
	);
}
