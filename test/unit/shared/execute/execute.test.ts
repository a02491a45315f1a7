import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { linkAccount, linkLike, type Answers } from '../../../support/operationRun.ts';
import { jsonIn, linkNode } from '../../../support/nodeExecution.ts';

type Given = Omit<Parameters<typeof linkNode>[0], 'answers'>;

const links = () => [3, 2, 1].map((id) => linkLike({ id, alias: `a-${id}` }));

/** A node whose account has three links. */
const node = ({ parameters, ...given }: Given, answers: Answers = linkAccount(links())) =>
	linkNode({ ...given, answers, parameters: { output: 'raw', ...parameters } });

/** A node that sets the destination of the link of each item. */
const updating = (
	items: readonly IDataObject[],
	{ parameters, ...given }: Partial<Given> = {},
	answers?: Answers,
) =>
	node(
		{
			items,
			parameters: {
				operation: 'update',
				linkId: '={{ $json.id }}',
				updateFields: '={{ $json.fields }}',
				options: { requests: { concurrency: 1 } },
				...parameters,
			} as INodeParameters,
			valuesOf: (name, item) =>
				({ linkId: items[item]?.id, updateFields: { url: items[item]?.url } })[name],
			...given,
		},
		answers,
	);

const at = (name: string) => `https://example.com/${name}`;

/** The error that a run ends with. */
const errorOf = async ({ execute }: ReturnType<typeof linkNode>) =>
	await execute().then(
		(outputs) => {
			throw new Error(`The run succeeded with ${JSON.stringify(outputs)}`);
		},
		(error: unknown) => error,
	);

const pairs = ([items = []]: INodeExecutionData[][]) => items.map(({ pairedItem }) => pairedItem);

/** A service that refuses the update of link 2. */
const refusing = (): Answers => {
	const account = linkAccount(links());
	return (request, earlier) =>
		request.method === 'PUT' && request.path === '/links/2'
			? { status: 422, body: { message: { url: ['Blocked.'] } } }
			: account(request, earlier);
};

const refused =
	'The service did not accept the values (HTTP 422): Destination URL: Blocked. Sent: "https://example.com/2"';

const three = [3, 2, 1].map((id) => ({ id, url: at(`${id}`) }));

describe('a run without failures', () => {
	it('pairs a removal with no input item', async () => {
		const parameters = {
			operation: 'sync',
			syncScope: { domainId: 1 },
			unmatchedLinks: 'delete',
			mappingColumnMode: 'autoMapInputData',
			options: { maxRemovalPercentage: 100 },
		};
		const run = node({ items: [{ alias: 'a-1', url: at('x') }], parameters });
		const outputs = await run.execute();
		expect(jsonIn(outputs).map(({ id, outcome }) => [id, outcome])).toEqual([
			[1, 'updated'],
			[3, 'deleted'],
			[2, 'deleted'],
		]);
		expect(pairs(outputs)).toEqual([{ item: 0 }, [], []]);
	});

	it('adds hints as HTML about the columns and skipped items', async () => {
		const items = [
			{ alias: 'a-9', url: at('9'), '<b>': 'x', expiration: '2999-01-01T00:00' },
			{ alias: '', url: '' },
			{ alias: 'a-8', url: at('8') },
		];
		const parameters = {
			operation: 'create',
			domainId: 1,
			mappingColumnMode: 'autoMapInputData',
		};
		const run = node({ items, parameters });
		expect(jsonIn(await run.execute()).map(({ alias }) => alias)).toEqual(['a-9', 'a-8']);
		expect(run.hints).toEqual([
			'2 items: 2 created. 1 empty item was skipped (item 2).',
			'Mapped columns: alias, url, expiration. Ignored columns: "&lt;b&gt;".',
		]);
	});

	it('has nothing to do if all items are empty', async () => {
		const parameters = { operation: 'create', mappingColumnMode: 'autoMapInputData' };
		const run = node({ items: [{ url: '' }, { url: ' ' }], parameters });
		expect(await run.execute()).toEqual([[]]);
		expect(run.sent).toEqual([]);
		expect(run.hints).toEqual(['Nothing to do. 2 empty items were skipped (items 1–2).']);
	});
});

describe('a tool', () => {
	const tool = { type: 'linkTool' };
	const parameters = { operation: 'getAll', returnAll: true, filters: { search: 'nothing' } };

	it('answers that it found nothing', async () => {
		expect(jsonIn(await node({ parameters, node: tool }).execute())).toEqual([
			{ message: 'No link was found. Search for another text, or in another field.' },
		]);
		expect(await node({ parameters }).execute()).toEqual([[]]);
	});

	it('has the solution in the message of its error, as plain text', async () => {
		const get = { operation: 'get', linkId: '<b>' };
		expect(await errorOf(node({ parameters: get }))).toMatchObject({
			message: 'No link has the ID ‹b›',
			description: expect.stringMatching(/^Check the ID, or choose the link/),
		});
		expect(await errorOf(node({ parameters: get, node: tool }))).toMatchObject({
			message: expect.stringMatching(/^No link has the ID <b>\. Check the ID, or choose the link/),
		});
	});
});

describe('a row that fails', () => {
	it('has no state of the run if the failure concerns all rows', async () => {
		const items = [{ alias: 'a' }, { alias: 'b' }].map((item) => ({ ...item, url: at('x') }));
		const parameters = { operation: 'update', mappingColumnMode: 'autoMapInputData' };
		const run = node({ items, parameters }, () => ({ status: 403, body: {} }));
		expect(await errorOf(run)).toMatchObject({
			message: 'The service does not allow this for the account of the API key (HTTP 403)',
			description: expect.not.stringContaining('Items'),
		});
	});

	it('gives a tool no advice for a sheet', async () => {
		const error = await errorOf(updating(three, { node: { type: 'linkTool' } }, refusing()));
		expect(error).toMatchObject({
			message: `${refused}. Correct the fields in the message, and run the node again. Items done: 1. Items not sent: 3. Items failed: 2.`,
		});
	});
});

describe('a removal that fails', () => {
	it('is no row in the state of the run', async () => {
		const parameters = {
			operation: 'sync',
			syncScope: { domainId: 1 },
			unmatchedLinks: 'delete',
			mappingColumnMode: 'autoMapInputData',
			options: { maxRemovalPercentage: 100 },
		};
		const items = ['a-1', 'a-2'].map((alias) => ({ alias, url: at('x') }));
		const account = linkAccount(links());
		const run = node({ items, parameters }, (request, earlier) =>
			request.method === 'DELETE' ? { status: 422, body: {} } : account(request, earlier),
		);
		expect(await errorOf(run)).toMatchObject({
			message: expect.stringMatching(/^The link a-3 \(ID 3\), which is in no row: /),
			description: expect.stringMatching(/ Items done: 1–2\.(?! Items)/),
		});
	});
});

describe('rows that must not be written', () => {
	const items = [
		{ alias: 'a', url: at('1') },
		{ alias: 'b', url: at('2') },
	];
	const parameters = { operation: 'update', mappingColumnMode: 'autoMapInputData' };
	const only = () => linkAccount([linkLike({ id: 1, alias: 'a' })]);

	it('stop the run before its first write', async () => {
		const run = node({ items, parameters }, only());
		expect(await errorOf(run)).toMatchObject({
			name: 'NodeOperationError',
			message: 'Item 2 (b): Alias "b" matches no link; correct it, or remove the item',
			description: 'Nothing was sent.',
		});
		expect(run.sent.filter((request) => !request.startsWith('GET'))).toEqual([]);
	});

	it('become failed items if the node continues on errors', async () => {
		const run = node({ items, parameters, continueOnFail: true }, only());
		expect(jsonIn(await run.execute())).toMatchObject([
			{ id: 1, url: at('1') },
			{
				...items[1],
				error: 'Item 2 (b): Alias "b" matches no link; correct it, or remove the item',
			},
		]);
	});
});

describe('settings that are invalid', () => {
	it('of the sheet fail each item, too', async () => {
		const sheet = {
			operation: 'create',
			mappingColumnMode: 'autoMapInputData',
			inputsToIgnore: { a: 1 },
		};
		const items = [{ url: at('1') }, { url: '' }];
		expect(await errorOf(node({ items, parameters: sheet }))).toMatchObject({
			message: expect.stringMatching(/^Inputs to Ignore .+ is not a list of columns/),
		});
		const run = node({ items, parameters: sheet, continueOnFail: true });
		expect(jsonIn(await run.execute()).map(({ error }) => error)).toEqual(
			items.map(() => expect.stringMatching(/Inputs to Ignore/)),
		);
	});
});

describe('a credential that cannot be used', () => {
	const credential = { baseUrl: 'no address' };
	const named = { updateFields: { spaceId: 'Team' } };
	const byName = (given: Partial<Given> = {}) =>
		node({
			...{ credential, items: [{}, {}] },
			parameters: { operation: 'update', linkId: 1, ...named },
			...given,
		});

	it('fails the run', async () => {
		const run = updating(three, { credential });
		expect(await errorOf(run)).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(/^Base URL must be /),
			description: expect.stringMatching(/^Nothing was sent\. Open the credential/),
		});
		expect(run.sent).toEqual([]);
	});

	it('fails the run also if names are read first', async () => {
		expect(await errorOf(byName())).toMatchObject({
			name: 'NodeApiError',
			message: expect.stringMatching(/^Base URL /),
			description: 'Nothing was sent. Open the credential and correct it.',
		});
		expect(jsonIn(await byName({ continueOnFail: true }).execute())).toEqual(
			[0, 1].map(() => ({
				error: expect.stringMatching(/^Base URL /),
				errorDetails: expect.objectContaining({ outcome: 'failed' }),
			})),
		);
	});
});

describe('Retry On Fail', () => {
	const retrying = { node: { retryOnFail: true } };

	it('does not repeat the rows that are done', async () => {
		let isRefused = true;
		const account = linkAccount(links());
		const run = updating(three, retrying, (request, earlier) =>
			isRefused ? refusing()(request, earlier) : account(request, earlier),
		);
		await errorOf(run);
		isRefused = false;
		run.sent.length = 0;
		const outputs = await run.execute();
		expect(jsonIn(outputs).map(({ id }) => id)).toEqual([3, 2, 1]);
		expect(run.sent).toEqual([`PUT /links/2 url=${at('2')}`, `PUT /links/1 url=${at('1')}`]);
	});

	it('has the state of the rows in an error that concerns all rows', async () => {
		let isForbidden = false;
		const items = three.map(({ id, url }) => ({ alias: `a-${id}`, url }));
		const options = { requests: { concurrency: 1 } };
		const parameters = { operation: 'update', mappingColumnMode: 'autoMapInputData', options };
		const run = node({ ...retrying, items, parameters }, (request, earlier) =>
			isForbidden ? { status: 403, body: {} } : refusing()(request, earlier),
		);
		await errorOf(run);
		isForbidden = true;
		expect(await errorOf(run)).toMatchObject({
			message: expect.stringMatching(/^The service does not allow this/),
			description: expect.stringContaining('Items done: 1.'),
		});
	});

	it('repeats all rows of another node', async () => {
		const run = updating(three, {}, refusing());
		await errorOf(run);
		await errorOf(run);
		expect(run.sent).toEqual(['3', '2', '3', '2'].map((id) => `PUT /links/${id} url=${at(id)}`));
	});

	describe('of rows with names', () => {
		const space = { id: 8, name: 'Team' };

		/** A run whose first row has the name of a space. Returns it with what a test may change before the next try. */
		const named = () => {
			const state = {
				concurrency: 1,
				credential: {},
				list: { body: { data: [linkLike({ space })] } },
			};
			const account = { update: refusing() };
			const run = updating(
				three,
				{
					...retrying,
					credential: state.credential,
					parameters: { options: '={{ $json }}' },
					valuesOf: (name, item) =>
						({
							options: { requests: { concurrency: state.concurrency } },
							linkId: three[item]?.id,
							updateFields: { url: three[item]?.url, spaceId: item === 0 ? 'Team' : 8 },
						})[name],
				},
				(request, earlier) =>
					request.method === 'GET' ? state.list : account.update(request, earlier),
			);
			return { run, state, account };
		};

		it('continues although a name of a row that is done cannot be read any more', async () => {
			const { run, state, account } = named();
			expect(await errorOf(run)).toMatchObject({ message: `Item 2: ${refused}` });
			Object.assign(state.list, { status: 403, body: {} });
			account.update = linkAccount(links());
			expect(jsonIn(await run.execute()).map(({ id }) => id)).toEqual([3, 2, 1]);
		});

		it.each<[what: string, change: 'concurrency' | 'credential', error: object]>([
			[
				'credential',
				'credential',
				{
					description:
						'Nothing was sent. Open the credential and correct it. Items done: 1. Items not sent: 2–3.',
				},
			],
			['settings', 'concurrency', { message: expect.stringMatching(/^Concurrency 0 is not/) }],
		])('fails if the next try cannot read its %s', async (_what, change, error) => {
			const { run, state } = named();
			await errorOf(run);
			run.sent.length = 0;
			if (change === 'credential') Object.assign(state.credential, { baseUrl: 'no address' });
			else state.concurrency = 0;
			expect(await errorOf(run)).toMatchObject(error);
			expect(run.sent).toEqual([]);
		});
	});
});
