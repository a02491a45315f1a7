import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify from 'fastify';
import { loadOutputSchema } from 'n8n-core';
import { wrap } from '../../testkit/service/envelope.ts';
import { pixelContract } from '../../nodes/Pixel/pixel.contract';
import { askNode, loadPackage, runNode } from '../support/n8n.ts';
import { buildCopy, copyPackage, newCopy } from '../support/packageCopy.ts';
import { misfits, type JsonSchema } from '../support/schema.ts';
import { jsonOf, pairsOf } from '../support/service.ts';

/** A copy of this package in which the folder of pixels was copied, and spaces were made of them: nothing else. */
const packageRoot = newCopy();
const nodeDir = join(packageRoot, 'dist', 'nodes', 'Space');

const renamed = (text: string) => text.replaceAll('Pixel', 'Space').replaceAll('pixel', 'space');

/** Changes a file of the copy by a function of its text, which must change something. */
async function edit(file: string, change: (text: string) => string): Promise<void> {
	const before = await readFile(file, 'utf8');
	const after = change(before);
	if (after === before) throw new Error(`${file} holds nothing to change`);
	await writeFile(file, after);
}

async function addSpaces(): Promise<void> {
	const pixels = join(packageRoot, 'nodes', 'Pixel');
	const folder = join(packageRoot, 'nodes', 'Space');
	await mkdir(folder);
	for (const name of await readdir(pixels)) {
		const text = await readFile(join(pixels, name), 'utf8');
		await writeFile(join(folder, renamed(name)), renamed(text));
	}
	// Two versions, so that the build has to write the output's schemas for both.
	await edit(join(folder, 'Space.node.ts'), (text) =>
		text.replace('version: 1,', 'version: [1, 1.1],'),
	);
	await edit(join(packageRoot, 'package.json'), (text) => {
		const manifest = JSON.parse(text);
		manifest.n8n.nodes.push('dist/nodes/Space/Space.node.js');
		return JSON.stringify(manifest);
	});
}

/** The spaces of the service, the newest first as it lists them; more than one page of them. */
const spaces = Array.from({ length: 130 }, (_, index) => ({
	id: 130 - index,
	name: `Space ${130 - index}`,
	type: 'facebook',
	value: `value-${130 - index}`,
	created_at: '2026-01-02T03:04:05.000000Z',
	updated_at: '2026-02-03T04:05:06.000000Z',
}));

const apiKey = 'space-key-0123456789';
const requests: object[] = [];
const service = Fastify();

/** A credential for that service, once it listens. */
const credential = () => {
	const { port } = service.server.address() as AddressInfo;
	return { baseUrl: `http://127.0.0.1:${port}`, apiKey };
};

service.get<{ Querystring: Record<string, string> }>('/api/v1/spaces', ({ headers, query }) => {
	requests.push({ authorization: headers.authorization, query: { ...query } });
	const [size, number] = [Number(query.per_page), Number(query.page)];
	const rows = spaces.slice((number - 1) * size, number * size);
	const path = `${credential().baseUrl}/api/v1/spaces`;
	return wrap({ rows, total: spaces.length, number, size, path }, 'collection');
});

beforeAll(async () => {
	await copyPackage(packageRoot);
	await addSpaces();
	buildCopy(packageRoot);
	await service.listen({ host: '127.0.0.1', port: 0 });
}, 180_000);
beforeEach(() => {
	requests.length = 0;
});
afterAll(async () => {
	service.server.closeAllConnections();
	await service.close();
	await rm(packageRoot, { recursive: true, force: true });
});

it('is loaded by n8n, with its names, its icons and its codex', async () => {
	const loader = await loadPackage(packageRoot);
	const { description } = loader.getNode('space');
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

it.each([1, 1.1])('lists all spaces over several pages, in version %d', async (typeVersion) => {
	const result = await runNode({
		packageRoot,
		node: 'space',
		parameters: { operation: 'getAll', returnAll: true },
		settings: { typeVersion },
		credential: credential(),
	});
	expect(result.error).toBeUndefined();
	const authorization = `Bearer ${apiKey}`;
	expect(requests).toEqual([
		{ authorization, query: { per_page: '100', page: '1' } },
		{ authorization, query: { per_page: '100', page: '2' } },
	]);
	expect(jsonOf(result)).toEqual(
		spaces.map(({ created_at: createdAt, updated_at: updatedAt, ...space }) => ({
			...space,
			createdAt,
			updatedAt,
		})),
	);
	expect(pairsOf(result)).toEqual(spaces.map(() => ({ item: 0 })));
	const schema = loadOutputSchema({
		nodeDir,
		version: typeVersion,
		resource: 'space',
		operation: 'getAll',
	});
	expect(misfits(jsonOf(result)[0], schema as unknown as JsonSchema)).toEqual([]);
});

it('offers spaces for choosing', async () => {
	const search = await askNode(
		{ packageRoot, node: 'space', credential: credential() },
		async ({ methods }, context) => await methods?.listSearch?.searchSpaces?.call(context, 'Spa'),
	);
	expect(search?.results[0]).toMatchObject({
		name: 'Space 130 – Meta Space (Facebook)',
		value: 130,
	});
	expect(requests).toMatchObject([{ query: { search: 'Spa', search_by: 'name' } }]);
});

it('has the schema files of its operations, for each of its versions', async () => {
	const written = await readdir(join(nodeDir, '__schema__'), { recursive: true });
	const operations = pixelContract.operations.map(({ value }) => value).toSorted();
	expect(written.filter((name) => name.endsWith('.json')).toSorted()).toEqual(
		['v1.0.0', 'v1.1.0'].flatMap((version) =>
			operations.map((operation) => join(version, 'space', `${operation}.json`)),
		),
	);
	for (const version of [1, 1.1]) {
		const schema = loadOutputSchema({ nodeDir, version, resource: 'space', operation: 'upsert' });
		const names = ['id', 'name', 'type', 'value', 'createdAt', 'updatedAt', 'outcome'];
		expect(Object.keys(Object(schema?.properties)).sort()).toEqual(names.sort());
	}
});
