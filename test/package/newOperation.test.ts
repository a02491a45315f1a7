import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startService, type RunningService } from '../../testkit/service/index.ts';
import { loadPackage, runNode } from '../support/n8n.ts';
import { buildCopy, copyPackage, newCopy } from '../support/packageCopy.ts';
import { jsonOf } from '../support/service.ts';

/** A copy of this package with one more operation: a file, a row of the table with its export, and its texts. */
const packageRoot = newCopy();

const code = `
import { apiRequest } from '../contract/endpoints';
import { resolveId } from './find';
import { requestResource } from './resource';
import type { OperationCode } from './types';

export const pause: OperationCode = () => ({
	execute: async (requests, row) => {
		const id = await resolveId(requests, row);
		await requests.locks.acquireLast(\`\${row.contract.path}/\${id}\`);
		const request = apiRequest(row.contract, 'update', [['disabled', '1']], id);
		return { resources: [await requestResource(requests, request)], outcome: 'disabled' };
	},
});
`;

const texts = `pause: { description: 'Pause a link', useWhen: 'Use this never.' },`;

/** Inserts a text after the only occurrence of another one in a file of the copy. */
async function insertAfter(path: string, anchor: string, text: string): Promise<void> {
	const file = join(packageRoot, path);
	const parts = (await readFile(file, 'utf8')).split(anchor);
	if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times ${anchor}`);
	await writeFile(file, parts.join(`${anchor}${text}`));
}

const apiKey = 'operation-key-0123456789';
let service: RunningService;

beforeAll(async () => {
	await copyPackage(packageRoot);
	await writeFile(join(packageRoot, 'nodes/shared/operations/pause.ts'), code);
	await insertAfter(
		'nodes/shared/contract/operations.ts',
		'const table = {',
		`pause: { endpoints: ['update'], addressedBy: 'id', places: {} },`,
	);
	const handlers = 'nodes/shared/operations/handlers.ts';
	await insertAfter(
		handlers,
		`import { create } from './create';`,
		`import { pause } from './pause';`,
	);
	await insertAfter(handlers, '	create,', 'pause,');
	await insertAfter('nodes/Link/link.contract.ts', "operationEntries('link', {", texts);
	buildCopy(packageRoot);
	service = await startService({ strict: true, apiKeys: [apiKey] });
}, 180_000);
afterAll(async () => {
	await service.stop();
	await rm(packageRoot, { recursive: true, force: true });
});

it('offers the operation, with the parameter that identifies a link', async () => {
	const { description } = (await loadPackage(packageRoot)).getNode('link');
	const properties = description.properties.filter(({ displayOptions }) =>
		displayOptions?.show?.operation?.includes('pause'),
	);
	expect(properties.map(({ name }) => name)).toEqual(
		expect.arrayContaining(['linkId', 'toolDescription', 'output']),
	);
	expect(description.properties.find(({ name }) => name === 'operation')?.options).toContainEqual(
		expect.objectContaining({ name: 'Pause', value: 'pause' }),
	);
});

it('executes a row of it', async () => {
	const credential = { baseUrl: service.url, apiKey };
	const run = async (operation: string, parameters: object) =>
		await runNode({
			packageRoot,
			node: 'link',
			parameters: { operation, ...parameters } as never,
			credential,
		});
	const [link] = jsonOf(
		await run('create', {
			url: 'https://example.com/',
			domainId: { __rl: true, mode: 'id', value: 1 },
		}),
	);
	const result = await run('pause', { linkId: { __rl: true, mode: 'id', value: link?.id } });
	expect(result.error).toBeUndefined();
	expect(jsonOf(result)).toMatchObject([{ id: link?.id, status: 'disabled' }]);
});
