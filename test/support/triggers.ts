import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { insert, together } from '../../testkit/service/database.ts';
import type { Hooks, Settings } from '../../testkit/service/index.ts';
import type { Columns } from '../../testkit/service/linkFields.ts';
import { PollingTrigger, type Engine, type Polled, type SavedTrigger } from './pollingTrigger.ts';
import { apiKey, useReferenceService } from './service.ts';

/** What a test varies about a trigger. */
export type TriggerRun = Partial<Omit<SavedTrigger, 'credential' | 'node' | 'parameters'>> & {
	engine?: Engine;
	credential?: Partial<SavedTrigger['credential']>;
	/** What the node's static data holds before. */
	data?: IDataObject;
};

/** A request of a poll in short: method, path behind `/api/v1`, and the query without `per_page=100`. */
export type Sent = string;

/** Starts a strict reference service for each test, and polls it with Link Triggers. */
export function useTriggers() {
	const current = useReferenceService();

	/** Changes some settings of the service, such as its faults. */
	const set = (settings: Partial<Settings>) => current().set(settings);

	/** A trigger that is saved but not active. */
	const trigger = (
		parameters: INodeParameters,
		{ engine = 'classic', credential, data, ...more }: TriggerRun = {},
	) =>
		new PollingTrigger(
			engine,
			{
				node: 'linkTrigger',
				parameters,
				credential: { baseUrl: current().url, apiKey, ...credential },
				...more,
			},
			data,
		);

	/** A trigger that knows its baseline: it was activated, and polled as often as told. */
	const begun = async (parameters: INodeParameters, run: TriggerRun = {}, polls = 1) => {
		const made = trigger(parameters, run);
		const results = [await made.activate()];
		for (let count = 0; count < polls; count += 1) results.push(await made.poll());
		expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
		expect(results.flatMap(({ events }) => events)).toEqual([]);
		return made;
	};

	/** The API requests since the last time this was asked, and with a work those that it made. */
	const sentBy = async <T>(work: () => Promise<T>): Promise<{ result: T; sent: Sent[] }> => {
		current().requests.length = 0;
		const result = await work();
		const sent = current().requests.map(({ method, path, query }) => {
			const rest = query.split('&').filter((part) => part !== '' && part !== 'per_page=100');
			return `${method} ${path.replace('/api/v1', '')} ${rest.join('&')}`.trim();
		});
		return { result, sent };
	};

	/** So many links, all at once, from the first free ID on: `link-1`, `link-2` or how else they are named. Gives their IDs. */
	const addLinks = (count: number, columns: Columns = {}, name = 'link'): number[] => {
		const { database } = current();
		const last = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'links'").get();
		const add = (_: unknown, index: number) => {
			const alias = `${name}-${Number(last?.seq ?? 0) + 1 + index}`;
			const link = { domain_id: 1, url: 'https://example.com/', alias, ...columns };
			return insert(database, 'links', link);
		};
		return together(database, () => Array.from({ length: count }, add));
	};

	/** One link. Gives its ID. */
	const addLink = (columns?: Columns): number => addLinks(1, columns)[0] ?? 0;

	/** Changes columns of links, without a request. */
	const change = (ids: number | readonly number[], columns: Columns): void => {
		const { database } = current();
		const names = Object.keys(columns).map((name) => `${name} = ?`);
		const update = database.prepare(`UPDATE links SET ${names.join()} WHERE id = ?`);
		together(database, () => {
			for (const id of [ids].flat()) update.run(...Object.values(columns), id);
		});
	};

	/** Deletes links, without a request. */
	const remove = (...ids: number[]): void => ids.forEach((id) => current().links.remove(id));

	/** Attaches a pixel to a link. */
	const attach = (linkId: number, pixelId: number): void => {
		current().database.prepare('INSERT INTO link_pixels VALUES (?, ?)').run(linkId, pixelId);
	};

	/** Replaces the hooks of the service, which change what it does with requests. */
	const hook = (hooks: Hooks): void => {
		current().hooks = hooks;
	};

	return { current, set, trigger, begun, sentBy, addLink, addLinks, change, remove, attach, hook };
}

/** The events of a poll in short: `created 5`, in their order. */
export const shortly = (events: readonly IDataObject[]): string[] =>
	events.map(({ event, id, threshold }) =>
		[event, id, threshold].filter((part) => part !== undefined).join(' '),
	);

/** The events of a poll that must not have failed. */
export function eventsOf({ events, error }: Polled): string[] {
	if (error) throw error;
	return shortly(events);
}

/** The events of a number of polls that must not fail. */
export async function eventsOfPolls(node: PollingTrigger, count: number): Promise<string[]> {
	const events: string[] = [];
	for (let poll = 0; poll < count; poll += 1) events.push(...eventsOf(await node.poll()));
	return events;
}
