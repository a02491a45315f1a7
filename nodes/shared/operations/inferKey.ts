import type { IDataObject } from 'n8n-workflow';
import { compare, currentValue, encodeCurrentValue, isSame, mayBeSame } from '../contract/compare';
import type { EncodedRow } from '../contract/encodedRow';
import { type Problem, Invalid } from '../contract/types';
import { apiRequest } from '../contract/endpoints';
import type { EncodedField, Field } from '../contract/fieldTypes';
import { isDefaultMatch } from '../contract/matchBy';
import { isUnset } from '../contract/values';
import type { RowRequests } from '../transport/rowRequests';
import { firstPage } from './list';
import type { Existing } from './matching';

/** A row with its whole unique key, or why it lacks a part of it. */
export interface KeyedRow {
	readonly row: EncodedRow;
	/** Returns why the row must not be written, given the resources that it may mean. */
	readonly problemsWith: (candidates: readonly IDataObject[]) => readonly Problem[];
}

/** Returns the fields of the unique key that a row lacks, apart from the text to search by. */
function missingFields({ contract, fields }: EncodedRow): Field[] {
	const { uniqueBy, searchBy } = contract.key;
	return contract.fields.filter(
		(field) =>
			uniqueBy.includes(field.wire.key) &&
			field.wire.key !== searchBy &&
			!fields.some((encoded) => encoded.field === field),
	);
}

/** Returns the value of a field if all resources have the same; undefined otherwise, or if one does not show it. */
function onlyValue(
	field: Field,
	resources: readonly IDataObject[],
	{ options }: EncodedRow,
): EncodedField | undefined {
	const texts = new Set<string | undefined>();
	for (const resource of resources) {
		const value = currentValue(field, resource, options.timeZone);
		const encoded = isUnset(value) ? undefined : encodeCurrentValue(field, value);
		texts.add(encoded === undefined || encoded instanceof Invalid ? undefined : encoded[0]?.[1]);
	}
	const [text, ...more] = texts;
	return text === undefined || more.length > 0 ? undefined : { field, values: [['', text]] };
}

const problemOf = ({ contract }: EncodedRow, { displayName, wire }: Field): Problem => ({
	field: displayName,
	key: wire.key,
	what: `is required, because your ${contract.value}s do not all have the same one; set it for each item`,
});

/** Returns a row with the only values that resources have for its missing fields. */
function keyedRow(
	own: EncodedRow,
	missing: readonly Field[],
	resources: readonly IDataObject[],
): KeyedRow {
	const inferred = missing.map((field) => onlyValue(field, resources, own));
	const present = inferred.filter((encoded) => encoded !== undefined);
	const row = { ...own, fields: [...own.fields, ...present] };
	const isOther = (sent: EncodedField, candidates: readonly IDataObject[]) =>
		candidates.some((each) => mayBeSame(own, each) && compare(sent, each, row) === 'different');
	return {
		row,
		problemsWith: (candidates) =>
			missing
				.filter((_field, index) => {
					const encoded = inferred[index];
					return !encoded || (isDefaultMatch(own) && isOther(encoded, candidates));
				})
				.map((field) => problemOf(own, field)),
	};
}

/**
 * Adds the missing fields of the unique key to rows that may create a resource, such as the domain of an alias. A row gets the
 * value that all listed resources have. If no list was read, it gets the value of the newest resources of the account. Without
 * any resource, the row stays as it is, so that the service decides.
 *
 * @returns the rows that lacked a field
 * @throws ServiceError if the newest resources cannot be read
 */
export async function inferKeys(
	requests: RowRequests,
	rows: readonly EncodedRow[],
	existing: Existing | undefined,
): Promise<ReadonlyMap<EncodedRow, KeyedRow>> {
	const mayCreate = (row: EncodedRow) =>
		isDefaultMatch(row) || !existing?.candidatesFor(row).some((each) => isSame(row, each));
	const open = rows.flatMap((row) => {
		const missing = missingFields(row);
		return missing.length > 0 && mayCreate(row) ? [{ row, missing }] : [];
	});
	const [first] = open;
	if (!first) return new Map();
	const listing = apiRequest(first.row.contract, 'list', []);
	const keys = existing?.keys ?? [];
	const resources = keys.length > 0 ? keys : (await firstPage(requests, listing)).items;
	if (resources.length === 0) return new Map();
	return new Map(open.map(({ row, missing }) => [row, keyedRow(row, missing, resources)]));
}
