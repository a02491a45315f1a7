import type { IDataObject } from 'n8n-workflow';
import { currentValue, encodeCurrentValue, isSame } from '../contract/compare';
import type { EncodedRow } from '../contract/encodedRow';
import { apiRequest } from '../contract/endpoints';
import { type Problem, Invalid } from '../contract/types';
import type { Field, ResourceContract } from '../contract/resourceTypes';
import { isDefaultMatch } from '../contract/layout';
import { isUnset } from '../contract/values';
import type { RowRequests } from '../transport/rowRequests';
import { firstPage } from './list';

type Resources = readonly IDataObject[];

/** Returns the value that a resource has for a field; undefined if it does not show it. */
function valueOf(field: Field, resource: IDataObject, { options }: EncodedRow): string | undefined {
	const value = currentValue(field, resource, options.timeZone);
	const encoded = isUnset(value) ? [] : encodeCurrentValue(field, value);
	return encoded instanceof Invalid ? undefined : encoded[0]?.[1];
}

/** Completes the unique key of rows without a domain: they mean the only domain of the resources that the run reads. */
export class KeyInference {
	/** The field that makes a resource unique together with its alias or name; undefined if there is none. */
	private readonly field?: Field;

	/** The values of the resources that were read. */
	private readonly values = new Set<string | undefined>();

	constructor({ key, fields }: ResourceContract) {
		this.field = fields.find(
			({ wire }) => wire.key !== key.searchBy && key.uniqueBy.includes(wire.key),
		);
	}

	/** @param row any row of the run */
	add(row: EncodedRow, resource: IDataObject): void {
		if (this.field) this.values.add(valueOf(this.field, resource, row));
	}

	/**
	 * Returns the field if a row lacks it. Undefined if the row needs none, because Match By finds its resource without the key.
	 */
	private missingIn(row: EncodedRow, candidates: Resources): Field | undefined {
		const { field } = this;
		if (row.fields.some((encoded) => encoded.field === field)) return undefined;
		const exists = !isDefaultMatch(row) && candidates.some((resource) => isSame(row, resource));
		return exists ? undefined : field;
	}

	/**
	 * Reads the newest resources of the account if a row lacks a field, and no list was read.
	 *
	 * @throws ServiceError if they cannot be read
	 */
	async prepare(
		requests: RowRequests,
		rows: readonly EncodedRow[],
		candidatesFor: (row: EncodedRow) => Resources,
	): Promise<void> {
		const first = rows.find((row) => this.missingIn(row, candidatesFor(row)));
		if (!first || this.values.size > 0) return;
		const { items } = await firstPage(requests, apiRequest(first.contract, 'list', []));
		items.forEach((resource) => this.add(first, resource));
	}

	/**
	 * Returns a row with its whole unique key, or why it must not be written. Without any resource, the service decides about the
	 * missing field.
	 *
	 * @param candidates the resources that the row may mean
	 */
	complete(row: EncodedRow, candidates: Resources): EncodedRow | readonly Problem[] {
		const field = this.missingIn(row, candidates);
		if (!field) return row;
		const found = candidates.map((resource) => valueOf(field, resource, row));
		const [value, ...more] = new Set([...this.values, ...found]);
		if (value !== undefined && more.length === 0) {
			return { ...row, fields: [...row.fields, { field, values: [['', value]] }] };
		}
		if (this.values.size + found.length === 0) return row;
		const what = `is required, because your ${row.contract.value}s do not all have the same one; set it for each item`;
		return [{ field: field.displayName, key: field.wire.key, what }];
	}
}
