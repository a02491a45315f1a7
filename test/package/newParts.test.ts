import { spawnSync } from 'node:child_process';
import {
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOutputSchema } from 'n8n-core';
import { pixelContract } from '../../nodes/Pixel/pixel.contract';
import { startService, type RunningService } from '../../testkit/service/index.ts';
import { askNode, loadPackage, runNode } from '../support/n8n.ts';
import { projectRoot } from '../support/process.ts';
import { apiKey, byId, jsonOf, pairsOf } from '../support/service.ts';

/**
 * A copy of this package with one more operation (a file, a row of the table with its export, and its texts), and with one
 * more resource: the folder of pixels was copied, and spaces were made of them.
 */
const packageRoot = mkdtempSync(join(tmpdir(), 'package-copy-'));
const nodeDir = join(packageRoot, 'dist', 'nodes', 'Space');

const operation = `
import { apiRequest } from '../contract/operations';
import { resolveId } from './find';
import { keyFor, requestResource } from './resource';
import type { OperationCode } from './types';

export const pause: OperationCode = () => ({
	execute: async (requests, row) => {
		const id = await resolveId(requests, row);
		await requests.locks.acquireLast(keyFor(row.contract, 'id', id));
		const request = apiRequest(row.contract, 'update', [['disabled', '1']], id);
		return { resources: [await requestResource(requests, request)], outcome: 'disabled' };
	},
});
`;

/** The texts that are inserted into files of the copy: the file, the only occurrence of a text before, and the text. */
const insertions: [file: string, before: string, text: string][] = [
	[
		'nodes/shared/contract/operations.ts',
		'const table = {',
		`pause: { endpoints: ['update'], addressedBy: 'id', places: {} },`,
	],
	[
		'nodes/shared/operations/handlers.ts',
		`import { deleteEach } from './delete';`,
		`import { pause } from './pause';`,
	],
	['nodes/shared/operations/handlers.ts', '	create,', 'pause,'],
	[
		'nodes/Link/link.contract.ts',
		"operationEntries('link', {",
		`pause: { description: 'Pause a link', useWhen: 'Use this never.' },`,
	],
	// Two versions, so that the build has to write the output's schemas for both.
	['nodes/Space/Space.node.ts', 'version: ', '[1, 1.1], // '],
	['package.json', '"nodes": [', '"dist/nodes/Space/Space.node.js",'],
];

const renamed = (text: string) => text.replaceAll('Pixel', 'Space').replaceAll('pixel', 'space');

/** Copies the source of this package, changes it, and builds it. */
async function makeCopy(): Promise<void> {
	const folders = ['tsconfig.json', 'gulpfile.js', 'index.ts', 'nodes', 'credentials'];
	for (const name of ['package.json', ...folders])
		await cp(join(projectRoot, name), join(packageRoot, name), { recursive: true });
	symlinkSync(join(projectRoot, 'node_modules'), join(packageRoot, 'node_modules'));
	const [pixels, spaces] = ['Pixel', 'Space'].map((name) => join(packageRoot, 'nodes', name));
	await mkdir(spaces ?? '');
	for (const name of readdirSync(pixels ?? '')) {
		const text = readFileSync(join(pixels ?? '', name), 'utf8');
		writeFileSync(join(spaces ?? '', renamed(name)), renamed(text));
	}
	writeFileSync(join(packageRoot, 'nodes/shared/operations/pause.ts'), operation);
	for (const [name, before, text] of insertions) {
		const file = join(packageRoot, name);
		const parts = readFileSync(file, 'utf8').split(before);
		if (parts.length !== 2) throw new Error(`${name} has ${parts.length - 1} times ${before}`);
		writeFileSync(file, parts.join(`${before}${text}`));
	}
	const options = { cwd: packageRoot, encoding: 'utf8' } as const;
	const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], options);
	if (status !== 0) throw new Error(`The copy cannot be built:\n${stdout}${stderr}`);
}

let service: RunningService;

const credential = () => ({ baseUrl: service.url, apiKey });

const run = async (node: string, parameters: object, settings: object = {}) =>
	await runNode({
		...{ packageRoot, node, parameters: parameters as never, settings },
		credential: credential(),
	});

beforeAll(async () => {
	await makeCopy();
	service = await startService({ strict: true, apiKeys: [apiKey] });
}, 180_000);
afterAll(async () => {
	await service.stop();
	rmSync(packageRoot, { recursive: true });
});

describe('a new operation', () => {
	it('is offered, with the parameter that identifies a link', async () => {
		const { properties } = (await loadPackage(packageRoot)).getNode('link').description;
		const shown = properties.filter(({ displayOptions }) =>
			displayOptions?.show?.operation?.includes('pause'),
		);
		expect(shown.map(({ name }) => name)).toEqual(
			expect.arrayContaining(['linkId', 'toolDescription', 'output']),
		);
		expect(properties.find(({ name }) => name === 'operation')?.options).toContainEqual(
			expect.objectContaining({ name: 'Pause', value: 'pause' }),
		);
	});

	it('executes a row', async () => {
		const url = 'https://example.com/';
		const [link] = jsonOf(await run('link', { operation: 'create', url, domainId: byId(1) }));
		const result = await run('link', { operation: 'pause', linkId: byId(Number(link?.id)) });
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)).toMatchObject([{ id: link?.id, status: 'disabled' }]);
	});
});

describe('a new resource', () => {
	/** The spaces of the service, the newest first as it lists them; more than one page of them. */
	const spaces = Array.from({ length: 130 }, (_, index) => ({
		...{ id: 130 - index, name: `Space ${130 - index}`, type: 'facebook', value: `${index}` },
		created_at: '2026-01-02T03:04:05.000000Z',
		updated_at: '2026-02-03T04:05:06.000000Z',
	}));
	let queries: Record<string, string>[] = [];

	beforeAll(() => {
		service.hooks = {
			answer: ({ path, query }) => {
				if (path !== '/spaces') return undefined;
				queries.push(query);
				const [size, page] = [Number(query.per_page), Number(query.page ?? 1)];
				const data = spaces.slice((page - 1) * size, page * size);
				const last_page = Math.ceil(spaces.length / size);
				return { body: { data, meta: { current_page: page, last_page, total: spaces.length } } };
			},
		};
	});
	beforeEach(() => {
		queries = [];
	});

	it('is loaded by n8n, with its names, its icons and its codex', async () => {
		const { description } = (await loadPackage(packageRoot)).getNode('space');
		expect(description).toMatchObject({
			displayName: 'Space',
			version: [1, 1.1],
			iconUrl: {
				light: expect.stringMatching(/nodes\/Space\/space\.svg$/),
				dark: expect.stringMatching(/nodes\/Space\/space\.dark\.svg$/),
			},
			codex: { alias: expect.arrayContaining(['tracking space']) },
		});
		expect(JSON.stringify(description).match(/.{0,60}pixel.{0,60}/i)).toBeNull();
	});

	it.each([1, 1.1])('lists all its pages, in version %d', async (typeVersion) => {
		const result = await run('space', { operation: 'getAll', returnAll: true }, { typeVersion });
		expect(result.error).toBeUndefined();
		expect(queries).toEqual([
			{ per_page: '100', page: '1' },
			{ per_page: '100', page: '2' },
		]);
		expect(jsonOf(result)).toEqual(
			spaces.map(({ created_at: createdAt, updated_at: updatedAt, ...space }) => ({
				...{ ...space, createdAt, updatedAt },
			})),
		);
		expect(pairsOf(result)).toEqual(spaces.map(() => ({ item: 0 })));
	});

	it('is offered for choosing', async () => {
		const search = await askNode(
			{ packageRoot, node: 'space', credential: credential() },
			async ({ methods }, context) => await methods?.listSearch?.searchSpaces?.call(context, 'Spa'),
		);
		expect(search?.results[0]).toMatchObject({
			...{ name: 'Space 130 – Meta Space (Facebook)', value: 130 },
		});
		expect(queries).toMatchObject([{ search: 'Spa', search_by: 'name' }]);
	});

	it('has the schema files of its operations, for each of its versions', () => {
		const files = readdirSync(join(nodeDir, '__schema__'), { recursive: true, encoding: 'utf8' });
		const operations = pixelContract.operations.map(({ value }) => value).toSorted();
		expect(files.filter((name) => name.endsWith('.json')).toSorted()).toEqual(
			['v1.0.0', 'v1.1.0'].flatMap((version) =>
				operations.map((name) => join(version, 'space', `${name}.json`)),
			),
		);
		const schema = loadOutputSchema({
			...{ nodeDir, version: 1.1, resource: 'space', operation: 'upsert' },
		});
		const names = ['id', 'name', 'type', 'value', 'createdAt', 'updatedAt', 'outcome'];
		expect(Object.keys(Object(schema?.properties)).sort()).toEqual(names.sort());
	});
});
