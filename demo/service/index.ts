import Fastify from 'fastify';
import { addApi } from './api.ts';
import { addControl } from './control.ts';
import { openDatabase } from './database.ts';
import { FaultPlan } from './faults.ts';
import { decodeForm } from './form.ts';
import type { RecordedRequest } from './journal.ts';
import { linkResource } from './links.ts';
import { pixelResource } from './pixels.ts';
import { completeSettings, type Settings } from './settings.ts';
import { Throttle } from './throttle.ts';
import { addWebsite } from './website.ts';

export type { RecordedRequest } from './journal.ts';
export type { Effect, Fault, Settings } from './settings.ts';

export interface ServiceOptions {
	/** File path; by default ':memory:'. */
	database?: string;
	/** By default one: 'demo-key-0123456789'. */
	apiKeys?: string[];
	/** Short for `settings.strict`. */
	strict?: boolean;
	settings?: Partial<Settings>;
}

export interface RunningService {
	/** Without a slash at its end. */
	url: string;
	/** Live: a change counts from the next request on. */
	settings: Settings;
	/** Changes some settings. New faults count from zero, and a new throttle opens new windows. */
	set(settings: Partial<Settings>): void;
	/** The API requests, in order of arrival. */
	requests: RecordedRequest[];
	/** Empties the journal and the throttle windows; settings are as at the start. Data and keys stay. */
	reset(): void;
	/** A reset that deletes all links and pixels too. */
	clear(): void;
	/** Live: a test can revoke a key. */
	apiKeys: Set<string>;
	counts(): { links: number; pixels: number };
	/** Ends at once, with all open connections and the database. */
	stop(): Promise<void>;
}

/**
 * Starts the reference service on 127.0.0.1, on any free port unless told: the whole of `service-interface.md`, and
 * the assumptions where that is silent. Rejects with EADDRINUSE when the port is taken.
 */
export async function startService(
	options: ServiceOptions & { port?: number } = {},
): Promise<RunningService> {
	const { database: file = ':memory:', apiKeys = ['demo-key-0123456789'], port = 0 } = options;
	const given = { strict: options.strict ?? false, ...options.settings };
	const atStart = completeSettings(given);
	const database = openDatabase(file);
	const stopping = new AbortController();
	let url = '';
	const origin = () => url;
	const [faults, throttle] = [new FaultPlan(), new Throttle()];

	const steering = {
		settings: completeSettings(atStart),
		requests: new Array<RecordedRequest>(),
		apiKeys: new Set(apiKeys),
		set(changes: Partial<Settings>) {
			// Copies are strangers to the fault plan, which counts by identity.
			Object.assign(steering.settings, structuredClone(changes));
			if (changes.throttle !== undefined) throttle.reset();
		},
		reset() {
			steering.set(atStart);
			steering.requests.length = 0;
		},
		clear() {
			steering.reset();
			database.exec('DELETE FROM links; DELETE FROM pixels');
		},
		counts() {
			const row = database
				.prepare(
					'SELECT (SELECT count(*) FROM links) AS links, (SELECT count(*) FROM pixels) AS pixels',
				)
				.get();
			return { links: Number(row?.links), pixels: Number(row?.pixels) };
		},
	};

	const app = Fastify({
		forceCloseConnections: true,
		// PHP's own bound on a form; Fastify's of 1 MB is less than a link with all its targets may have.
		bodyLimit: 8 * 2 ** 20,
		routerOptions: { maxParamLength: 300, querystringParser: decodeForm },
		ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
	});
	const resources = [linkResource(database, origin), pixelResource(database)];
	const context = { ...steering, resources, faults, throttle, origin, stopping: stopping.signal };
	addWebsite(app, database);
	addControl(app, steering);
	app.register((api) => addApi(api, context), { prefix: '/api' });
	try {
		url = await app.listen({ host: '127.0.0.1', port });
	} catch (error) {
		database.close();
		throw error;
	}

	const end = async () => {
		// Connections first: ended waits would otherwise still be answered.
		app.server.closeAllConnections();
		stopping.abort();
		await app.close();
		database.close();
	};
	let ended: Promise<void> | undefined;
	return { ...steering, url, stop: () => (ended ??= end()) };
}
