import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { row } from '../../support/account.ts';
import { sheetOn } from '../../support/mappedSheet.ts';
import { byId, jsonOf, pairsOf, useService, type Run } from '../../support/service.ts';

const { current, link } = useService();

const create = (items: IDataObject[], more: Run = {}) => {
	const parameters = {
		url: 'https://example.com/',
		domainId: byId(1),
		alias: '={{ $json.alias }}',
		...more.parameters,
	};
	return link('create', { items, ...more, parameters });
};

/** The columns of a user who calls them as this package called its own. */
const columns = {
	alias: 'taken',
	description: 'A shop',
	outcome: 'sold',
	statusCode: 7,
	retryable: 'perhaps',
	fieldErrors: ['mine'],
};

const details = {
	description: expect.stringContaining('Correct the values'),
	outcome: 'failed',
	retryable: false,
	statusCode: 422,
	fieldErrors: { alias: [expect.any(String)] },
};

const error = expect.stringMatching(/^(Item \d \(taken\): )?The service .*Alias: /);

const onError = 'continueRegularOutput';

beforeEach(async () => {
	await create([{ alias: 'taken' }]);
});

describe('a row that failed', () => {
	it('keeps what the row has as error and errorDetails', async () => {
		const own = { error: 'Not my fault', errorDetails: 'none' };
		const result = await create([{ ...columns, ...own }], { onError });
		expect(jsonOf(result)).toEqual([
			{ ...columns, error, errorDetails: { ...details, input: own } },
		]);
	});

	it('keeps what an earlier Link node said, where it fails in a second one', async () => {
		const [first = {}] = jsonOf(await create([columns], { onError }));
		const parameters = { linkId: byId(99) };
		const result = await link('get', { items: [first], onError, parameters });
		expect(jsonOf(result)).toEqual([
			{
				...columns,
				error: expect.stringMatching(/^No link has the ID 99$/),
				errorDetails: {
					description: expect.any(String),
					outcome: 'failed',
					retryable: false,
					statusCode: 404,
					input: { error: first.error, errorDetails: first.errorDetails },
				},
			},
		]);
	});

	it('tells the same of a row that was never sent', async () => {
		const result = await create([{ ...columns, alias: ['a', 'b'] }], { onError });
		expect(jsonOf(result)).toEqual([
			{
				...columns,
				alias: ['a', 'b'],
				error: expect.stringMatching(/^Alias /),
				errorDetails: {
					description: 'Nothing was sent for this item.',
					outcome: 'failed',
					retryable: false,
					fieldErrors: { alias: [expect.stringMatching(/^Alias /)] },
				},
			},
		]);
	});
});

describe('binary data of the input items', () => {
	const pictureOf = (name: string): IBinaryKeyData => ({
		picture: { data: Buffer.from(name).toString('base64'), mimeType: 'image/png', fileName: name },
	});
	const items = [{ alias: 'taken' }, { alias: 'free' }, { alias: 'taken' }];
	const binaries = [pictureOf('first.png'), pictureOf('second.png'), undefined];
	const [first, second] = binaries;

	it.each<[what: string, run: Run, expected: unknown[][]]>([
		['stays on rows that failed, and not on results', { onError }, [[first, undefined, undefined]]],
		[
			'goes to the error output with rows that failed',
			{ onError: 'continueErrorOutput' },
			[[undefined], [first, undefined]],
		],
		[
			'stays on results with Include Input',
			{ onError, parameters: { options: { includeInput: true } } },
			[[first, second, undefined]],
		],
		[
			'stays on each row if the run could not begin',
			{ onError, credential: { baseUrl: 'nowhere' } },
			[[first, second, undefined]],
		],
	])('%s', async (_, run, expected) => {
		const { outputs } = await create(items, { binaries, ...run });
		expect(outputs.map((all) => all?.map(({ binary }) => binary))).toEqual(expected);
		for (const item of outputs.flat()) expect('binary' in item).toBe(item.binary !== undefined);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'is on no item that is about no row, with %s',
		async (onError) => {
			await create([{ alias: 'gone' }, { alias: 'stuck' }]);
			const deny = { kind: 'status', status: 403 } as const;
			current().set({ faults: [{ on: { method: 'DELETE' }, times: 1, effect: deny }] });
			const result = await sheetOn(link)('sync', [row('taken', { url: 'https://example.com/' })], {
				...{ binaries: [first], onError },
				parameters: { unmatchedLinks: 'delete', options: { includeInput: true } },
			});
			const all = result.outputs.flat();
			expect(all).toHaveLength(3);
			expect(all.map(({ binary }) => binary).filter(Boolean)).toEqual([first]);
		},
	);
});

it('the error output of n8n takes rows that failed, whole and whatever columns they have, and no others', async () => {
	const items = [
		{ alias: 'taken' },
		{ alias: 'free', error: 'An old one' },
		{ alias: 'taken', message: 'Mine', error: 'An old one' },
		{ alias: 'freer', message: 'Mine', details: 'Mine', error: 'An old one' },
	];
	const options = { includeInput: true };
	const result = await create(items, { onError: 'continueErrorOutput', parameters: { options } });
	expect(jsonOf(result)).toMatchObject([items[1], items[3]] as IDataObject[]);
	expect(pairsOf(result)).toEqual([{ item: 1 }, { item: 3 }]);
	expect((result.outputs[1] ?? []).map(({ json }) => json)).toEqual([
		{ ...items[0], error, errorDetails: details },
		{ ...items[2], error, errorDetails: { ...details, input: { error: 'An old one' } } },
	]);
	expect(pairsOf(result, 1)).toEqual([{ item: 0 }, { item: 2 }]);
});
