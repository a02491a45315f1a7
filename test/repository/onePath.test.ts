import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { byId, useService } from '../support/service.ts';

const { current, link } = useService();

const root = process.cwd();

/** Calls of a function; the getters of exports, which only the compiler of the tests adds, are none. */
interface Calls {
	readonly file: string;
	readonly name: string;
	readonly count: number;
}

/** Counts the calls of named functions of this package while something runs. */
async function callsDuring(run: () => Promise<unknown>): Promise<Calls[]> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	await run();
	const { result } = await session.post('Profiler.takePreciseCoverage');
	session.disconnect();
	return result.flatMap(({ url, functions }) => {
		const file = relative(root, url.replace(pathToFileURL('/').href, '/'));
		if (!file.startsWith('nodes')) return [];
		return functions.flatMap(({ functionName: name, ranges: [range] }) => {
			const count = range?.count ?? 0;
			return name !== '' && !/^get(?: |$)/.test(name) && count > 0 ? [{ file, name, count }] : [];
		});
	});
}

/** The limits: files of this package under `nodes`, and calls of named functions in them. */
const maxFiles = 50;
const maxCalls = 900;

it(`one row of Create or Update from the form runs at most ${maxFiles} files and ${maxCalls} calls of this package`, async () => {
	const stored = { url: 'https://example.com/old', alias: 'spring', domain_id: '1' };
	const parameters = { url: 'https://example.com/new', alias: 'spring', domainId: byId(1) };
	await link('create', { parameters: { ...parameters, url: stored.url } });
	await link('upsert', { parameters });
	await link('upsert', { parameters: { ...parameters, url: stored.url } });
	current().requests.length = 0;
	const calls = await callsDuring(async () => {
		const { error } = await link('upsert', { parameters });
		expect(error).toBeUndefined();
	});
	expect(current().requests.map(({ method }) => method)).toEqual(['GET', 'PUT']);
	const files = new Set(calls.map(({ file }) => file));
	const total = calls.reduce((sum, { count }) => sum + count, 0);
	expect(files.size).toBeLessThanOrEqual(maxFiles);
	expect(total).toBeLessThanOrEqual(maxCalls);
});
