import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	startService,
	type Hooks,
	type RunningService,
	type Settings,
} from '../../testkit/service/index.ts';
import { PollingTrigger, type Engine, type Polled, type SavedTrigger } from './pollingTrigger.ts';
import { apiKey } from './service.ts';
import { useVirtualTime } from './virtualTime.ts';

/** What a test varies about a trigger. */
export type TriggerRun = Partial<Omit<SavedTrigger, 'credential' | 'node' | 'parameters'>> & {
	engine?: Engine;
	credential?: Partial<SavedTrigger['credential']>;
	/** What the node's static data holds before. */
	data?: IDataObject;
};

/** A request of a poll in short: method, path behind `/api/v1`, and the query without `per_page=100`. */
export type Sent = string;

/** Starts a strict reference service for each test, whose database the test can read, and polls it with Link Triggers. */
export function useTriggers() {
	let service: RunningService | undefined;
	let database: DatabaseSync | undefined;
	let folder = '';

	useVirtualTime();
	beforeEach(async () => {
		folder = mkdtempSync(join(tmpdir(), 'link-trigger-'));
		const file = join(folder, 'service.sqlite');
		service = await startService({ strict: true, apiKeys: [apiKey], database: file });
		database = new DatabaseSync(file);
		// The service writes to it as well.
		database.exec('PRAGMA busy_timeout = 5000');
	});
	afterEach(async () => {
		await service?.stop();
		database?.close();
		rmSync(folder, { recursive: true });
		service = undefined;
		database = undefined;
	});

	const current = (): RunningService => {
		if (!service) throw new Error('the reference service is not running');
		return service;
	};

	const sql = (): DatabaseSync => {
		if (!database) throw new Error('the reference service is not running');
		return database;
	};

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
	const addLinks = (
		count: number,
		columns: Record<string, SQLInputValue> = {},
		name = 'link',
	): number[] => {
		const time = new Date().toISOString().replace('Z', '000Z');
		const row = { domain_id: 1, url: 'https://example.com/', ...columns };
		const names = Object.keys(row);
		const insert = sql().prepare(
			`INSERT INTO links (alias, created_at, updated_at, ${names.join()}) VALUES (?, ?, ?, ${names.map(() => '?').join()})`,
		);
		const ids: number[] = [];
		sql().exec('BEGIN IMMEDIATE');
		const highest = sql().prepare("SELECT seq FROM sqlite_sequence WHERE name = 'links'").get();
		const next = Number(highest?.seq ?? 0) + 1;
		for (let index = 0; index < count; index += 1) {
			const { lastInsertRowid } = insert.run(
				`${name}-${next + index}`,
				time,
				time,
				...Object.values(row),
			);
			ids.push(Number(lastInsertRowid));
		}
		sql().exec('COMMIT');
		return ids;
	};

	/** One link. Gives its ID. */
	const addLink = (columns: Record<string, SQLInputValue> = {}): number => {
		const [id = 0] = addLinks(1);
		if (Object.keys(columns).length > 0) change(id, columns);
		return id;
	};

	/** Changes columns of links, without a request. */
	const change = (
		ids: number | readonly number[],
		columns: Record<string, SQLInputValue>,
	): void => {
		const names = Object.keys(columns).map((name) => `${name} = ?`);
		const update = sql().prepare(`UPDATE links SET ${names.join()} WHERE id = ?`);
		sql().exec('BEGIN IMMEDIATE');
		for (const id of [ids].flat()) update.run(...Object.values(columns), id);
		sql().exec('COMMIT');
	};

	/** Deletes links, without a request. */
	const remove = (...ids: number[]): void => {
		const removal = sql().prepare('DELETE FROM links WHERE id = ?');
		sql().exec('BEGIN IMMEDIATE');
		for (const id of ids) removal.run(id);
		sql().exec('COMMIT');
	};

	/** Attaches a pixel to a link. */
	const attach = (linkId: number, pixelId: number): void => {
		sql().prepare('INSERT INTO link_pixels VALUES (?, ?)').run(linkId, pixelId);
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
