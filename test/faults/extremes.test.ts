import { execFileSync } from 'node:child_process';
import {
	cpSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { linkAs, oneOf, pageOf, useScriptedService } from '../support/scriptedService.ts';
import { byId, useService } from '../support/service.ts';

const { current, link, load, search } = useService();
const scripted = useScriptedService();
const root = join(__dirname, '..', '..');

describe('5,000 bad rows make an error of a few kilobytes', () => {
	/** Bytes of the error as n8n stores it, without the node, which has its own size. */
	const sizeOf = ({ error }: Awaited<ReturnType<typeof link>>) =>
		Buffer.byteLength(JSON.stringify({ ...error, stack: error?.stack, node: undefined }));

	it.each([
		[
			'a misspelt address',
			'htp//example.com/page',
			/^Row 1: [^]*\nRow 2: [^]*\n… and 4990 more rows\.\n/,
		],
		// Shortened, they are all the same.
		[
			'a long text',
			'x'.repeat(5000),
			/^Destination URL "x+…" is not an absolute URL in rows 1–5000; start it/,
		],
	])('with %s in each', async (_, url, described) => {
		const items = Array.from({ length: 5000 }, (_, row) => ({ url: `${url} ${row}\n` }));
		const parameters = { url: '={{ $json.url }}', domainId: byId(1) };
		const result = await link('create', { items, parameters });
		expect(result.error?.message).toBe('5000 of 5000 rows cannot be sent');
		expect(result.error?.description).toMatch(described);
		expect(sizeOf(result)).toBeLessThan(10_000);
		expect(current().requests).toEqual([]);
	});
});

describe("a picker's error", () => {
	/** What the editor has of the error that a list fails with. */
	const errorOf = async (asking: Promise<unknown>) => {
		const [asked] = await Promise.allSettled([asking]);
		if (asked.status === 'fulfilled') throw new Error('the list did not fail');
		return asked.reason as { message: string; description?: string };
	};
	/** Hyphens and dashes that no host can have. */
	const lookAlikes = /[\u00AD\u2010-\u2015\u2212]/;

	it.each([
		['refused', 'http://not-a-host.localhost:9'],
		['not found', 'http://not-a-host.invalid'],
	])('has the host in a text that can be copied: %s', async (_, baseUrl) => {
		const { host } = new URL(baseUrl);
		const credential = { baseUrl };
		const searched = await errorOf(search('link', 'searchLinks', '', undefined, credential));
		expect(searched.description).toContain(host);
		// The editor drops hyphens from this message, so that no host may stand there.
		expect(searched.message).not.toMatch(/not.?a.?host/);
		const loaded = await errorOf(load('link', 'getPixels', credential));
		for (const error of [searched, loaded])
			expect(`${error.message} ${error.description}`).not.toMatch(lookAlikes);
		expect(loaded.message).toContain(host);
	});
});

describe('a short URL of 300,000 slashes is read within the time of a test', () => {
	const slashes = '/'.repeat(300_000);
	const linkId = { __rl: true, mode: 'url', value: '={{ $json.name }}' };
	/** Jest notices that the time of a test is over when the test waits for something. */
	const meetTimeout = async () => await wait(1);

	it.each([
		['and nothing behind them', `https://short.example${slashes}`],
		['and a blank behind them', `short.example${slashes} `],
		['and two words behind them', `https://short.example${slashes}one two`],
	])('from a cell, %s', async (_, name) => {
		const result = await link('get', { items: [{ name }], parameters: { linkId } });
		await meetTimeout();
		expect(result.error?.message).toMatch(/^Row 1: Link ".*" is not a short URL/);
		expect(current().requests).toEqual([]);
	});

	it('from the service', async () => {
		const one = linkAs({ short_url: `https://short.example${slashes}` });
		scripted.current().follow(({ path }) => (path === '/links' ? pageOf([one]) : oneOf(one)));
		const items = [{ name: 'short.example/two' }];
		const result = await scripted.link('get', { items, parameters: { linkId } });
		await meetTimeout();
		expect(result.error?.message).toBe('Row 1: No link has the short URL short.example/two');
	});
});

describe('Generate Alias', () => {
	it.each([1e21, 1e9, 256, 3, 'Infinity', '={{ 1e21 }}'])(
		'refuses %j in words',
		async (generateAlias) => {
			const result = await link('create', {
				parameters: {
					url: 'https://example.com/',
					domainId: byId(1),
					options: { generateAlias },
				},
			});
			expect(result.error?.message).toMatch(/^Generate Alias .* is not a number from 4 to 255$/);
			expect(current().requests).toEqual([]);
		},
	);
});

describe('the output schemas', () => {
	it('have a folder for each version of a node', () => {
		const copy = mkdtempSync(join(tmpdir(), 'versions-'));
		for (const name of ['dist', 'gulpfile.js', 'package.json'])
			cpSync(join(root, name), join(copy, name), { recursive: true });
		symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
		const file = join(copy, 'dist', 'nodes', 'Link', 'Link.node.js');
		const code = readFileSync(file, 'utf8');
		expect(code).toContain('version: 1,');
		writeFileSync(file, code.replace('version: 1,', 'version: [1, 1.1, 2],'));
		execFileSync(process.execPath, [join('node_modules', '.bin', 'gulp'), 'schemas'], {
			cwd: copy,
		});
		const schemas = join(copy, 'dist', 'nodes', 'Link', '__schema__');
		expect(readdirSync(schemas).toSorted()).toEqual(['v1.0.0', 'v1.1.0', 'v2.0.0']);
		for (const version of readdirSync(schemas)) {
			const operations = readdirSync(join(schemas, version, 'link')).toSorted();
			expect(operations).toEqual(
				['create', 'delete', 'get', 'getAll', 'sync', 'update', 'upsert'].map(
					(name) => `${name}.json`,
				),
			);
		}
	});

	it('belong to a version that is raised by a rule', () => {
		const architecture = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
		expect(architecture).toMatch(/version` is raised when/);
	});
});
