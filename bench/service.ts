import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { request, type Dispatcher } from 'undici';
import { controlHeader } from '../testkit/service/control.ts';
import type { RecordedRequest, Settings } from '../testkit/service/index.ts';
import { createLinks, storedLinks } from '../testkit/service/storedLinks.ts';
import type { Link } from './results.ts';

export const projectRoot = join(import.meta.dirname, '..');
export const apiKey = 'bench-key-0123456789';

/** How the service is to behave; faults and throttle as the control route takes them. */
export type Behavior = Pick<Partial<Settings>, 'throttle' | 'faults'>;

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
		const program = join(projectRoot, 'testkit', 'service', 'main.ts');
		const child = spawn(process.execPath, [program, '--port', '0', '--key', apiKey], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		for await (const line of createInterface(child.stdout)) {
			const [, url] = /^Reference service at (\S+)$/.exec(line) ?? [];
			if (url) return new ServiceProcess(url, child);
		}
		throw new Error('The reference service ended before it was ready.');
	}

	async stop(): Promise<void> {
		const ended = once(this.child, 'exit');
		this.child.kill('SIGTERM');
		await ended;
	}

	/** Makes it behave so, with an empty journal and new throttle windows; without links unless they are to stay. */
	async prepare(behavior: Behavior, links: 'cleared' | 'kept'): Promise<void> {
		if (links === 'cleared') await this.control('POST', 'clear');
		await this.control('DELETE', 'requests');
		await this.control('PUT', 'settings', { throttle: null, faults: [], ...behavior });
	}

	/** The API requests since `prepare`, and how many of them were answered with 429. */
	async traffic(): Promise<{ requests: number; refused: number }> {
		const requests = (await this.control('GET', 'requests')) as RecordedRequest[];
		const refused = requests.filter(({ status }) => status === 429).length;
		return { requests: requests.length, refused };
	}

	/** Creates a number of links in an empty account, and returns their IDs. */
	async fill(count: number, urlOf: (index: number) => string): Promise<number[]> {
		await this.prepare({}, 'cleared');
		return await createLinks({ url: this.url, apiKey }, count, urlOf);
	}

	/** Turns off the throttle and faults, and returns all links, read from the API. */
	async links(): Promise<Link[]> {
		await this.control('PUT', 'settings', { throttle: null, faults: [] });
		const links = await storedLinks({ url: this.url, apiKey });
		return links.map(({ alias, url }) => ({ alias, url }));
	}

	private async control(method: Dispatcher.HttpMethod, path: string, settings?: unknown) {
		const { statusCode, body } = await request(`${this.url}/__control/${path}`, {
			method,
			headers: { ...controlHeader, ...(settings ? { 'content-type': 'application/json' } : {}) },
			body: settings ? JSON.stringify(settings) : undefined,
		});
		const text = await body.text();
		if (statusCode > 299) throw new Error(`The service answered ${statusCode} to ${path}: ${text}`);
		return text === '' ? undefined : (JSON.parse(text) as unknown);
	}
}
