import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { request } from 'undici';
import type {
	IDataObject,
	INodeListSearchResult,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { linkContract } from '../../nodes/Link/link.contract';
import { pixelContract } from '../../nodes/Pixel/pixel.contract';
import { outputSchema } from '../../nodes/shared/description/output';
import location from '../../testkit/n8n/location.cjs';
import { linkNodeOf, nodeOf } from '../../testkit/n8n/bulk.ts';
import { apiKey, expectSuccess, pinnedWorkflow, until, type Desk } from '../support/desk.ts';
import { exampleNames, readDemo, readExample, type ExampleNode } from '../support/exampleFiles.ts';
import { useStories } from '../support/stories.ts';
import { triggerWorkflow } from '../support/polling.ts';
import { readPng, readSvg, textIn } from '../support/pictures.ts';
import { projectRoot } from '../support/process.ts';

/** A story of both n8n, and one of the current n8n. */
const [story, current] = [useStories('both'), useStories()];

const ours = 'n8n-nodes-link-management';

const link = (parameters: object) => linkNodeOf('Link', parameters);

const done = nodeOf('Done', 'n8n-nodes-base.noOp', 1, {});

const run = async (desk: Desk, node: ReturnType<typeof nodeOf>, rows: IDataObject[]) =>
	await desk.run(await desk.addWorkflow(pinnedWorkflow(rows, node, done)), 'Rows');

const mapped = { mappingColumnMode: 'autoMapInputData' };

story('runs the workflow of the demo', async (desk) => {
	const sheet = join(projectRoot, 'examples', 'data', 'campaign.csv');
	copyFileSync(sheet, join(desk.files, 'campaign.csv'));
	const id = await desk.import(readDemo(desk.files));
	expectSuccess(await desk.run(id, 'When run by hand'));
	expect(desk.service.counts().links).toBe(249);
	const file = readFileSync(join(desk.files, 'campaign-links.csv'));
	const written: IDataObject[] = parse(file, { columns: true, bom: true });
	expect(written).toHaveLength(249);
	expect(written[4]).toMatchObject({ short_url: `${desk.service.url}/s/${written[4]?.alias}` });
});

story('creates a pixel, and adds it to a link', async (desk) => {
	desk.createLink('one', 'https://example.com/');
	const create = nodeOf('Link', `${ours}.pixel`, 1, {
		...{ resource: 'pixel', operation: 'create', ...mapped },
	});
	const pixel = { name: 'Shoppers', type: 'bing', value: 'shoppers' };
	const [made] = (await run(desk, create, [pixel])).items('Done');
	expect(made).toMatchObject(pixel);
	const linkId = { __rl: true, mode: 'alias', value: 'one' };
	const updateFields = { pixelMode: 'add', pixelIds: [made?.id] };
	const added = await run(desk, link({ operation: 'update', linkId, updateFields }), [{}]);
	expect(added.status).toBe('success');
	expect(desk.held('links')).toMatchObject([{ pixels: [{ id: made?.id }] }]);
});

story('draws QR codes as PNG and as SVG, without a request', async (desk) => {
	const shortUrl = `${desk.service.url}/s/one`;
	const draw = { operation: 'getQrCode', linkId: { __rl: true, mode: 'url', value: shortUrl } };
	const drawn = async (parameters: object) => {
		const ended = await run(desk, link({ ...draw, ...parameters }), [{}]);
		expect(ended.status).toBe('success');
		return ended.files('Done')[0] ?? {};
	};
	const { qrCode } = await drawn({});
	expect(qrCode?.fileName).toBe('one.png');
	expect(textIn(readPng(await desk.contentOf(qrCode)))).toBe(shortUrl);
	const { svg } = await drawn({ format: 'svg', options: { binaryPropertyName: 'svg' } });
	expect(textIn(readSvg(String(await desk.contentOf(svg))))).toBe(shortUrl);
	expect(desk.service.requests).toEqual([]);
});

story('ends a request at its deadline, and its connection', async (desk) => {
	desk.createLink('one', 'https://example.com/');
	desk.service.set({ faults: [{ on: { method: 'GET' }, times: 2, effect: { kind: 'hang' } }] });
	const get = link({
		operation: 'get',
		linkId: { __rl: true, mode: 'id', value: '1' },
		options: { requests: { settings: { timeout: 3 } } },
	});
	expectSuccess(await run(desk, get, [{}]));
	expect(desk.service.openRequests).toBe(0);
});

story('starts a workflow when a link is created, and when a link is clicked', async (desk) => {
	desk.createLink('before', 'https://example.com/');
	const id = await desk.addWorkflow(triggerWorkflow('Trigger', { events: ['clicked', 'created'] }));
	await desk.activate(id);
	// Each event reads one list.
	await until('a poll of both events', () => desk.service.requests[1]?.status);
	desk.createLink('after', 'https://example.com/');
	await desk.click('before', 1);
	const runs = await until('both events', async () => {
		const all = await desk.runs(id);
		return all.flatMap(({ items }) => items('Done')).length > 1 ? all : undefined;
	});
	await desk.deactivate(id);
	for (const each of runs) expectSuccess(each);
	const events = runs.flatMap(({ items }) => items('Done'));
	expect(events.map(({ event, alias, newClicks }) => [event, alias, newClicks]).sort()).toEqual([
		['clicked', 'before', 1],
		['created', 'after', undefined],
	]);
});

story('lists what there is in the editor', async (desk) => {
	for (let count = 0; count < 30; count += 1)
		desk.createLink(`link-${count}`, 'https://example.com/');
	const linkManagementApi = await desk.addCredential();
	const ask = async <T>(path: string, body: object) =>
		await desk.rest.call<T>('POST', `/dynamic-node-parameters/${path}`, {
			...{ path: 'parameters.any', credentials: { linkManagementApi } },
			nodeTypeAndVersion: { name: `${ours}.link`, version: 1 },
			currentNodeParameters: { resource: 'link', operation: 'get' },
			...body,
		});
	const page = async (body: object) =>
		await ask<INodeListSearchResult>('resource-locator-results', {
			...{ methodName: 'searchLinks', ...body },
		});
	const first = await page({});
	expect(first.results).toHaveLength(25);
	const { results } = await page({ paginationToken: first.paginationToken });
	expect(results.at(-1)?.name).toBe('link-0 → https://example.com/');
	expect(await page({ filter: 'link-7' })).toMatchObject({
		results: [{ name: 'link-7 → https://example.com/' }],
	});
	const pixels = await ask<INodePropertyOptions[]>('options', { methodName: 'getPixels' });
	expect(pixels.map(({ value }) => value).sort()).toEqual([1, 2, 3]);
});

story('tests the credential, and keeps to the domains that it allows', async (desk) => {
	const tested = async (fields: Record<string, string>) => {
		const known = await desk.addCredential(fields);
		const data = { baseUrl: desk.service.url, apiKey, ...fields };
		return await desk.rest.call('POST', '/credentials/test', {
			credentials: { ...known, type: 'linkManagementApi', data },
		});
	};
	expect(await tested({})).toMatchObject({ status: 'OK' });
	expect(await tested({ apiKey: 'a wrong key' })).toMatchObject({
		status: 'Error',
		// n8n 1 does not show the sentences that a credential type has for this.
		message: expect.stringMatching(/did not accept the API key|check your credentials/),
	});

	const node = link({ operation: 'create', url: 'https://example.com/' });
	const created = async (allowedDomains: string) => {
		const allowing = { allowedHttpRequestDomains: 'domains', allowedDomains };
		const credential = await desk.addCredential(allowing);
		const id = await desk.addWorkflow(pinnedWorkflow([{}], node), credential);
		return await desk.run(id, 'Rows');
	};
	expect(await created('127.0.0.1')).toMatchObject({ status: 'success' });
	desk.service.requests.length = 0;
	for (const allowed of ['other.example', ' '])
		expect(await created(allowed)).toMatchObject({
			status: 'error',
			error: expect.stringMatching(/domain/i),
		});
	expect(desk.service.requests).toEqual([]);
});

story(
	'signs the requests of the HTTP Request node, which n8n offers as Custom API Call',
	async (desk) => {
		desk.createLink('called', 'https://example.com/');
		const credential = await desk.addCredential();
		const call = async (url: string) => {
			const node = nodeOf(
				'Call',
				'n8n-nodes-base.httpRequest',
				4.2,
				{
					...{ url, options: {} },
					...{
						authentication: 'predefinedCredentialType',
						nodeCredentialType: 'linkManagementApi',
					},
				},
				{ credentials: { linkManagementApi: credential } },
			);
			return await run(desk, node, [{}]);
		};
		const called = await call(`${desk.service.url}/api/v1/links`);
		expect(called).toMatchObject({ status: 'success' });
		expect(called.items('Done')).toMatchObject([{ data: [{ alias: 'called' }] }]);
		expect(desk.service.requests).toMatchObject([{ method: 'GET', status: 200 }]);

		const elsewhere = await call(desk.service.url.replace('127.0.0.1', 'localhost'));
		expect(elsewhere).toMatchObject({
			status: 'error',
			error: expect.stringContaining('only for URLs under its Base URL'),
		});
		expect(desk.service.requests).toHaveLength(1);

		for (const node of ['link', 'pixel'])
			expect(await lastChoices(desk, `${ours}.${node}`)).toEqual([
				['resource', 'Custom API Call'],
				['operation', 'Custom API Call'],
			]);
	},
);

/** The last choices of the lists Resource and Operation of a node. */
async function lastChoices({ rest }: Desk, node: string) {
	const types = await rest.nodeTypes<INodeTypeDescription>();
	const { properties = [] } = types.find(({ name }) => name === node) ?? {};
	const lists = properties.filter(({ name }) => name === 'resource' || name === 'operation');
	return lists.map(({ name, options }) => [name, options?.at(-1)?.name]);
}

/** The names that the code of a folder looks for in n8n before it uses them. */
const lookedFor = (folder: string) =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) => [
			...readFileSync(join(folder, file), 'utf8').matchAll(/const \{ ([^}]+) \}: Partial</g),
		])
		.flatMap(([, names = '']) => names.split(', ').map((name) => name.replace(/\W.*/, '')));

/** The names of the examples that have a node which n8n does not know in its version. */
async function unknownExamples({ rest }: Desk): Promise<string[]> {
	const types = await rest.nodeTypes<INodeTypeDescription>();
	const isKnown = ({ type, typeVersion }: ExampleNode) =>
		types.some(({ name, version }) => name === type && [version].flat().includes(typeVersion));
	return exampleNames.filter((name) => {
		const others = readExample(name).nodes.filter(({ type }) => !type.startsWith(ours));
		return !others.every(isKnown);
	});
}

/** What the README's table says of a version of n8n: its Node, and what is named as code. */
function rowOf(version: string) {
	const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
	const row = readme.split('\n').find((line) => line.startsWith(`| ${version} `));
	const [, , node = '', text = ''] = (row ?? '').split('|');
	const named = [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
	const examples = text.includes('The examples need n8n 2.') ? exampleNames : [];
	return { node: node.trim(), named: [...named, ...examples] };
}

story('has and lacks what the README says', async (desk) => {
	const { versionCli } = await desk.rest.call<{ versionCli: string }>('GET', '/settings');
	const probe = await desk.addWorkflow({
		...{ name: 'Probe', settings: {}, connections: {} },
		nodes: [nodeOf('Probe', 'CUSTOM.probe', 1, {})],
	});
	const [found] = (await desk.run(probe, 'Probe')).items('Probe');
	const names = new Set([found?.workflow, found?.context].flat());
	const lacking = lookedFor(join(projectRoot, 'nodes')).filter((name) => !names.has(name));
	expect({
		node: String(found?.node).split('.')[0],
		named: [...lacking, ...(await unknownExamples(desk))].sort(),
	}).toEqual({ ...rowOf(versionCli), named: rowOf(versionCli).named.sort() });
});

current('serves the schema of the output of every operation', async ({ url }) => {
	for (const contract of [linkContract, pixelContract]) {
		expect(contract.operations.length).toBeGreaterThan(5);
		const name = contract.value;
		for (const { value } of contract.operations) {
			// The address that the editor asks for: package and node, version in full, resource, operation.
			const address = `${url}/schemas/${ours}.${name}/1.0.0/${name}/${value}.json`;
			const { body } = await request(address);
			expect(await body.json()).toEqual(JSON.parse(JSON.stringify(outputSchema(contract, value))));
		}
	}
});

/** The function with which n8n writes the type definition that its AI builder reads about a community node. */
const synthesizer = join(
	location.current.root,
	'node_modules/n8n/dist/modules/mcp-registry/synthesize-type-def.js',
);

/** Returns the type definition of a node, written by the installed n8n on its own Node. */
const typeDefinitionOf = (description: INodeTypeDescription): string =>
	execFileSync(
		location.current.node,
		[
			'-e',
			`const { synthesizeNodeTypeDef } = require(${JSON.stringify(synthesizer)});
			const description = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
			process.stdout.write(synthesizeNodeTypeDef(description));`,
		],
		{ input: JSON.stringify(description), encoding: 'utf8' },
	);

current('gives an AI builder its hints, in type definitions that leave room', async ({ rest }) => {
	const types = await rest.nodeTypes<INodeTypeDescription>();
	for (const [name, limit] of Object.entries({ link: 55_000, pixel: 22_000, linkTrigger: 5_500 })) {
		const type = types.find((each) => each.name === `${ours}.${name}`);
		if (!type) throw new Error(`n8n does not list ${name}`);
		const definition = typeDefinitionOf(type);
		expect(Buffer.byteLength(definition)).toBeLessThan(limit);
		const { searchHint, relatedNodes = [] } = type.builderHint ?? {};
		expect(searchHint).toMatch(/\w+ \w+/);
		expect(definition).toContain(`@builderHint ${searchHint}`);
		const related = relatedNodes.map(({ nodeType }) => nodeType);
		expect(related.length).toBeGreaterThan(0);
		expect(types.map((each) => each.name)).toEqual(expect.arrayContaining(related));
	}
});
