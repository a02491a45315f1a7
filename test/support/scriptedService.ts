import { sleep as wait, type IDataObject } from 'n8n-workflow';
import { startService, type RunningService } from '../../testkit/service/index.ts';
import type { HookedAnswer, HookedRequest, Reaction } from '../../testkit/service/hooks.ts';
import { formParameters } from './formParameters.ts';
import { runNode, type NodeResult, type NodeRun } from './n8n.ts';
import { apiKey, type Run } from './service.ts';
import { useVirtualTime } from './virtualTime.ts';

export type ScriptedRequest = HookedRequest;
export type ScriptedAnswer = HookedAnswer;
export type { Reaction };

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

/** One page of a list in the family's own envelope, of so many pages as are told. */
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

/** A reference service whose answers come from a script. It records the requests. */
class ScriptedService {
	/** In order of arrival. */
	readonly requests: ScriptedRequest[] = [];

	/** Max number of requests that waited for the script at the same time. */
	mostUnderWay = 0;

	/** Max number of open requests when one arrived. */
	mostOpen = 0;

	private underWay = 0;

	private readonly waiting: { count: number; resolve: () => void }[] = [];

	private script: Script = () => ({ status: 500, body: { message: 'There is no script' } });

	private readonly service: RunningService;

	private constructor(service: RunningService) {
		this.service = service;
		service.hooks = { answer: async (request) => await this.answer(request) };
	}

	static async start(): Promise<ScriptedService> {
		return new ScriptedService(await startService());
	}

	get url(): string {
		return this.service.url;
	}

	/** Number of requests that have neither been answered in full nor lost their connection. */
	get open(): number {
		return this.service.openRequests();
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

	/** Resolves when this number of requests has arrived, so that a script can hold back an answer until then. */
	async arrivalOf(count: number): Promise<void> {
		if (this.requests.length >= count) return;
		await new Promise<void>((resolve) => this.waiting.push({ count, resolve }));
	}

	async stop(): Promise<void> {
		await this.service.stop();
	}

	private async answer(request: ScriptedRequest): Promise<Reaction> {
		this.mostOpen = Math.max(this.mostOpen, this.open);
		const earlier = this.requests.push(request) - 1;
		for (const { count, resolve } of this.waiting) if (count <= this.requests.length) resolve();
		this.underWay += 1;
		this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
		return await Promise.resolve(this.script(request, earlier)).finally(() => (this.underWay -= 1));
	}
}

/** A service that answers what a test scripts, anew for each test, and the nodes pointed at it. */
export function useScriptedService() {
	let service: ScriptedService | undefined;

	useVirtualTime();
	beforeEach(async () => {
		service = await ScriptedService.start();
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
				parameters: { operation, ...formParameters(run.parameters) },
				credential: { baseUrl: current().url, apiKey, ...run.credential },
			});

	return { current, link: runOn('link'), pixel: runOn('pixel') };
}
