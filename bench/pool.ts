// The limit of the machine: the same requests as the contestants', by a bare undici pool and nothing else. It knows the
// throttle beforehand, never waits without need, and repeats at once what failed. Takes a `Job` and prints a `Done`.
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { aliasOf, urlOf } from './account.ts';
import type { Done, Job } from './job.ts';
import type { Link } from './results.ts';
import { Windows } from './windows.ts';

const job = JSON.parse(process.argv[2] ?? '') as Job;
const pool = new Pool(job.service, { connections: job.concurrency });
const windows = new Windows(job.throttle);
const links: Link[] = [];

const headers = {
	accept: 'application/json',
	authorization: `Bearer ${job.apiKey}`,
	'content-type': 'application/x-www-form-urlencoded',
};

/** One request; undefined where the connection broke. */
async function exchange(method: 'GET' | 'POST', path: string, form?: string) {
	await windows.turn();
	try {
		const answer = await pool.request({ method, path, headers, body: form });
		const text = await answer.body.text();
		windows.answered(answer.headers);
		if (answer.statusCode === 429) await wait(Number(answer.headers['retry-after']) * 1000);
		return { status: answer.statusCode, text };
	} catch {
		// A dropped connection: the caller repeats.
		return undefined;
	}
}

/** Creates a row's link. After a broken try, "taken" says that the try was carried out. */
async function create(index: number): Promise<void> {
	const own = { alias: aliasOf(index), url: urlOf(index) };
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
		const { data, meta } = JSON.parse(answer.text) as { data: Link[]; meta: { last_page: number } };
		links.push(...data);
		return meta.last_page;
	}
}

/** Works off the numbers from `first` to `last`, as many at a time as there are connections. */
async function all(first: number, last: number, work: (index: number) => Promise<unknown>) {
	let next = first;
	const worker = async () => {
		while (next <= last) await work(next++);
	};
	await Promise.all(Array.from({ length: job.concurrency }, worker));
}

const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
if (job.operation === 'create') await all(0, job.rows - 1, create);
else await all(2, await readPage(1), readPage);
const cpu = process.cpuUsage(cpuBefore);
const done: Done = {
	seconds: (performance.now() - startedAt) / 1000,
	cpuSeconds: (cpu.user + cpu.system) / 1e6,
	peakRssMb: (process.resourceUsage().maxRSS * 1024) / 1e6,
	links: links.map(({ alias, url }) => ({ alias, url })),
};
process.stdout.write(JSON.stringify(done));
await pool.close();
