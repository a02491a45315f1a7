import type { IDataObject } from 'n8n-workflow';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf, useService, type Run } from '../../support/service.ts';

const { current, link } = useService();
const scripted = useScriptedService();

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

describe('an expiry that a service shows in a zone of its own', () => {
	/** A service whose one link expires then. It takes every change. */
	const holding = (endsAt: string) => {
		const one = linkAs({ ends_at: endsAt });
		scripted.current().follow(({ method }) => (method === 'GET' ? pageOf([one]) : oneOf(one)));
	};
	const sent = () => scripted.current().requests.map(({ method }) => method);

	it.each([
		['2031-06-01T10:00:00Z', '2031-06-01T12:00:00+02:00', 'UTC'],
		['2031-06-01T10:00:00Z', '2031-06-01T05:30:00.000000-0430', 'UTC'],
		['2031-06-01T12:00', '2031-06-01T10:00:00.000000Z', 'Europe/Berlin'],
		['2031-06-01T01:00', '2031-05-31 23:00:00+00', 'Europe/Berlin'],
	])('is the same moment: %s, shown as %s to %s', async (expiration, endsAt, timezone) => {
		holding(endsAt);
		const result = await scripted.link('upsert', upsertWith({ expiration }, { timezone }));
		expect(outcomesOf(result)).toEqual(['unchanged']);
		expect(sent()).toEqual(['GET']);
	});

	it('is another moment where only the clock is the same', async () => {
		holding('2031-06-01T10:00:00+02:00');
		const expiration = '2031-06-01T10:00:00Z';
		const result = await scripted.link('upsert', upsertWith({ expiration }));
		// This service keeps the expiry.
		expect(result.error?.message).toContain('did not store Expiration');
		expect(sent()).toEqual(['GET', 'PUT']);
	});
});

describe("a sheet whose workflow has another zone than the service's account", () => {
	const timezone = 'Europe/Berlin';

	const additionalFields = { expiration: '2031-05-01T10:00' };

	it('changes nothing at its second run', async () => {
		for (const outcome of ['created', 'unchanged']) {
			const result = await link('upsert', upsertWith(additionalFields, { timezone }));
			expect(outcomesOf(result)).toEqual([outcome]);
		}
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
