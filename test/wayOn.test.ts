import type { IDataObject } from 'n8n-workflow';
import { hintsOf, outcomesOf, rows } from './support/account.ts';
import { byId, jsonOf, useService, type Run } from './support/service.ts';

const { current, link } = useService();

/** Runs rows one after the other, so that it is clear which of them are done. */
const run = async (
	operation: string,
	items: IDataObject[],
	options: IDataObject = {},
	more: Run = {},
) => {
	const parameters = {
		dataToSend: 'autoMapInputData',
		domainId: byId(1),
		...more.parameters,
		options: { concurrency: 1, ...options } as never,
	};
	return await link(operation, { ...more, items, parameters });
};

const told = ({ error }: Awaited<ReturnType<typeof link>>) => String(error?.description);

const links = () => current().counts().links;

describe('a run that ends half-way says how to go on', () => {
	it('with Create or Update, after which each row has one link', async () => {
		await run('create', rows('c'));
		const stopped = await run('create', rows('a', 'b', 'c', 'd'));
		expect(stopped.error?.message).toMatch(/^Row 3 \(c\): .*HTTP 422.*Alias/);
		expect(told(stopped)).toMatch(
			/ If the alias is taken by the link that you mean, use Create or Update: it changes that one\. Rows done: 1–2\. Rows not sent: 4\. Rows failed: 3\. To go on, give row 3 another alias, unless the link that has it is to be changed; then switch Operation to Create or Update and run the whole list: what is done already stays as it is\.$/,
		);
		const all = await run('upsert', rows('a', 'b', 'c', 'd'));
		expect(outcomesOf(all)).toEqual(['unchanged', 'unchanged', 'unchanged', 'created']);
		expect(links()).toBe(4);
	});

	it.each([
		['no alias', {}],
		['an alias that is made anew each time', { generateAlias: 7 }],
	])('with Reuse Existing where rows have %s', async (_, options) => {
		const items = rows('a', 'b', 'c').map(({ url }) => ({ url: String(url) }));
		const fault = { on: { method: 'POST' }, skip: 1, times: 1 };
		current().set({ faults: [{ ...fault, effect: { kind: 'status', status: 403 } }] });
		const stopped = await run('create', items, options);
		expect(told(stopped)).toMatch(
			/ Rows done: 1\. .* To go on, turn on Reuse Existing under Options and run the whole list: /,
		);
		const all = await run('create', items, { ...options, reuseExisting: true });
		expect(outcomesOf(all)).toEqual(['existing', 'created', 'created']);
		expect(links()).toBe(3);
	});

	it('with the rows that are left, where no row is found again', async () => {
		const items = rows('a', 'b', 'c').map(({ url }) => ({ url: String(url), password: 'hidden' }));
		const fault = { on: { method: 'POST' }, skip: 1, times: 1 };
		current().set({ faults: [{ ...fault, effect: { kind: 'status', status: 403 } }] });
		const stopped = await run('create', items, { mapPasswords: true });
		expect(told(stopped)).toMatch(
			/ Rows done: 1\. .* To go on, take out the rows that are done or unknown, and run the others\.$/,
		);
		await run('create', items.slice(1), { mapPasswords: true });
		expect(links()).toBe(3);
	});

	it('also where the names of another try cannot be read', async () => {
		await run('create', rows('z'));
		const fault = (method: string, skip: number, status: number) => ({
			on: { method },
			skip,
			times: 1,
			effect: { kind: 'status' as const, status },
		});
		current().set({ faults: [fault('POST', 1, 403), fault('GET', 1, 401)] });
		const parameters = { domainId: byId('short.example') };
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const stopped = await run('create', rows('a', 'b', 'c'), {}, { parameters, settings });
		expect(stopped.error?.message).toMatch(/did not accept the API key/);
		expect(told(stopped)).toMatch(/ Rows done: 1\. Rows not sent: 2–3\.$/);
	});

	it('with Ignore Missing for what is deleted already', async () => {
		const made = await run('create', rows('a', 'b'));
		const ids = [...jsonOf(made).map(({ id }) => ({ id })), { id: 999 }];
		const remove = async (options: IDataObject = {}) =>
			await run('delete', ids, options, { parameters: { linkId: byId('={{ $json.id }}') } });
		expect(told(await remove())).toMatch(
			/ Rows done: 1–2\. Rows failed: 3\. To go on, turn on Ignore Missing under Options and run /,
		);
		expect(jsonOf(await remove({ ignoreMissing: true }))).toHaveLength(3);
	});

	it('in the hint where the other rows went on', async () => {
		await run('create', rows('b'));
		const onError = 'continueRegularOutput' as const;
		const result = await run('create', rows('a', 'b', 'c'), {}, { onError });
		expect(jsonOf(result)[1]).toMatchObject({
			error: expect.stringMatching(/^Row 2 \(b\): .*Alias/),
			errorDetails: { description: expect.stringContaining('use Create or Update') },
		});
		expect(hintsOf(result)).toMatch(
			/^3 rows: 2 created, 1 failed\. To go on, give row 2 another alias, unless the link that has it is to be changed; then switch Operation to Create or Update and run the whole list: what is done already stays as it is\.$/m,
		);
	});
});

describe('nothing is said of going on', () => {
	it('where nothing was done, but what may help where an alias is taken', async () => {
		await run('create', rows('a'));
		const stopped = await run('create', rows('a', 'b'));
		expect(told(stopped)).toMatch(/use Create or Update: .*Rows done: none\..*Rows failed: 1\.$/);
	});

	it('of a create that is refused for another reason', async () => {
		const stopped = await run('create', [{ url: 'https://example.com', spaceId: 99 }]);
		expect(stopped.error?.message).toMatch(/^Row 1: .*HTTP 422.*Space/);
		expect(told(stopped)).toBe('Correct the fields that it names, and run again.');
	});

	it('in a dry run', async () => {
		const items = [...rows('a'), { alias: 'b', url: 'no address' }];
		const onError = 'continueRegularOutput' as const;
		const result = await run('create', items, { dryRun: true }, { onError });
		expect(jsonOf(result)[1]?.error).toMatch(/^Row 2 \(b\): Destination URL /);
		expect(hintsOf(result)).not.toContain('To go on');
	});
});
