import { NodeOperationError, type INodeParameters } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { readRun, settledRead } from '../../../../nodes/shared/execute/readRun';
import { readSheet } from '../../../../nodes/shared/execute/sheet';
import { ServiceError } from '../../../../nodes/shared/transport/failures';
import { linkNode } from '../../../support/nodeExecution.ts';
import { linkAccount, linkLike } from '../../../support/operationRun.ts';

/** Reads a run of the Link node. */
async function read(parameters: object, given: Partial<Parameters<typeof linkNode>[0]> = {}) {
	const node = linkNode({
		parameters: { ...parameters } as INodeParameters,
		answers: linkAccount([linkLike({ space: { id: 8, name: 'Team' } })]),
		...given,
	});
	const run = await readRun(node.context, linkContract, readSheet(node.context, linkContract));
	return { run, sent: node.sent };
}

const mapped = { mappingColumnMode: 'autoMapInputData' };
const url = 'https://example.com/';

it('reads the settings and the rows', async () => {
	const { run, sent } = await read({
		operation: 'get',
		linkId: 7,
		options: { includeInput: true },
	});
	expect(run).toMatchObject({
		...{ operation: 'get', namesSent: 0, options: { includeInput: true }, columns: undefined },
		rows: [{ index: 0, encoded: { id: '7' } }],
	});
	expect(sent).toEqual([]);
});

it('counts the requests for names', async () => {
	const parameters = { operation: 'update', linkId: 7, updateFields: { spaceId: 'Team' } };
	const { run, sent } = await read(parameters);
	expect(sent).toEqual(['GET /links sort_by=id sort=desc']);
	expect(run).toMatchObject({
		namesSent: 1,
		rows: [{ encoded: { fields: [{ values: [['', '8']] }] } }],
	});
});

it('knows the columns of mapped rows, and marks rows that repeat others', async () => {
	const row = { id: 7, url };
	const { run } = await read(
		{ operation: 'update', matchBy: 'id', ...mapped },
		{ items: [row, row] },
	);
	expect(run).toMatchObject({ rows: [{ index: 0 }, { index: 1, duplicateOf: 0 }] });
	expect(run).toHaveProperty('columns.targets.size', 2);
});

it.each<[what: string, parameters: object, message: string | RegExp, description: string | RegExp]>(
	[
		[
			'an operation that does not exist',
			{ operation: 'copy' },
			'The operation "copy" does not exist; choose one from the Operation list',
			'Nothing was sent.',
		],
		[
			'the operation Custom API Call',
			{ operation: '__CUSTOM_API_CALL__' },
			'Custom API Call works in the HTTP Request node only',
			/^Add an HTTP Request node, .+ Nothing was sent\.$/,
		],
		[
			'the resource Custom API Call',
			{ operation: 'get', resource: '__CUSTOM_API_CALL__' },
			'Custom API Call works in the HTTP Request node only',
			/^Add an HTTP Request node/,
		],
		[
			'an invalid Output',
			{ operation: 'get', linkId: 7, output: 'all' },
			'Output "all" does not exist; choose from the list',
			/^Nothing was sent\./,
		],
		[
			'a Sync that an AI agent calls',
			{
				...{ operation: 'sync', syncScope: { domainId: 1 }, unmatchedLinks: 'delete' },
				...{ url, alias: 'a' },
			},
			/^Unmatched Links must be Keep here, because an AI agent calls the node for one item at a time/,
			/^Nothing was sent\./,
		],
		[
			'a Sync without a scope',
			{ operation: 'sync', syncScope: {}, unmatchedLinks: 'keep', url, alias: 'a' },
			/^Sync Scope is empty; set at least one of /,
			'Nothing was sent.',
		],
	],
)('refuses %s', async (_what, parameters, message, description) => {
	const { run, sent } = await read(parameters, { node: { type: 'linkTool' } });
	expect(run).toBeInstanceOf(NodeOperationError);
	expect(run).toMatchObject({
		message: expect.stringMatching(message),
		description: expect.stringMatching(description),
	});
	expect(sent).toEqual([]);
});

it('refuses an empty item between others if Sync removes what is in no row', async () => {
	const parameters = { operation: 'sync', syncScope: { domainId: 1 }, ...mapped };
	const items = [
		{ alias: 'a', url },
		{ alias: '', url: '' },
		{ alias: 'b', url },
	];
	const refused = await read({ ...parameters, unmatchedLinks: 'delete' }, { items });
	expect(refused.run).toMatchObject({ message: expect.stringMatching(/^Item 2 is empty/) });
	const { run } = await read({ ...parameters, unmatchedLinks: 'keep' }, { items });
	expect(run).toMatchObject({ rows: [{ index: 0 }, { index: 2 }] });
});

it('refuses mapped rows that would all change one link', async () => {
	const parameters = { operation: 'update', linkId: 7, ...mapped };
	const { run } = await read(parameters, { items: [{ url }, { url: `${url}b` }] });
	expect(run).toMatchObject({
		message: expect.stringMatching(/^Link is the same for all 2 items/),
	});
});

it('returns the failure of the service if names cannot be read at all', async () => {
	const parameters = { operation: 'update', linkId: 7, updateFields: { spaceId: 'Team' } };
	const { run } = await read(parameters, { credential: { apiKey: '' } });
	expect(run).toBeInstanceOf(ServiceError);
	expect(run).toMatchObject({ message: expect.stringMatching(/^API Key /) });
});

describe('a read of settings', () => {
	const { context } = linkNode({ answers: () => ({}) });

	it('returns its result', async () => {
		expect(await settledRead(context, () => 7)).toBe(7);
		expect(await settledRead(context, async () => await Promise.resolve(8))).toBe(8);
	});

	it('returns errors of the node as they are', async () => {
		const errors = [
			new NodeOperationError(context.getNode(), 'Wrong'),
			new ServiceError({ cause: 'rejected', message: 'Refused', advice: 'Correct it.' }),
		];
		for (const error of errors) {
			expect(await settledRead(context, () => Promise.reject(error))).toBe(error);
		}
	});

	it('returns other errors as errors of the node, without HTML in the description', async () => {
		const failed = Object.assign(new Error('No such item'), {
			description: 'See <a href="https://docs.n8n.io">the docs</a> if 1 < 2.',
		});
		expect(await settledRead(context, () => Promise.reject(failed))).toMatchObject({
			...{ name: 'NodeOperationError', message: 'No such item' },
			description: 'See the docs if 1 < 2.',
		});
		const text = await settledRead(context, () => {
			throw 'a text';
		});
		expect(text).toMatchObject({ name: 'NodeOperationError', message: 'a text' });
	});
});
