import type { IDataObject } from 'n8n-workflow';
import { type EncodedRow, paramsOf } from '../contract/encodedRow';
import { type Param, searchKeys, sortKeys } from '../contract/operations';
import { webAddressOf } from '../contract/readers';
import type { OutputValue } from '../contract/resourceTypes';
import { isTextual } from '../contract/values';
import { inFormat, pictureOf, type QrCode } from '../qrCode/picture';
import { rejection } from '../transport/failures';
import { readById, resolveId } from './find';
import { distinct, list } from './list';
import type { Execute, OperationCode } from './types';

/** Reads the resource with the ID or address of a row. */
const readOne: Execute = async (requests, row) => {
	const id = await resolveId(requests, row);
	return { resources: [await readById(requests, row.contract, id)], outcome: 'read' };
};

export const get: OperationCode = () => ({ execute: readOne });

/** Returns the queries of a row: one for each field that it searches in, or one without a search. */
function queriesOf({ fields }: EncodedRow): Param[][] {
	const params = paramsOf(fields);
	const searchedFields = params.filter(([name]) => name === searchKeys.by);
	if (searchedFields.length < 2) return [params];
	const filters = params.filter(([name]) => name !== searchKeys.by);
	const isSearch = filters.some(([name]) => name === searchKeys.text);
	return isSearch ? searchedFields.map((field) => [...filters, field]) : [filters];
}

/** Compares texts as databases commonly do, without case and accents (assumption: sort order). */
const texts = new Intl.Collator('en', { sensitivity: 'base' });

/** Compares values in ascending order; null comes first (assumption: sort order). */
function compare(a: OutputValue, b: OutputValue): number {
	if (a === null || b === null) return Number(a !== null) - Number(b !== null);
	return typeof a === 'number' && typeof b === 'number'
		? a - b
		: texts.compare(String(a), String(b));
}

/** Returns the resources of several lists, each once, in the order of a row: by default that of contract 4.1 and 4.4. */
function mergeLists(row: EncodedRow, lists: readonly IDataObject[][]): IDataObject[] {
	const params = new Map(paramsOf(row.fields));
	const sortBy = params.get(sortKeys.by) ?? 'id';
	const sign = params.get(sortKeys.direction) === 'asc' ? 1 : -1;
	const reader = row.contract.output.find(({ name }) => name === sortBy)?.from;
	const merged = distinct(lists.flat());
	return reader ? merged.sort((a, b) => sign * compare(reader.read(a), reader.read(b))) : merged;
}

/**
 * Reads a list up to its limit. If the row searches in several fields, it reads one list per field, each up to the limit,
 * because each list can contain all first entries.
 */
export const getMany: OperationCode = () => ({
	execute: async (requests, row) => {
		const { contract, limit } = row;
		const { path } = contract;
		const lists: IDataObject[][] = [];
		for (const params of queriesOf(row)) lists.push(await list(requests, { path, params, limit }));
		const [first = [], ...others] = lists;
		const resources = others.length > 0 ? mergeLists(row, lists).slice(0, limit) : first;
		return { resources, outcome: 'read' };
	},
});

/**
 * Draws the QR code of an address in the format of a row.
 *
 * @throws ServiceError if the address has no QR code of the row's size
 */
function qrCodeOf({ contract, qrCode }: EncodedRow, address: unknown): QrCode {
	const text = isTextual(address) ? webAddressOf(address) : null;
	if (!qrCode || text === null) {
		const message = `${contract.name} has no address that starts with http:// or https://`;
		throw rejection(message, 'Check it in the service.');
	}
	const picture = pictureOf(text, qrCode.size);
	if ('advice' in picture) throw rejection(picture.message, picture.advice);
	return inFormat(picture, qrCode.format, text);
}

/** Draws the QR code of the resource of each row. Reads the resource, unless the row has a complete address. */
export const getQrCode: OperationCode = () => ({
	execute: async (requests, row) => {
		const { address, key } = row.contract;
		const text = webAddressOf(row.reference?.text);
		if (text === null) {
			const result = await readOne(requests, row);
			return { ...result, qrCode: qrCodeOf(row, result.resources[0]?.[key.address ?? '']) };
		}
		const resources = [{ [address?.outputName ?? 'address']: text }];
		return { resources, isOutput: true, outcome: 'read', qrCode: qrCodeOf(row, text) };
	},
});
