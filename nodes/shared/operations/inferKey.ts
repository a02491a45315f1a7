import type { IDataObject } from 'n8n-workflow';
import { comparedValue } from '../contract/compare';
import { apiRequest } from '../contract/endpoints';
import { fieldsNamed, type EncodedRow } from '../contract/encodedRow';
import type { EncodedField, Field } from '../contract/fieldTypes';
import { Invalid } from '../contract/types';
import { encodeCurrentValue } from '../contract/currentValue';
import { isDefaultMatch } from '../contract/matchBy';
import { requiredColumnText, requiredText } from '../contract/target';
import { isUnset } from '../contract/values';
import type { RowRequests } from '../transport/rowRequests';
import { rejection } from '../transport/serviceError';
import { firstPage, isAll } from './list';

/** Returns the value of a field if all resources have the same; undefined otherwise, or if they do not contain it. */
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

/**
 * Returns the row with all fields of the unique key. If all resources of the account have the same value of a missing field,
 * the row gets this value. The node knows that only if the first page of the list has all resources. Returns the row
 * unchanged if the account has no resources, or if Match By is not the default.
 *
 * @throws ServiceError if the resources have different values of a missing field, or do not fit on one page
 */
export async function inferKey(requests: RowRequests, row: EncodedRow): Promise<EncodedRow> {
	const { contract } = row;
	if (!isDefaultMatch(row)) return row;
	const { searchBy, uniqueBy } = contract.key;
	const present = fieldsNamed(row, uniqueBy).map(({ field }) => field);
	const missing = contract.fields.filter(
		(field) =>
			uniqueBy.includes(field.wire.key) && field.wire.key !== searchBy && !present.includes(field),
	);
	if (missing.length === 0) return row;
	const page = await firstPage(requests, apiRequest(contract, 'list', []));
	const isWhole = page.more === false || isAll(page);
	if (isWhole && page.items.length === 0) return row;
	const inferred = missing.map((field) => {
		const value = isWhole ? onlyValue(field, page.items, row) : undefined;
		if (value) return value;
		const isInForm = field.wire.on[row.operation] !== undefined;
		const message = isInForm ? requiredText(field) : requiredColumnText(field);
		throw rejection(
			message,
			`Nothing was sent. Several ${contract.value}s may have the same ${searchBy}, and the node cannot tell from the ${contract.value}s of the account which one you mean.`,
			{ fieldErrors: { [field.wire.key]: [message] } },
		);
	});
	return { ...row, fields: [...row.fields, ...inferred] };
}
