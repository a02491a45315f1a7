import type { IDataObject } from 'n8n-workflow';
import type { HookedAnswer, HookedRequest, Reaction } from '../../testkit/service/hooks.ts';

// No sockets: the unit tests use it on each version of Node.

export type { HookedAnswer };

/**
 * Answers a request. The reference service answers it if the script returns undefined.
 *
 * @param earlier number of requests that arrived before it
 */
export type Script = (
	request: HookedRequest,
	earlier: number,
) => Promise<Reaction | undefined> | Reaction | undefined;

/** A link with every field of the assumption "one resource", as a service shows it. */
export const linkAs = ({ alias = 'one', ...given }: IDataObject = {}): IDataObject => ({
	id: 1,
	alias,
	url: 'https://example.com/',
	short_url: `https://short.example/${String(alias)}`,
	...{ title: null, target_type: 0, country_target: null, platform_target: null },
	...{ language_target: null, rotation_target: null, disabled: 0, privacy: 0, clicks: 0 },
	...{ privacy_password: false, password: false, expiration_url: null, expiration_clicks: null },
	...{ space: null, domain: { id: 1, name: 'short.example' }, pixels: [], ends_at: null },
	created_at: '2026-01-01T00:00:00.000000Z',
	updated_at: '2026-01-01T00:00:00.000000Z',
	...given,
});

/** The answer that holds one resource. */
export const oneOf = (data: IDataObject): HookedAnswer => ({ body: { data, status: 200 } });

/** One page of a list in the family's own envelope. The list has the given number of pages. */
export const pageOf = (
	data: IDataObject[],
	number = 1,
	last = 1,
	total?: number,
): HookedAnswer => ({
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
