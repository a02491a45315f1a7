import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Settings } from '../testkit/service/index.ts';
import { createLinks, storedLinks } from '../testkit/service/storedLinks.ts';
import type { Link } from './results.ts';

export const projectRoot = join(import.meta.dirname, '..');
export const apiKey = 'bench-key-0123456789';

/** How the service is to behave. */
export type Behavior = Pick<Partial<Settings>, 'throttle' | 'faults'>;

/** What the process of the service does. */
export interface Command {
	/** Deletes all links. */
	clears?: boolean;
	/** Empties the journal. */
	forgets?: boolean;
	/** Changes these settings. */
	settings?: Partial<Settings>;
}

/** What the process of the service answers to a command. */
export interface State {
	/** Without a slash at its end. */
	url: string;
	/** Number of API requests in the journal. */
	requests: number;
	/** Number of those that were answered with 429. */
	refused: number;
}

const unlimited: Behavior = { throttle: null, faults: [] };

/** The reference service in a separate process, so that measurements of n8n do not include it. */
export class ServiceProcess {
	readonly url: string;
	private readonly child: ChildProcess;

	private constructor(url: string, child: ChildProcess) {
		this.url = url;
		this.child = child;
	}

	/** Starts it on any free port. */
	static async start(): Promise<ServiceProcess> {
		const child = fork(join(import.meta.dirname, 'serviceProcess.ts'));
		const { url } = await command(child, {});
		return new ServiceProcess(url, child);
	}

	async stop(): Promise<void> {
		const ended = once(this.child, 'exit');
		this.child.disconnect();
		await ended;
	}

	/** Makes it behave so, with an empty journal and new throttle windows; without links unless they are to stay. */
	async prepare(behavior: Behavior, links: 'cleared' | 'kept'): Promise<void> {
		const settings = { ...unlimited, ...behavior };
		await command(this.child, { clears: links === 'cleared', forgets: true, settings });
	}

	/** Returns the number of API requests since `prepare`, and how many of them were answered with 429. */
	async traffic(): Promise<State> {
		return await command(this.child, {});
	}

	/** Creates a number of links in an empty account, and returns their IDs. */
	async fill(count: number, urlOf: (index: number) => string): Promise<number[]> {
		await this.prepare({}, 'cleared');
		return await createLinks({ url: this.url, apiKey }, count, urlOf);
	}

	/** Turns off the throttle and faults, and returns all links, read from the API. */
	async links(): Promise<Link[]> {
		await command(this.child, { settings: unlimited });
		const links = await storedLinks({ url: this.url, apiKey });
		return links.map(({ alias, url }) => ({ alias, url }));
	}
}

/** Sends a command, and returns the answer to it. Rejects if the process ends. */
async function command(child: ChildProcess, content: Command): Promise<State> {
	const ended = new AbortController();
	const end = () => ended.abort();
	child.once('exit', end);
	child.send(content);
	const answer = once(child, 'message', { signal: ended.signal });
	const [state] = (await answer.finally(() => child.off('exit', end))) as [State];
	return state;
}
