import type { IDataObject } from 'n8n-workflow';
import { paramsOf, type EncodedRow } from '../contract/encodedRow';
import type { OutputValue } from '../contract/resourceTypes';
import { sortKeys } from '../contract/listFields';
import { keyOf } from './list';

/** Texts as databases commonly order them: neither case nor accents count (assumption: sort order). */
const texts = new Intl.Collator('en', { sensitivity: 'base' });

/** What comes first in ascending order; nothing comes before everything (assumption: sort order). */
function compare(one: OutputValue, other: OutputValue): number {
	if (one === null || other === null) return Number(one !== null) - Number(other !== null);
	return typeof one === 'number' && typeof other === 'number'
		? one - other
		: texts.compare(String(one), String(other));
}

/** The order in which a row wants a list, by default that of contract 4.1 and 4.4. */
function orderOf({ contract, fields }: EncodedRow) {
	const params = new Map(paramsOf(fields));
	const by = params.get(sortKeys.by) ?? 'id';
	const sign = params.get(sortKeys.direction) === 'asc' ? 1 : -1;
	const reader = contract.output.find(({ name }) => name === by)?.from;
	return (one: IDataObject, other: IDataObject) =>
		reader ? sign * compare(reader.read(one), reader.read(other)) : 0;
}

/**
 * Lists that a row asked for, as one in the order that it wants, without repeats. What one list holds stays in the order
 * in which the service gave it.
 */
export function mergeLists(
	row: EncodedRow,
	lists: ReadonlyArray<readonly IDataObject[]>,
): IDataObject[] {
	const order = orderOf(row);
	const [first = [], ...others] = lists.map((one) => [...one]);
	const all = others.reduce((merged, next) => {
		const result: IDataObject[] = [];
		let [at, then] = [0, 0];
		for (;;) {
			const [one, other] = [merged[at], next[then]];
			if (!one && !other) return result;
			const isFirst = one && (!other || order(one, other) <= 0);
			if (isFirst) at += 1;
			else then += 1;
			const taken = isFirst ? one : other;
			if (taken) result.push(taken);
		}
	}, first);
	const seen = new Set<string>();
	return all.filter((resource) => !seen.has(keyOf(resource)) && seen.add(keyOf(resource)));
}
