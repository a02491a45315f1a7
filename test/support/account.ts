import type { IDataObject } from 'n8n-workflow';
import type { Form } from '../../testkit/service/form.ts';
import type { Columns } from '../../testkit/service/linkFields.ts';
import { jsonOf } from './service.ts';
import type { NodeResult } from './n8n.ts';

/** A row of a sheet: its destination is named like its alias. */
export const row = (alias: string, more: IDataObject = {}): IDataObject => ({
	alias,
	url: `https://example.com/${alias}`,
	...more,
});

export const rows = (...aliases: string[]): IDataObject[] => aliases.map((alias) => row(alias));

/** So many rows: `link-1`, `link-2` … */
export const numbered = (count: number, name = 'link'): IDataObject[] =>
	Array.from({ length: count }, (_, index) => row(`${name}-${index + 1}`));

/** The columns of links like the rows, with IDs from 1. Their domain is 1 unless a row has another. */
export const linksOf = (...given: IDataObject[]): Columns[] =>
	given.map((one, index) => ({ domain_id: 1, ...one, id: index + 1 }) as Columns);

/** Returns a hook that changes each link of a response. */
export const eachLink =
	(changed: (link: IDataObject) => unknown) =>
	({ data, ...body }: Form): Form =>
		data === undefined
			? body
			: { ...body, data: Array.isArray(data) ? data.map(changed) : changed(data as IDataObject) };

/** All that the hints of a run say. */
export const hintsOf = ({ task }: NodeResult): string =>
	(task.hints ?? []).map(({ message }) => message).join('\n');

/** The outcomes of the items of a run, in their order. */
export const outcomesOf = (result: NodeResult): unknown[] =>
	jsonOf(result).map(({ outcome }) => outcome);

/** The row that each item of a run is linked to; undefined where it is linked to none, in either form that n8n knows. */
export const linksOfItems = ({ outputs }: NodeResult): unknown[] =>
	(outputs[0] ?? []).map(({ pairedItem }) =>
		Array.isArray(pairedItem) && pairedItem.length === 0 ? undefined : pairedItem,
	);

/** The writes among requests: method, last part of the path, and decoded form. */
export const writesIn = (
	requests: readonly { method: string; path: string; body: string }[],
): (readonly [string, string, Record<string, string>])[] =>
	requests
		.filter(({ method }) => method !== 'GET')
		.map(({ method, path, body }) => [
			method,
			path.replace(/^.*\/(links|pixels)\/?/, ''),
			Object.fromEntries(new URLSearchParams(body)),
		]);
