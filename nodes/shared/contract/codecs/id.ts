import type { INodeProperties } from 'n8n-workflow';
import { Invalid, type Codec } from '../types';
import { isBrokenDate, isRecord, isTextual, listOf, quote, unwrapLocator } from '../values';

const isWebAddress = (written: string) => /^https?:\/\//i.test(written);

/**
 * The id as text, or undefined where the value cannot name anything: blank, no text, a step in a path, a whole address,
 * or half a character, which no URL can hold.
 */
function readId(value: unknown): string | undefined {
	const inner = unwrapLocator(value);
	const written = isTextual(inner) && typeof inner !== 'boolean' ? String(inner).trim() : '';
	const isNone =
		['', '.', '..', 'NaN'].includes(written) || isBrokenDate(written) || isWebAddress(written);
	return isNone || !written.isWellFormed() ? undefined : written;
}

const remedy = (written: unknown) =>
	typeof written === 'string' && isWebAddress(written.trim())
		? 'is a URL, not an ID; enter the ID that the service shows, such as 42'
		: 'is not an ID; enter the ID that the service shows, such as 42';

function noId(value: unknown, property: INodeProperties): Invalid {
	const written = unwrapLocator(value);
	return new Invalid([`${quote(written, property)} ${remedy(written)}`]);
}

/** One id. The contract shows neither its type nor its length (2.1), so any text that can name something is taken. */
export const id: Codec = (value, property) => {
	const written = readId(value);
	return written === undefined ? noId(value, property) : [['', written]];
};

/** One id of a list, bare or in the resource that has it: what stands around and between several is in none. */
function readEntry(value: unknown): string | undefined {
	const inner = unwrapLocator(value);
	const written = readId(isRecord(inner) ? inner.id : inner);
	return written === undefined || /[\s,;"'{}[\]]/.test(written) ? undefined : written;
}

/**
 * Several ids, sent as PHP reads an array: `key[]=1&key[]=2` (assumption: pixel ids are an array). Takes a list in any
 * form, or one id.
 */
export const idList: Codec = (value, property) => {
	const entries = typeof value === 'number' ? [value] : listOf(value);
	if (!entries) {
		return new Invalid([
			`${quote(value, property)} is not a list of IDs; write it as 3,8 or as [3, 8]`,
		]);
	}
	const ids = entries.map(readEntry);
	const bad = ids.indexOf(undefined);
	return bad < 0
		? [...new Set(ids)].map((one) => ['[]', String(one)] as const)
		: noId(entries[bad], property);
};
