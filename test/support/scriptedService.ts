import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { runNode, type NodeResult, type NodeRun } from './n8n.ts';
import { apiKey, type Run } from './service.ts';

/** One request as it arrived, decoded. */
export interface ScriptedRequest {
	method: string;
	/** Behind `/api/v1`, without query. */
	path: string;
	query: Record<string, string>;
	/** As sent, but readable. */
	body: string;
}

/** One answer: a body that is no text goes out as JSON, a text goes out as it is. */
export interface ScriptedAnswer {
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
	/** Milliseconds between the characters of the body; without it the body leaves at once. */
	drip?: number;
}

/** Writes an answer by itself. */
type Write = (response: ServerResponse) => void;

/** What becomes of a request: an answer, a connection that is destroyed, or nothing ever. */
export type Reaction = ScriptedAnswer | Write | 'drop' | 'hang';

/**
 * Answers a request.
 *
 * @param earlier how many requests arrived before it
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

/** One page of a list in the family's own envelope, of so many pages as are told. */
export const pageOf = (data: IDataObject[], number = 1, last = 1): ScriptedAnswer => ({
	body: {
		data,
		links: { first: null, last: null, prev: null, next: null },
		meta: { current_page: number, last_page: last, per_page: 100 },
		status: 200,
	},
});

/** A web server on a free loopback port that answers what a script says, and remembers what arrived. */
class ScriptedService {
	/** In order of arrival. */
	readonly requests: ScriptedRequest[] = [];

	/** How many requests were waiting for their answers at most. */
	mostUnderWay = 0;

	private underWay = 0;

	/** How many requests have neither been answered in full nor lost their connection. */
	open = 0;

	/** How many requests were open at most, when one arrived. */
	mostOpen = 0;

	/** Those who wait until so many requests have arrived. */
	private readonly waiting: { count: number; tell: () => void }[] = [];

	private script: Script = () => ({ status: 500, body: { message: 'There is no script' } });

	private readonly server: Server = createServer((request, response) => {
		void this.answer(request, response);
	});

	get url(): string {
		const { port } = this.server.address() as AddressInfo;
		return `http://127.0.0.1:${port}`;
	}

	/** Begins a script, and forgets what arrived before. */
	follow(script: Script): void {
		this.script = script;
		this.requests.length = 0;
		this.mostUnderWay = 0;
		this.mostOpen = 0;
	}

	/** Resolves when no request is open. */
	async allClosed(): Promise<void> {
		while (this.open > 0) await wait(10);
	}

	/** Resolves when so many requests of this script have arrived, so that a script can hold back an answer until then. */
	async arrivalOf(count: number): Promise<void> {
		if (this.requests.length >= count) return;
		await new Promise<void>((tell) => this.waiting.push({ count, tell }));
	}

	async start(): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise<void>((resolve) => this.server.close(() => resolve()));
	}

	private async answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
		this.open += 1;
		this.mostOpen = Math.max(this.mostOpen, this.open);
		response.on('close', () => (this.open -= 1));
		const { pathname, searchParams } = new URL(message.url ?? '', this.url);
		const request = {
			method: message.method ?? '',
			path: pathname.replace('/api/v1', ''),
			query: Object.fromEntries(searchParams),
			body: decodeURIComponent((await text(message)).replaceAll('+', ' ')),
		};
		const earlier = this.requests.push(request) - 1;
		for (const { count, tell } of this.waiting) if (count <= this.requests.length) tell();
		this.underWay += 1;
		this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
		const reaction = await this.script(request, earlier);
		this.underWay -= 1;
		if (typeof reaction === 'function') reaction(response);
		else if (reaction === 'drop') message.socket.destroy();
		else if (reaction !== 'hang') await deliver(response, reaction);
	}
}

/** Sends an answer; the rest of one that drips is left out when the connection ends. */
async function deliver(
	response: ServerResponse,
	{ status = 200, headers = {}, body, drip }: ScriptedAnswer,
): Promise<void> {
	const payload = typeof body === 'string' ? body : JSON.stringify(body ?? null);
	const length = String(Buffer.byteLength(payload));
	response.writeHead(status, {
		'content-type': 'application/json',
		'content-length': length,
		...headers,
	});
	if (drip === undefined) {
		response.end(payload);
		return;
	}
	for (const character of payload) {
		if (response.destroyed) return;
		response.write(character);
		await wait(drip);
	}
	response.end();
}

/** A service that answers what a test scripts, anew for each test, and the nodes pointed at it. */
export function useScriptedService() {
	let service: ScriptedService | undefined;

	beforeEach(async () => {
		service = new ScriptedService();
		await service.start();
	});
	afterEach(async () => {
		await service?.stop();
		service = undefined;
	});

	const current = (): ScriptedService => {
		if (!service) throw new Error('the scripted service is not running');
		return service;
	};

	const runOn =
		(node: NodeRun['node']) =>
		async (operation: string, run: Run = {}): Promise<NodeResult> =>
			await runNode({
				...run,
				node,
				parameters: { operation, ...run.parameters },
				credential: { baseUrl: current().url, apiKey, ...run.credential },
			});

	return { current, link: runOn('link'), pixel: runOn('pixel') };
}
