// The limit of the machine: a bare undici pool sends the same requests as the contestants. It knows the throttle beforehand
// and repeats at once what failed. It takes a `PoolJob` and prints a `PoolResult`.
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { aliasOf, indexesOf, oldUrlOf, urlOf } from './account.ts';
import type { PoolJob, PoolResult } from './pool.ts';
import type { Link } from './results.ts';
import { apiKey } from './service.ts';

const job = JSON.parse(process.argv[2] ?? '') as PoolJob;
const pool = new Pool(job.service, { connections: job.concurrency });
/** The links that were written or, with their IDs, read. */
const links: (Link & { id?: number })[] = [];

const headers = {
	accept: 'application/json',
	authorization: `Bearer ${apiKey}`,
	'content-type': 'application/x-www-form-urlencoded',
};

/** The window of the throttle. All its requests leave at once, and then none until it is over. */
const window: { used: number; openedAt?: number; over?: Promise<void> } = { used: 0 };

/** Resolves when a request may leave. */
async function turn(): Promise<void> {
	while (job.throttle && window.used >= job.throttle.limit) {
		await (window.over ??= nextWindow(job.throttle.windowSeconds * 1000));
	}
	window.used += 1;
}

async function nextWindow(milliseconds: number): Promise<void> {
	const present = Date.now();
	await wait((window.openedAt ?? present) + milliseconds - present);
	Object.assign(window, { used: 0, openedAt: undefined, over: undefined });
}

/** Sends a request. Returns undefined if the connection breaks. */
async function exchange(method: 'GET' | 'POST' | 'PUT', path: string, form?: string) {
	await turn();
	try {
		const answer = await pool.request({ method, path, headers, body: form });
		const text = await answer.body.text();
		// The service had surely opened the window before the first response that has its headers.
		if ('x-ratelimit-limit' in answer.headers) window.openedAt ??= Date.now();
		if (answer.statusCode === 429) await wait(Number(answer.headers['retry-after']) * 1000);
		return { status: answer.statusCode, text };
	} catch {
		// A dropped connection: the caller repeats.
		return undefined;
	}
}

/** Creates a row's link. After a broken try, "taken" says that the try was carried out. */
async function create(index: number): Promise<void> {
	const own = { alias: aliasOf(index), url: job.isOld ? oldUrlOf(index) : urlOf(index) };
	const form = new URLSearchParams({ ...own, domain_id: '1' }).toString();
	for (;;) {
		const answer = await exchange('POST', '/api/v1/links', form);
		if (answer?.status === 422) links.push(own);
		if (answer?.status === 201) links.push((JSON.parse(answer.text) as { data: Link }).data);
		if (answer?.status === 422 || answer?.status === 201) return;
	}
}

/** Reads one page of the list and returns how many there are. */
async function readPage(page: number): Promise<number> {
	for (;;) {
		const answer = await exchange('GET', `/api/v1/links?per_page=100&page=${page}`);
		if (answer?.status !== 200) continue;
		const { data, meta } = JSON.parse(answer.text) as {
			data: Link[];
			meta: { last_page: number };
		};
		links.push(...data);
		return meta.last_page;
	}
}

const readAll = async () => await all(2, await readPage(1), readPage);

/** Makes the links of the list point to where their rows say. */
async function resync(): Promise<void> {
	await readAll();
	const stored = new Map(links.map((link) => [link.alias, link]));
	const outdated = indexesOf(job).filter(
		(index) => stored.get(aliasOf(index))?.url !== urlOf(index),
	);
	await all(0, outdated.length - 1, async (at) => {
		const index = outdated[at] ?? NaN;
		const form = new URLSearchParams({ url: urlOf(index) }).toString();
		const path = `/api/v1/links/${stored.get(aliasOf(index))?.id}`;
		while ((await exchange('PUT', path, form))?.status !== 200);
	});
}

/** Calls a function for the numbers from `first` to `last`, concurrently on all connections. */
async function all(first: number, last: number, work: (index: number) => Promise<unknown>) {
	let next = first;
	const worker = async () => {
		while (next <= last) await work(next++);
	};
	await Promise.all(Array.from({ length: job.concurrency }, worker));
}

const startedAt = performance.now();
const baseRssMb = process.memoryUsage.rss() / 1e6;
const cpuBefore = process.cpuUsage();
if (job.operation === 'create') await all(job.first, job.first + job.rows - 1, create);
else if (job.operation === 'list') await readAll();
else await resync();
const cpu = process.cpuUsage(cpuBefore);
const result: PoolResult = {
	seconds: (performance.now() - startedAt) / 1000,
	cpuSeconds: (cpu.user + cpu.system) / 1e6,
	baseRssMb,
	peakRssMb: (process.resourceUsage().maxRSS * 1024) / 1e6,
	links: links.map(({ alias, url }) => ({ alias, url })),
};
process.stdout.write(JSON.stringify(result));
await pool.close();
