import type { IDataObject } from 'n8n-workflow';
import {
	linkAs,
	oneOf,
	type Reaction,
	type Script,
	type ScriptedRequest,
} from './scriptedService.ts';
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

/** Links of domain 1 like the rows, newest first, with IDs from 1 in the order of the rows. */
export const linksOf = (...given: IDataObject[]): IDataObject[] => {
	const domain = { id: 1, name: 'short.example' };
	return given.map((one, index) => linkAs({ domain, ...one, id: index + 1 })).toReversed();
};

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

/** What an account does otherwise than services commonly do. */
export interface Oddities {
	/** The entries that a list request finds; a service that ignores its filters finds all. */
	readonly find?: (query: Record<string, string>, links: readonly IDataObject[]) => IDataObject[];
	/** Entries on a page. */
	readonly pageSize?: (query: Record<string, string>) => number;
	/** The envelope around a page. */
	readonly wrap?: (page: IDataObject[], number: number, last: number, total: number) => unknown;
	/** What becomes of a request before the account sees it; undefined for what becomes of others. */
	readonly before?: (request: ScriptedRequest, earlier: number) => Reaction | undefined;
	/** Whether two aliases are the same; exactly the same ones unless told. */
	readonly isSameAlias?: (one: string, other: string) => boolean;
	/** How the account shows a link; as it stores it unless told. */
	readonly shows?: (link: IDataObject) => IDataObject;
	/** What the account stores of the fields of a write; what it was sent unless told. */
	readonly stores?: (fields: IDataObject, request: ScriptedRequest) => IDataObject;
}

const idIn = (value: unknown) =>
	typeof value === 'object' && value !== null && 'id' in value ? String(value.id) : '';

/** What services commonly find: by domain, by space, and by a text anywhere in alias or destination. */
export function commonlyFound(
	query: Record<string, string>,
	links: readonly IDataObject[],
): IDataObject[] {
	const { domain_id: domain, space_id: space, search = '', search_by: by = 'title' } = query;
	return links.filter(
		(link) =>
			(domain === undefined || idIn(link.domain) === domain) &&
			(space === undefined || idIn(link.space) === space) &&
			String(link[by] ?? '')
				.toLowerCase()
				.includes(search.toLowerCase()),
	);
}

/** The fields of a form that was decoded on its way here; none of these tests sends an ampersand. */
const formOf = (body: string): Record<string, string> =>
	Object.fromEntries(
		body.split('&').map((pair) => {
			const [name = '', ...value] = pair.split('=');
			return [name, value.join('=')];
		}),
	);

const collection = (data: IDataObject[], number: number, last: number, total: number) => ({
	data,
	links: { first: null, last: null, prev: null, next: null },
	meta: { current_page: number, last_page: last, per_page: 100, total },
	status: 200,
});

/**
 * A script that keeps links, newest first, with whatever oddities a test gives it. Forms are taken apart no further than
 * to flat fields, which is all that its tests send.
 */
export function accountOf(links: IDataObject[], odd: Oddities = {}): Script {
	const { find = commonlyFound, wrap = collection, isSameAlias = Object.is } = odd;
	const { stores = (fields: IDataObject) => fields, shows = (link: IDataObject) => link } = odd;
	const refused = (field: string) => ({
		status: 422,
		body: { message: { [field]: [`The ${field} is refused.`] }, status: 422 },
	});
	const list = (query: Record<string, string>) => {
		const found = find(query, links);
		const size = odd.pageSize?.(query) ?? Number(query.per_page);
		const number = Number(query.page);
		const last = Math.max(1, Math.ceil(found.length / size));
		const page = found.slice((number - 1) * size, number * size);
		return { body: wrap(page.map(shows), number, last, found.length) };
	};
	const fieldsOf = (form: Record<string, string>): IDataObject => {
		const { domain_id: domain, space_id: space, ...plain } = form;
		const { expiration_date: date, expiration_time: time, password, ...rest } = plain;
		return {
			...rest,
			...(date ? { ends_at: `${date}T${time}:00.000000Z` } : {}),
			...(password === undefined ? {} : { password: password !== '' }),
			...(domain === undefined ? {} : { domain: { id: Number(domain), name: 'short.example' } }),
			...(space === undefined ? {} : { space: { id: Number(space), name: 'Space' } }),
		};
	};
	const create = (form: Record<string, string>, request: ScriptedRequest) => {
		const taken = links.some(
			(link) =>
				isSameAlias(String(link.alias), form.alias ?? '') &&
				idIn(link.domain) === (form.domain_id ?? '1'),
		);
		if (taken) return refused('alias');
		const id = Math.max(0, ...links.map((link) => Number(link.id))) + 1;
		const made = linkAs({ id, alias: `made-${id}`, ...stores(fieldsOf(form), request) });
		links.unshift(made);
		return { ...oneOf(shows(made)), status: 201 };
	};
	return (request, earlier) => {
		const spoiled = odd.before?.(request, earlier);
		if (spoiled !== undefined) return spoiled;
		const { method, path, query, body } = request;
		if (path === '/links') {
			return method === 'GET' ? list(query) : create(formOf(body), request);
		}
		const at = links.findIndex(({ id }) => String(id) === path.replace('/links/', ''));
		const link = links[at];
		if (!link) return { status: 404, body: { message: 'Resource not found.', status: 404 } };
		if (method === 'DELETE') {
			links.splice(at, 1);
			return { body: { id: link.id, object: 'link', deleted: true, status: 200 } };
		}
		if (method === 'PUT') Object.assign(link, stores(fieldsOf(formOf(body)), request));
		return oneOf(shows(link));
	};
}
