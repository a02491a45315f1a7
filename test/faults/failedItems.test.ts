import type { IDataObject } from 'n8n-workflow';
import { byId, jsonOf, pairsOf, useService, type Run } from '../support/service.ts';

const { link } = useService();

/** A create of the alias that the row has. */
const create = (items: IDataObject[], more: Run = {}) => {
	const parameters = {
		url: 'https://example.com/',
		domainId: byId(1),
		additionalFields: { alias: '={{ $json.alias }}' },
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
	description: expect.stringContaining('Correct the fields'),
	outcome: 'failed',
	retryable: false,
	statusCode: 422,
	fieldErrors: { alias: [expect.any(String)] },
};

const error = expect.stringMatching(/^Row \d \(taken\): .*Alias: /);

const outputs = [
	['continueRegularOutput', 0],
	['continueErrorOutput', 1],
] as const;

describe.each(outputs)('a row that failed with %s', (onError, output) => {
	beforeEach(async () => {
		await create([{ alias: 'taken' }]);
	});
	const failedOf = ({ outputs }: Awaited<ReturnType<typeof create>>) =>
		(outputs[output] ?? []).map(({ json }) => json);

	it('keeps the columns that the row has', async () => {
		const result = await create([columns], { onError });
		expect(failedOf(result)).toEqual([{ ...columns, error, errorDetails: details }]);
	});

	it('keeps what the row has as error and errorDetails', async () => {
		const own = { error: 'Not my fault', errorDetails: 'none' };
		const result = await create([{ ...columns, ...own }], { onError });
		expect(failedOf(result)).toEqual([
			{ ...columns, error, errorDetails: { ...details, input: own } },
		]);
	});

	it('keeps what an earlier Link node said, where it fails in a second one', async () => {
		const [first = {}] = failedOf(await create([columns], { onError }));
		const parameters = { linkId: byId(99) };
		const result = await link('get', { items: [first], onError, parameters });
		expect(failedOf(result)).toEqual([
			{
				...columns,
				error: expect.stringMatching(/^Row 1: No link has the ID 99$/),
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
		expect(failedOf(result)).toEqual([
			{
				...columns,
				alias: ['a', 'b'],
				error: expect.stringMatching(/^Row 1: Alias /),
				errorDetails: {
					description: 'Nothing was sent for this row.',
					outcome: 'failed',
					retryable: false,
					fieldErrors: { alias: [expect.stringMatching(/^Alias /)] },
				},
			},
		]);
	});
});

describe('the error output of n8n', () => {
	it('takes rows that failed, whole and whatever columns they have, and no others', async () => {
		await create([{ alias: 'taken' }]);
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
});
