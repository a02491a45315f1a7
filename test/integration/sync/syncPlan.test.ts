import type { IDataObject } from 'n8n-workflow';
import { hintsOf, linksOfItems, outcomesOf, row, writesIn } from '../../support/account.ts';
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
