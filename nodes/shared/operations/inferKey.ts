import type { IDataObject } from 'n8n-workflow';
import { compare, currentValue, encodeCurrentValue, isSame, mayBeSame } from '../contract/compare';
import type { EncodedRow } from '../contract/encodedRow';
import { apiRequest } from '../contract/endpoints';
import type { EncodedField, Field } from '../contract/fieldTypes';
import { isDefaultMatch } from '../contract/layout';
import type { ResourceContract } from '../contract/resourceTypes';
import { Invalid, type Problem } from '../contract/types';
import { isUnset } from '../contract/values';
import type { RowRequests } from '../transport/rowRequests';
import { firstPage } from './list';

/** Returns the fields of the unique key, apart from the text to search by. */
const keyFieldsOf = ({ key, fields }: ResourceContract): Field[] =>
	fields.filter(({ wire }) => wire.key !== key.searchBy && key.uniqueBy.includes(wire.key));

/** The values that resources have for the fields of the unique key, such as the domain of an alias. */
export class KeyValues {
	/** The texts of each field; undefined for a resource that does not show it. */
	private readonly texts = new Map<Field, Set<string | undefined>>();

	/** @param row any row of the run */
	add({ contract, options }: EncodedRow, resource: IDataObject): void {
		for (const field of keyFieldsOf(contract)) {
			const value = currentValue(field, resource, options.timeZone);
			const encoded = isUnset(value) ? [] : encodeCurrentValue(field, value);
			const text = encoded instanceof Invalid ? undefined : encoded[0]?.[1];
			this.texts.set(field, (this.texts.get(field) ?? new Set()).add(text));
		}
	}

	get isEmpty(): boolean {
		return this.texts.size === 0;
	}

	/** Returns the value of a field if all resources have the same; undefined otherwise. */
	onlyValue(field: Field): EncodedField | undefined {
		const [text, ...more] = this.texts.get(field) ?? [];
		return text === undefined || more.length > 0 ? undefined : { field, values: [['', text]] };
	}
}

/** Returns the fields of the unique key that a row lacks, and needs because it may create a resource. */
function missingFields(row: EncodedRow, candidates: readonly IDataObject[]): Field[] {
	const missing = keyFieldsOf(row.contract).filter((field) =>
		row.fields.every((encoded) => encoded.field !== field),
	);
	const exists = () => candidates.some((resource) => isSame(row, resource));
	return missing.length > 0 && !isDefaultMatch(row) && exists() ? [] : missing;
}

/** The resources that a row may mean. */
type Candidates = readonly IDataObject[];

/**
 * Returns the values from which rows get the fields of their unique key that they lack: those of the list, or if no list was
 * read, those of the newest resources of the account. Empty if no row lacks a field, or without any resource, so that the service
 * decides.
 *
 * @throws ServiceError if the newest resources cannot be read
 */
export async function readKeyValues(
	requests: RowRequests,
	rows: readonly EncodedRow[],
	listed: KeyValues,
	candidatesFor: (row: EncodedRow) => Candidates,
): Promise<KeyValues> {
	const first = rows.find((row) => missingFields(row, candidatesFor(row)).length > 0);
	const values = new KeyValues();
	if (!first) return values;
	if (!listed.isEmpty) return listed;
	const { items } = await firstPage(requests, apiRequest(first.contract, 'list', []));
	items.forEach((resource) => values.add(first, resource));
	return values;
}

/** Returns a row with its whole unique key, as far as all resources have one value for what it lacks. */
export function withKey(row: EncodedRow, values: KeyValues, candidates: Candidates): EncodedRow {
	if (values.isEmpty) return row;
	const fields = missingFields(row, candidates).flatMap((field) => values.onlyValue(field) ?? []);
	return fields.length > 0 ? { ...row, fields: [...row.fields, ...fields] } : row;
}

/** Returns why a row must not be written without a field of its unique key, given the resources that it may mean. */
export function keyProblems(row: EncodedRow, values: KeyValues, candidates: Candidates): Problem[] {
	if (values.isEmpty) return [];
	const isOther = (sent: EncodedField) =>
		isDefaultMatch(row) &&
		candidates.some((each) => mayBeSame(row, each) && compare(sent, each, row) === 'different');
	return missingFields(row, candidates)
		.filter((field) => {
			const sent = values.onlyValue(field);
			return !sent || isOther(sent);
		})
		.map(({ displayName, wire }) => ({
			field: displayName,
			key: wire.key,
			what: `is required, because your ${row.contract.value}s do not all have the same one; set it for each item`,
		}));
}
