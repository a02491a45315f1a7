import type { IDataObject } from 'n8n-workflow';
import type { HookedAnswer, HookedRequest, Reaction } from '../../testkit/service/hooks.ts';

// No sockets: the unit tests use it on each version of Node.

export type ScriptedRequest = HookedRequest;
export type ScriptedAnswer = HookedAnswer;

/**
 * Answers a request.
 *
 * @param earlier number of requests that arrived before it
 */
export type Script = (request: ScriptedRequest, earlier: number) => Promise<Reaction> | Reaction;

/** A link with every field of the assumption "one resource", as a service shows it. */
export const linkAs = (given: IDataObject): IDataObject => ({
	id: 1,
	alias: 'one',
	url: 'https://example.com/',
	short_url: 'https://short.example/one',
	title: null,
	target_type: 0,
	country_target: null,
	platform_target: null,
	language_target: null,
	rotation_target: null,
	disabled: 0,
	privacy: 0,
	privacy_password: false,
	password: false,
	expiration_url: null,
	expiration_clicks: null,
	clicks: 0,
	space: null,
	domain: { id: 1, name: 'short.example' },
	pixels: [],
	ends_at: null,
	created_at: '2026-01-01T00:00:00.000000Z',
	updated_at: '2026-01-01T00:00:00.000000Z',
	...given,
});

/** The answer that holds one resource. */
export const oneOf = (data: IDataObject): ScriptedAnswer => ({ body: { data, status: 200 } });

/** One page of a list in the family's own envelope. The list has the given number of pages. */
export const pageOf = (
	data: IDataObject[],
	number = 1,
	last = 1,
	total?: number,
): ScriptedAnswer => ({
	body: {
		data,
		links: { first: null, last: null, prev: null, next: null },
		meta: {
			current_page: number,
			last_page: last,
			per_page: 100,
			...(total === undefined ? {} : { total }),
		},
		status: 200,
	},
});

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
