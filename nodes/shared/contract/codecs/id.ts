import type { INodeProperties } from 'n8n-workflow';
import { Invalid, type Codec } from '../types';
import { plain, quote } from '../values';

/**
 * The id as text, or undefined where the value cannot name anything: blank, no text, a step in a path, or half a
 * character, which no URL can hold.
 */
function readId(value: unknown): string | undefined {
	const inner = plain(value);
	const written =
		typeof inner === 'number' || typeof inner === 'string' ? String(inner).trim() : '';
	return ['', '.', '..'].includes(written) || !written.isWellFormed() ? undefined : written;
}

const noId = (value: unknown, property: INodeProperties) =>
	new Invalid([
		`${quote(plain(value), property)} is not an ID; enter the ID that the service shows, such as 42`,
	]);

/** One id. The contract shows neither its type nor its length (2.1), so any text that can name something is taken. */
export const id: Codec = (value, property) => {
	const written = readId(value);
	return written === undefined ? noId(value, property) : [['', written]];
};

/**
 * Several ids, sent as PHP reads an array: `key[]=1&key[]=2` (assumption: pixel ids are an array). Takes an array, or
 * the comma-separated text of a form field or spreadsheet cell.
 */
export const idList: Codec = (value, property) => {
	const entries: unknown[] = Array.isArray(value)
		? value
		: typeof value === 'string'
			? value.split(',')
			: [value];
	const ids = entries.map(readId);
	const bad = ids.indexOf(undefined);
	return bad < 0 ? ids.map((one) => ['[]', String(one)] as const) : noId(entries[bad], property);
};
