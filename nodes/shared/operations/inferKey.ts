import type { IDataObject } from 'n8n-workflow';
import { comparedValue } from '../contract/compare';
import { apiRequest } from '../contract/endpoints';
import { fieldsNamed, type EncodedRow, type Problem } from '../contract/encodedRow';
import type { EncodedField, Field } from '../contract/fieldTypes';
import { Invalid } from '../contract/types';
import { encodeCurrentValue } from '../contract/currentValue';
import { isDefaultMatch } from '../contract/matchBy';
import { isUnset } from '../contract/values';
import type { RowRequests } from '../transport/rowRequests';
import { firstPage } from './list';

/** Returns the fields of the unique key that a row lacks, apart from the text to search by. */
function missingFields(row: EncodedRow): Field[] {
	const { fields, key } = row.contract;
	if (!isDefaultMatch(row)) return [];
	const present = fieldsNamed(row, key.uniqueBy).map(({ field }) => field);
	return fields.filter(
		(field) =>
			key.uniqueBy.includes(field.wire.key) &&
			field.wire.key !== key.searchBy &&
			!present.includes(field),
	);
}

/** Returns the value of a field if all resources have the same; undefined otherwise, or if one does not show it. */
function onlyValue(
	field: Field,
	resources: readonly IDataObject[],
	row: EncodedRow,
): EncodedField | undefined {
	const texts = new Set<string | undefined>();
	for (const resource of resources) {
		const value = comparedValue(field, resource, row);
		const encoded = isUnset(value) ? undefined : encodeCurrentValue(field, value);
		texts.add(encoded === undefined || encoded instanceof Invalid ? undefined : encoded[0]?.[1]);
	}
	const [text, ...more] = texts;
	return text === undefined || more.length > 0 ? undefined : { field, values: [['', text]] };
}

/** A row with its whole unique key, or why it lacks a part of it. */
export interface KeyedRow {
	readonly row: EncodedRow;
	readonly problems: readonly Problem[];
}

/**
 * Adds the missing fields of the unique key to rows, such as the domain of an alias. A row gets the value that all listed
 * resources have. If the list is empty, it gets the value of the newest resources of the account. Without any resource, the
 * row stays as it is, so that the service decides.
 *
 * @param listed the resources of the list that the run has read
 * @returns the rows that lacked a field
 * @throws ServiceError if the newest resources cannot be read
 */
export async function inferKeys(
	requests: RowRequests,
	rows: readonly EncodedRow[],
	listed: readonly IDataObject[],
): Promise<ReadonlyMap<EncodedRow, KeyedRow>> {
	const open = rows.filter((row) => missingFields(row).length > 0);
	const [first] = open;
	if (!first) return new Map();
	const { contract } = first;
	const newest = async () => (await firstPage(requests, apiRequest(contract, 'list', []))).items;
	const resources = listed.length > 0 ? listed : await newest();
	if (resources.length === 0) return new Map();
	return new Map(
		open.map((row) => {
			const missing = missingFields(row).map((field) => ({
				field,
				value: onlyValue(field, resources, row),
			}));
			const problems = missing
				.filter(({ value }) => !value)
				.map(({ field: { displayName, wire } }) => ({
					field: displayName,
					key: wire.key,
					what: `is required, because your ${contract.value}s do not all have the same one; set it for each item`,
				}));
			const inferred = missing.flatMap(({ value }) => value ?? []);
			return [row, { row: { ...row, fields: [...row.fields, ...inferred] }, problems }];
		}),
	);
}
