import type { IDataObject } from 'n8n-workflow';
import { comparedValue } from '../contract/compare';
import { apiRequest } from '../contract/endpoints';
import { fieldsNamed, type EncodedRow } from '../contract/encodedRow';
import type { EncodedField, Field } from '../contract/fieldTypes';
import { Invalid } from '../contract/types';
import { encodeCurrentValue } from '../contract/currentValue';
import { isDefaultMatch } from '../contract/matchBy';
import { requiredText } from '../contract/required';
import { isUnset } from '../contract/values';
import type { RowRequests } from '../transport/rowRequests';
import { rejection } from '../transport/serviceError';
import { firstPage, isAll } from './list';

/** The only value that all resources have of a field; undefined where they have several, or do not tell. */
function onlyValue(
	field: Field,
	resources: readonly IDataObject[],
	row: EncodedRow,
): EncodedField | undefined {
	const texts = new Set<string | undefined>();
	for (const resource of resources) {
		const held = comparedValue(field, resource, row);
		const encoded = isUnset(held) ? undefined : encodeCurrentValue(field, held);
		texts.add(encoded === undefined || encoded instanceof Invalid ? undefined : encoded[0]?.[1]);
	}
	const [text, ...others] = texts;
	return text === undefined || others.length > 0 ? undefined : { field, values: [['', text]] };
}

/**
 * Returns the row with all fields that make its resource unique. A field that it leaves out can only be the one that all
 * resources of the account have, which the first page of the list shows if it has all of them. Of an account without any,
 * and with another choice of Match By, the row stays as it is.
 *
 * @throws ServiceError where it is not clear what the row means
 */
export async function inferKey(requests: RowRequests, row: EncodedRow): Promise<EncodedRow> {
	const { contract } = row;
	if (!isDefaultMatch(row)) return row;
	const given = fieldsNamed(row, contract.key.uniqueBy).map(({ field }) => field);
	const { searchBy, uniqueBy } = contract.key;
	const missing = contract.fields.filter(
		(field) =>
			uniqueBy.includes(field.wire.key) && field.wire.key !== searchBy && !given.includes(field),
	);
	if (missing.length === 0) return row;
	const page = await firstPage(requests, apiRequest(contract, 'getAll', []));
	const isWhole = page.more === false || isAll(page);
	if (isWhole && page.items.length === 0) return row;
	const completed = missing.map((field) => {
		const only = isWhole ? onlyValue(field, page.items, row) : undefined;
		if (only) return only;
		throw rejection(
			requiredText(field),
			`Nothing was sent. Several ${contract.value}s may have the same ${searchBy}, and the ${contract.value}s of the account do not show which one is meant.`,
			{ fieldErrors: { [field.wire.key]: [requiredText(field)] } },
		);
	});
	return { ...row, fields: [...row.fields, ...completed] };
}
