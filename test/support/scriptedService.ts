import { sleep as wait, type IDataObject } from 'n8n-workflow';
import { insert } from '../../testkit/service/database.ts';
import type { Hooks, RunningService } from '../../testkit/service/index.ts';
import type { HookedRequest, Reaction } from '../../testkit/service/hooks.ts';
import type { Columns } from '../../testkit/service/linkFields.ts';
import { storedLinks } from '../../testkit/service/storedLinks.ts';
import type { Script } from './scriptedAnswers.ts';
import { apiKey, runnersOf, useReferenceService, type Run } from './service.ts';

export * from './scriptedAnswers.ts';
export type { Reaction };

/** A reference service that answers what a script does not. It records the requests. */
class ScriptedService {
	/** In order of arrival. */
	readonly requests: HookedRequest[] = [];

	/** Max number of requests that waited for the script at the same time. */
	mostUnderWay = 0;

	/** Max number of open requests when one arrived. */
	mostOpen = 0;

	private underWay = 0;

	private readonly waiting: { count: number; resolve: () => void }[] = [];

	private script: Script = () => ({ status: 500, body: { message: 'There is no script' } });

	readonly service: RunningService;

	readonly url: string;

	constructor(service: RunningService) {
		this.service = service;
		this.url = service.url;
		service.url = 'https://short.example';
		service.hooks = this.hooksWith();
	}

	/** Number of requests that have neither been answered in full nor lost their connection. */
	get open(): number {
		return this.service.openRequests;
	}

	/** Begins a script, and forgets what arrived before. */
	follow(script: Script): void {
		this.script = script;
		this.requests.length = 0;
		this.mostUnderWay = 0;
		this.mostOpen = 0;
	}

	/** Begins with these links, which the reference service keeps. It answers what `answer` does not, as the hooks say. */
	hold(links: readonly Columns[], { answer = () => undefined, ...hooks }: Hooks = {}): void {
		this.follow(answer);
		this.service.clear();
		// IDs begin with 1 again.
		this.service.database.exec('DELETE FROM sqlite_sequence');
		this.service.hooks = this.hooksWith(hooks);
		for (const link of links) this.add(link);
	}

	/** Stores a link without a request. */
	add(link: Columns): void {
		insert(this.service.database, 'links', link);
	}

	/** All links that the reference service keeps, the newest first. */
	get links(): IDataObject[] {
		return storedLinks(this.service).toReversed() as unknown as IDataObject[];
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

	private hooksWith(hooks: Hooks = {}): Hooks {
		return { ...hooks, answer: async (request) => await this.answer(request) };
	}

	private async answer(request: HookedRequest): Promise<Reaction | undefined> {
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
	const reference = useReferenceService();
	let service: ScriptedService | undefined;
	beforeEach(() => {
		service = new ScriptedService(reference());
	});

	const current = (): ScriptedService => {
		if (!service) throw new Error('the scripted service is not running');
		return service;
	};

	const credentialOf = (changes: Run['credential']) => ({
		...{ baseUrl: current().url, apiKey },
		...changes,
	});
	return { current, ...runnersOf(credentialOf) };
}
