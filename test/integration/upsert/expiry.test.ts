import type { IDataObject } from 'n8n-workflow';
import { byId, jsonOf, useService, type Run } from '../../support/service.ts';

const { current, link } = useService();

const upsertWith = (additionalFields: IDataObject, more: Run = {}): Run => ({
	...more,
	parameters: {
		url: 'https://example.com/',
		domainId: byId(1),
		alias: 'one',
		additionalFields: additionalFields as never,
		...more.parameters,
	},
});

const outcomesOf = (result: Awaited<ReturnType<typeof link>>) =>
	jsonOf(result).map(({ outcome }) => outcome);

describe('an expiry that Create or Update moves', () => {
	const before = { expiration: '2031-05-01T10:00' };

	it.each([
		['to another day', { expiration: '2031-05-02T10:00' }, '2031-05-02T10:00'],
		['to another time', { expiration: '2031-05-01T11:30' }, '2031-05-01T11:30'],
	])('%s is sent with day and time', async (_, after, endsAt) => {
		await link('upsert', upsertWith(before));
		const result = await link('upsert', upsertWith(after));
		expect(result.error).toBeUndefined();
		expect(outcomesOf(result)).toEqual(['updated']);
		const [date, time = ''] = endsAt.split('T');
		expect(current().requests.at(-1)).toMatchObject({
			method: 'PUT',
			body: `expiration_date=${date}&expiration_time=${encodeURIComponent(time)}`,
		});
		const held = await link('getAll', { parameters: { output: 'raw' } });
		expect(jsonOf(held)).toMatchObject([{ ends_at: `${endsAt}:00.000000Z` }]);
	});
});

it('the last day of the calendar is sent, and found again', async () => {
	const additionalFields = { expiration: '={{ $json.expires }}' };
	for (const outcome of ['created', 'unchanged']) {
		const result = await link(
			'upsert',
			upsertWith(additionalFields, { items: [{ expires: '9999-12-31' }] }),
		);
		expect(result.error).toBeUndefined();
		expect(outcomesOf(result)).toEqual([outcome]);
	}
	expect(current().requests.find(({ method }) => method === 'POST')?.body).toContain(
		'expiration_date=9999-12-31&expiration_time=23%3A59',
	);
});

describe('an exception while rows are read names row and field', () => {
	/** An object of which JavaScript can make neither a text nor a number. */
	const poison = { toString: 1, valueOf: 1 };

	it.each<[string, IDataObject, IDataObject, number | string]>([
		['Expiration', { expiration: '={{ $json.bad }}' }, { getTime: 1, ...poison }, ''],
		[
			'Target Type',
			{
				targetType: '={{ $json.bad }}',
				country: { rules: [{ key: 'DE', value: 'https://e.example' }] },
			},
			poison,
			1,
		],
	])('%s', async (name, additionalFields, bad, good) => {
		const result = await link(
			'upsert',
			upsertWith(additionalFields, { items: [{ bad: good }, { bad }] }),
		);
		expect(result.error?.message).toMatch(new RegExp(`^Item 2 \\(one\\): .*${name} `));
		expect(current().requests).toEqual([]);
	});
});
