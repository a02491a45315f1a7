import { ExecuteContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { hintsOf, linksOfItems, outcomesOf, row, rows, writesIn } from '../../support/account.ts';
import { byId, jsonOf, useService, type Run } from '../../support/service.ts';

const { current, link } = useService();

const sync = async (items: IDataObject[], options: IDataObject = {}, run: Run = {}) =>
	await link('sync', {
		items,
		...run,
		parameters: {
			mappingColumnMode: 'autoMapInputData',
			syncScope: { domainId: byId(1) } as never,
			options: { maxRemovalPercentage: 100, mapPasswords: true, ...options } as never,
			...run.parameters,
		},
	});

const plan = async (items: IDataObject[], options: IDataObject = {}, run: Run = {}) =>
	await sync(items, { dryRun: true, ...options }, run);

async function made(items: IDataObject[]): Promise<void> {
	const parameters = {
		mappingColumnMode: 'autoMapInputData',
		domainId: byId(1),
		options: { concurrency: 1, mapPasswords: true },
	};
	expect((await link('create', { items, parameters })).error).toBeUndefined();
	current().requests.length = 0;
}

const mask = '••••••';

/** The items that name a link of the other alias. */
describe('a Dry Run of Sync', () => {
	it('shows a row for each create, update, removal and unchanged one, and writes nothing', async () => {
		await made([
			row('same'),
			row('moves', { expirationClicks: 5, disabled: true }),
			row('locked', { password: 'old-secret' }),
			row('gone'),
		]);
		const items = [
			row('new', { password: 'secret-1', country: '' }),
			row('moves', { url: 'https://example.com/elsewhere', expirationClicks: '' }),
			row('locked', { password: 'secret-2' }),
			row('same'),
		];
		const result = await plan(items, { emptyValues: 'clear' });
		expect(result.error).toBeUndefined();
		const url = (alias: string) => `https://example.com/${alias}`;
		expect(jsonOf(result)).toEqual([
			{
				outcome: 'created',
				id: null,
				alias: 'new',
				before: '–',
				after: [
					`Destination URL: ${url('new')}`,
					'Domain: 1; Alias: new; Disabled: false',
					`Password: ${mask}`,
				].join('; '),
				note: 'New',
			},
			{
				outcome: 'updated',
				id: 2,
				alias: 'moves',
				before: `Destination URL: ${url('moves')}; Disabled: true; Expiration Clicks: 5`,
				after: `Destination URL: ${url('elsewhere')}; Disabled: false; Expiration Clicks: (empty)`,
				note: 'Changes 3 fields',
			},
			{
				outcome: 'updated',
				id: 3,
				alias: 'locked',
				before: `Password: ${mask}`,
				after: `Password: ${mask}`,
				note: 'The password is sent each time, because the service does not return it',
			},
			{
				outcome: 'unchanged',
				id: 1,
				alias: 'same',
				before: '–',
				after: '–',
				note: 'Nothing to change',
			},
			{
				outcome: 'disabled',
				id: 4,
				alias: 'gone',
				before: 'Disabled: false',
				after: 'Disabled: true',
				note: 'In no row',
			},
		]);
		expect(linksOfItems(result)).toEqual([...items.map((_, item) => ({ item })), undefined]);
		expect(JSON.stringify(result.outputs)).not.toMatch(/secret/);
		expect(writesIn(current().requests)).toEqual([]);
		expect(hintsOf(result)).toMatch(/^Dry run: nothing was written\. 4 items would be: /m);
		expect(hintsOf(result)).toMatch(
			/1 created, 2 updated, 1 unchanged; 1 link that is no longer in the rows would be disabled/,
		);

		// What was planned is what a run does.
		const planned = outcomesOf(result);
		expect(outcomesOf(await sync(items, { emptyValues: 'clear' }))).toEqual(planned);
		const { length } = writesIn(current().requests);
		expect(length).toBe(4);
	});

	it('shows the plan also where a run would be refused, and why', async () => {
		await made(rows('a', 'b', 'c'));
		const result = await plan(rows('a'), { maxRemovals: 1 });
		expect(outcomesOf(result)).toEqual(['unchanged', 'disabled', 'disabled']);
		expect(hintsOf(result)).toMatch(
			/A run would fail: 2 of the 3 links of the scope .* more than Max Removals \(1\) allows/,
		);
		expect(writesIn(current().requests)).toEqual([]);
	});

	it('says where nothing would be removed, because a row could not be sent', async () => {
		await made(rows('a', 'b'));
		const items = [row('a'), row('c', { url: 'nowhere' })];
		const result = await plan(items, {}, { onError: 'continueRegularOutput' });
		expect(outcomesOf(result)).toEqual(['unchanged', undefined]);
		expect(hintsOf(result)).toMatch(/Nothing was removed, because not all items could be sent/);
	});

	it('shows target rules and pixels as people write them', async () => {
		await made([row('a', { pixelIds: '', countryRules: '' })]);
		const rules = '{"DE": "https://example.com/de", "FR": "https://example.com/fr"}';
		const items = [row('a', { targetType: 1, countryRules: rules })];
		const [planned] = jsonOf(await plan(items));
		expect(planned).toMatchObject({
			outcome: 'updated',
			before: 'Country Rules: (empty); Target Type: None',
			after:
				'Country Rules: DE=https://example.com/de, FR=https://example.com/fr; Target Type: Geographic',
		});
	});
});

describe('what a run costs', () => {
	const many = (count: number) =>
		Array.from({ length: count }, (_, index) => row(`row-${1000 + index}`));

	/** The sentence of the hint about the cost. */
	const costIn = (hint: string) => hint.match(/A run would take ([^.]*)/)?.[1];

	it('is told by a Dry Run: requests, and the time at the limit that its answers told', async () => {
		current().set({ throttle: { limit: 30, windowSeconds: 60 } });
		const cost = costIn(hintsOf(await plan(many(90))));
		expect(cost).toMatch(
			/^about 9\d requests, with about 3 minutes of waiting at the limit of 30 a minute$/,
		);
	});

	it('and at a common limit where no answer tells one', async () => {
		const cost = costIn(hintsOf(await plan(many(240))));
		expect(cost).toMatch(
			/^about 24\d requests, with about [34] minutes of waiting if the limit is 60 a minute$/,
		);
	});

	it('counts the list, which a run reads as well', async () => {
		await made(many(250));
		const sent = () => current().requests.length;
		const cost = costIn(hintsOf(await plan(many(250))));
		current().requests.length = 0;
		await sync(many(250));
		expect(Number(cost?.match(/about (\d+) requests?/)?.[1])).toBe(sent());
	});

	it('is as much as a run then takes, for Create or Update too', async () => {
		const items = [...many(120), ...rows('x', 'y')];
		await made(many(100));
		const changed = items.map((item, index) =>
			index < 10 ? { ...item, url: 'https://example.com/new' } : item,
		);
		const run = (dryRun: boolean) => ({
			items: changed,
			parameters: {
				mappingColumnMode: 'autoMapInputData',
				domainId: byId(1),
				options: { dryRun },
			},
		});
		const cost = costIn(hintsOf(await link('upsert', run(true))));
		expect(writesIn(current().requests)).toEqual([]);
		current().requests.length = 0;
		await link('upsert', run(false));
		const told = Number(cost?.match(/about (\d+) requests?/)?.[1]);
		expect(Math.abs(told - current().requests.length)).toBeLessThanOrEqual(1);
	});

	it('is told in the log while a run waits', async () => {
		const lines: string[] = [];
		const log = { info: (line: string) => lines.push(line) } as unknown as ExecuteContext['logger'];
		jest.spyOn(ExecuteContext.prototype, 'logger', 'get').mockReturnValue(log);
		const shown = jest.spyOn(ExecuteContext.prototype, 'sendMessageToUI');
		await made(rows('old-1', 'old-2', 'old-3', 'old-4', 'old-5'));
		current().set({ throttle: { limit: 8, windowSeconds: 10.5 } });
		// The list, four creates and three removals fit into the first window.
		const result = await sync(many(4), { concurrency: 1 });
		expect(shown.mock.calls).toEqual(lines.map((line) => [line]));
		jest.restoreAllMocks();
		expect(result.error).toBeUndefined();
		expect(lines.find((line) => line.includes('waiting'))).toMatch(
			/^Target: 4 of 4 items done; remaining: about 2 requests, with about \d+ seconds of waiting at the limit of \d+ a minute; waiting 1\d seconds for the service$/,
		);
	});
});
