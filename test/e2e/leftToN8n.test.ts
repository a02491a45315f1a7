import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { linkNodeOf, nodeOf } from '../../testkit/n8n/bulk.ts';
import { pinnedWorkflow, type Desk } from '../support/desk.ts';
import { useStories } from '../support/stories.ts';
import { projectRoot } from '../support/process.ts';

const story = useStories();

const page = readFileSync(join(projectRoot, 'docs', 'left-to-n8n.md'), 'utf8');

/** Runs nodes one after the other on pinned rows. */
const runChain = async (desk: Desk, ...chain: Parameters<typeof pinnedWorkflow>) =>
	await desk.run(await desk.addWorkflow(pinnedWorkflow(...chain)), 'Rows');

const condition = (value: string, type: string, operation: string, rightValue?: unknown) => ({
	id: `${value}-${operation}`,
	leftValue: `={{ $json.${value} }}`,
	rightValue: rightValue ?? '',
	operator: { type, operation, ...(rightValue === undefined ? { singleValue: true } : {}) },
});

const filterOf = (conditions: object[]) =>
	nodeOf('Filter', 'n8n-nodes-base.filter', 2.2, {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
			combinator: 'and',
			conditions,
		},
		looseTypeValidation: true,
		options: {},
	});

story('filters links by clicks and by expiry with a Filter node', async (desk) => {
	for (const alias of ['quiet', 'clicked']) desk.createLink(alias, 'https://example.com/');
	const ends = { expiration_date: '2030-12-31', expiration_time: '23:59' };
	desk.createLink('ends', 'https://example.com/', ends);
	await (await request(`${desk.service.url}/s/clicked`)).body.dump();
	const list = linkNodeOf('Links', { operation: 'getAll', returnAll: true });
	const aliases = async (conditions: object[]) => {
		const { status, items } = await runChain(desk, [{}], list, filterOf(conditions));
		expect(status).toBe('success');
		return items('Filter').map(({ alias }) => alias);
	};
	expect(
		await aliases([
			condition('clicks', 'number', 'notEmpty'),
			condition('clicks', 'number', 'gte', 1),
		]),
	).toEqual(['clicked']);
	expect(
		await aliases([
			condition('expiresAt', 'dateTime', 'notEmpty'),
			condition('expiresAt', 'dateTime', 'before', '2031-01-01T00:00:00'),
		]),
	).toEqual(['ends']);
});

story('builds an alias with the expression of the documentation', async (desk) => {
	const [, expression = ''] = /```text\n(\{\{ .* \}\})\n```/.exec(page) ?? [];
	expect(expression).toContain('$json.campaign');
	const create = linkNodeOf(
		'Create',
		{ operation: 'create', url: 'https://example.com/', alias: `=${expression}` },
		{ onError: 'continueRegularOutput' },
	);
	const rows = [
		{ country: 'Österreich', campaign: 'Spring Sale!' },
		{ country: 'Germany', campaign: '' },
	];
	const { items } = await runChain(desk, rows, create);
	expect(items('Create')).toMatchObject([
		{ alias: 'osterreich-spring-sale' },
		{ error: expect.stringMatching(/^Item 2.*Alias "#N\/A" is a formula error/) },
	]);
	expect(desk.service.counts().links).toBe(1);
});

story('reads other headings after an Edit Fields node', async (desk) => {
	const names = { alias: 'Kurzname', url: 'Ziel' };
	const assignments = Object.entries(names).map(([name, column]) => ({
		...{ id: name, name, type: 'string', value: `={{ $json["${column}"] }}` },
	}));
	const edit = nodeOf('Edit Fields', 'n8n-nodes-base.set', 3.4, {
		assignments: { assignments },
		options: {},
	});
	const create = linkNodeOf('Create', {
		operation: 'create',
		mappingColumnMode: 'autoMapInputData',
	});
	const rows = [{ Kurzname: 'one', Ziel: 'https://example.com/one', Notizen: 'x' }];
	expect(await runChain(desk, rows, edit, create)).toMatchObject({ status: 'success' });
	expect(desk.held('links')).toMatchObject([{ alias: 'one', url: 'https://example.com/one' }]);
});

story('searches in several fields with an item for each, and Remove Duplicates', async (desk) => {
	desk.createLink('spring', 'https://spring.example/');
	desk.createLink('sale', 'https://spring.example/sale');
	desk.createLink('other', 'https://example.com/');
	const list = linkNodeOf('Links', {
		operation: 'getAll',
		returnAll: true,
		filters: { search: 'spring', searchBy: '={{ $json.by }}' },
	});
	const distinct = nodeOf('Distinct', 'n8n-nodes-base.removeDuplicates', 2, {
		operation: 'removeDuplicateInputItems',
		compare: 'selectedFields',
		fieldsToCompare: 'id',
		options: {},
	});
	const fields = ['alias', 'url', 'title'].map((by) => ({ by }));
	const { items } = await runChain(desk, fields, list, distinct);
	expect(
		items('Distinct')
			.map(({ alias }) => alias)
			.sort(),
	).toEqual(['sale', 'spring']);
});
