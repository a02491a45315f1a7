import type { IDataObject } from 'n8n-workflow';
import { faultMix } from '../../../testkit/service/faultMix.ts';
import {
	chosen,
	errorsOf,
	hintsOf,
	messageOf,
	useColumns,
	type Cells,
} from '../../support/columns.ts';
import { rowsOf } from '../../support/numberedRows.ts';
import { reconciliations } from '../../support/operationNames.ts';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, continues, jsonOf, pairsOf, succeeded } from '../../support/service.ts';
import { linkForm } from '../linkForm.ts';

const { current, link, pixel, mapped, mappedPixels, arrived, held, madeLink, madePixel } =
	useColumns();

/** Alias and URL of every link that the service holds, oldest first. */
async function allLinks(): Promise<unknown[]> {
	current().set({ faults: [], throttle: null });
	const all = await link('getAll', { parameters: { returnAll: true, sorting: { sort: 'asc' } } });
	return jsonOf(all).map(({ alias, url }) => ({ alias, url }));
}

/** In an order of their own, for concurrent creates may arrive in any. */
const sorted = (links: unknown[]) => links.map((one) => JSON.stringify(one)).toSorted();

describe('many creates against dropped connections, server errors and a throttle', () => {
	it('make exactly one link for each row', async () => {
		current().set({ faults: faultMix, throttle: { limit: 100, windowSeconds: 2 } });
		const items = rowsOf(300);
		const options = { concurrency: 50 };
		const result = await succeeded(mapped('create', items, { options }));
		expect(jsonOf(result).map(({ alias, url }) => ({ alias, url }))).toEqual(items);
		expect(pairsOf(result)).toEqual(items.map((_, item) => ({ item })));
		expect(sorted(await allLinks())).toEqual(sorted(items));
		expect(hintsOf(result)[0]).toMatch(
			/^300 items: 300 created; \d+ waits? of \d+ seconds in total, \d+ retries\.$/,
		);
	});

	it('do so without an alias when the node makes one up', async () => {
		current().set({ faults: faultMix });
		const items = rowsOf(100).map(({ url }) => ({ url }));
		const options = { generateAlias: 12, concurrency: 20 };
		const result = await mapped('create', items, { options });
		expect(jsonOf(result).map(({ url }) => url)).toEqual(items.map(({ url }) => url));
		expect(jsonOf(result).every(({ alias }) => /^[A-Za-z0-9]{12}$/.test(String(alias)))).toBe(true);
		expect(await allLinks()).toHaveLength(100);
	});

	it('without an alias fail as unknown instead of guessing', async () => {
		current().set({ faults: [{ times: 1, effect: { kind: 'drop', when: 'after' } }] });
		const items = rowsOf(2).map(({ url }) => ({ url }));
		const result = await mapped('create', items, { options: { concurrency: 1 } }, continues);
		expect(jsonOf(result)).toMatchObject([
			{
				url: 'https://example.com/1000',
				error: expect.stringMatching(/^Item 1: The connection .* broke/),
				errorDetails: {
					description: expect.stringMatching(
						/check there before you run this item again.*Generate Alias/,
					),
					outcome: 'unknown',
					retryable: false,
				},
			},
			{ url: 'https://example.com/1001' },
		]);
		expect(await allLinks()).toHaveLength(2);
	});
});

it('a pixel whose create got no response is found by its name', async () => {
	losing('after');
	const parameters = { name: 'Once', type: 'bing', value: 'v-1' };
	expect(jsonOf(await pixel('create', { parameters }))).toMatchObject([{ name: 'Once' }]);
	expect(current().counts().pixels).toBe(1);
});

it('waiting ends for every row where nothing ever answered, and hands on its columns', async () => {
	const run = { ...continues, credential: { baseUrl: 'http://127.0.0.1:9' } };
	const result = await mapped('create', rowsOf(30), { options: { maxWait: 1 } }, run);
	expect(jsonOf(result)).toHaveLength(30);
	expect(jsonOf(result)[29]).toMatchObject({
		alias: 'row-1029',
		errorDetails: { retryable: true, outcome: 'failed' },
	});
});

const scripted = useScriptedService();

const url = 'https://example.com/';

const createOne = (fields: IDataObject) =>
	link('create', { parameters: linkForm({ alias: 'one', ...fields }) });

const losing = (when: 'after' | 'before') =>
	current().set({ faults: [{ on: { method: 'POST' }, times: 1, effect: { kind: 'drop', when } }] });

/** A row's values, and those of the link that has its alias already. */
const differing: [string, IDataObject, IDataObject][] = [
	['is disabled', { disabled: false }, { disabled: true }],
	['has no password', { password: 'secret' }, {}],
	['is private', {}, { privacy: 1 }],
	['is in another space', { spaceId: byId(1) }, { spaceId: byId(2) }],
	[
		'expires at another time',
		{ expiration: '2031-01-01T10:00' },
		{ expiration: '2031-01-01T11:00' },
	],
	[
		'has other rules',
		{ country: { rules: [{ key: 'DE', value: `${url}de` }] } },
		{ country: { rules: [{ key: 'DE', value: `${url}fr` }] } },
	],
	// A create would not have made these of a row that leaves them out.
	['has a password', {}, { password: 'secret' }],
	['expires after some clicks', {}, { expirationClicks: 5 }],
	['expires', {}, { expiration: '2031-01-01T10:00' }],
	['has rules', {}, { rotation: { rules: [{ value: url }] } }],
];

describe('a create whose answer was lost does not pass off a link that is there already', () => {
	it.each(differing)('which %s', async (_, row, existing) => {
		await createOne(existing);
		losing('before');
		const result = await createOne(row);
		expect(jsonOf(result)).toEqual([]);
		expect(result.error?.context.data).toMatchObject({ outcome: 'unknown', retryable: false });
		expect(result.error?.description).toMatch(/a link with the same alias, but with other values/);
		expect(current().counts().links).toBe(1);
	});

	it('which has other pixels', async () => {
		const [a, b] = [await madePixel('a'), await madePixel('b')];
		await createOne({ pixelIds: [a] });
		losing('before');
		const result = await createOne({ pixelIds: [b] });
		expect(result.error?.context.data).toMatchObject({ outcome: 'unknown' });
	});
});

describe('a create whose answer was lost takes the link that it made', () => {
	it('with all of its values', async () => {
		const pixelIds = [await madePixel()];
		losing('after');
		const result = await succeeded(
			createOne({
				disabled: true,
				expirationClicks: 5,
				expiration: '2031-01-01T10:00',
				expirationUrl: `${url}over`,
				password: 'secret',
				pixelIds,
				privacy: 2,
				privacyPassword: 'secret',
				spaceId: byId(1),
				country: {
					rules: [
						{ key: 'DE', value: `${url}de` },
						{ key: 'FR', value: `${url}fr` },
					],
				},
			}),
		);
		expect(jsonOf(result)).toMatchObject([
			{ alias: 'one', space: 'Marketing', status: 'disabled' },
		]);
		expect(current().requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	it('where it does not tell most of them', async () => {
		const { id, alias, url, domain } = linkAs({});
		const one = { id, alias, url, domain };
		scripted
			.current()
			.follow(({ method }, earlier) =>
				method === 'GET'
					? pageOf([one] as IDataObject[])
					: earlier === 0
						? 'drop'
						: oneOf(one as IDataObject),
			);
		const additionalFields = { disabled: true, password: 'secret', spaceId: byId(1) };
		const parameters = { url: String(url), domainId: byId(1), alias: 'one', additionalFields };
		const result = await scripted.link('create', { parameters });
		expect(jsonOf(result)).toMatchObject([{ id: 1, alias: 'one' }]);
		expect(scripted.current().requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
	});
});

const contradiction = (row: number, first: number, name = 'same') =>
	`Item ${row} (${name}): Alias has the same value as item ${first}, but other fields differ; keep only one of the two`;

describe('Create with one alias twice in one sheet', () => {
	const same = { alias: 'same', url: `${url}same` };
	const other = { alias: 'other', url: `${url}other` };
	const else_ = { alias: 'same', url: `${url}else` };

	it('refuses rows with other values before anything is sent', async () => {
		const result = await mapped('create', [same, other, else_]);
		expect(messageOf(result)).toBe(contradiction(3, 1));
		expect(current().requests).toEqual([]);
		const going = await mapped('create', [same, other, else_], {}, continues);
		expect(errorsOf(going)).toEqual([null, null, contradiction(3, 1)]);
		expect(arrived()).toHaveLength(2);
	});

	it('does rows that are the same once, and returns the link for both', async () => {
		const rows = [same, other, { ...same, note: 'again' }, { ...same, url: ` ${same.url} ` }];
		const result = await succeeded(mapped('create', rows));
		const [first, , third, fourth] = jsonOf(result);
		expect(first).toMatchObject(same);
		expect([third, fourth]).toEqual([first, first]);
		expect(pairsOf(result)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		expect(arrived()).toHaveLength(2);
		expect(hintsOf(result)[0]).toBe('4 items: 2 created, 2 items are the same as others.');
	});

	it('does so with values of the form too', async () => {
		const parameters = { url: '={{ $json.to }}', domainId: chosen(1), alias: 'same' };
		const items = [{ to: url }, { to: `${url}2` }];
		const result = await link('create', { items, parameters });
		expect(messageOf(result)).toBe(contradiction(2, 1));
		expect(current().requests).toEqual([]);
		const once = await link('create', { items: [{ to: url }, { to: url }], parameters });
		expect(jsonOf(once)).toMatchObject([{ alias: 'same' }, { alias: 'same' }]);
		expect(current().counts().links).toBe(1);
	});

	it('leaves aliases of several domains, in other letters, and none to the service', async () => {
		const rows: Cells[] = [
			{ ...same, domain: 1 },
			{ ...else_, domain: 2 },
			{ ...same, domain: 1, alias: 'third' },
			{ url, domain: 1 },
			{ url, domain: 1 },
		];
		await succeeded(mapped('create', rows, { domainId: '' }));
		expect(arrived()).toHaveLength(5);
		const letters = [same, { ...else_, alias: 'SAME' }];
		await mapped('create', letters, { domainId: chosen(2) }, continues);
		expect(arrived()).toHaveLength(7);
	});

	it('compares rows without a domain with each other only', async () => {
		const rows = [same, { ...else_, domain: 2 }, else_];
		const result = await mapped('create', rows, { domainId: '' });
		expect(messageOf(result)).toBe(contradiction(3, 1));
		expect(current().requests).toEqual([]);
	});

	it('finds pixels of one name', async () => {
		const row = { name: 'Same', type: 'bing', value: '1' };
		const result = await mappedPixels('create', [row, { ...row, value: '2' }]);
		expect(messageOf(result)).toBe(
			'Item 2 (Same): Name has the same value as item 1, but other fields differ; keep only one of the two',
		);
		const parameters = { name: 'Same', type: 'bing', value: '1' };
		const once = await pixel('create', { items: [{}, {}], parameters });
		const [first] = jsonOf(once);
		expect(jsonOf(once)).toEqual([first, first]);
		expect(arrived()).toHaveLength(1);
	});
});

const protectedRow = (alias: string) => ({ alias, url, privacy: 2 });

describe.each(reconciliations)('half of what a link needs, with %s', (operation) => {
	it('is enough for a link that is there', async () => {
		const id = await madeLink('there');
		await succeeded(mapped(operation, [protectedRow('there')]));
		expect(await held(id)).toMatchObject({ privacy: 2, url });
	});

	it('is refused where the link would be created, and the other rows are done', async () => {
		const id = await madeLink('there');
		const rows = [protectedRow('there'), protectedRow('new'), { alias: 'whole', url }];
		const planned = await mapped(operation, rows, { options: { dryRun: true } }, continues);
		const told = [
			null,
			expect.stringMatching(/Statistics Privacy needs Statistics Password/),
			null,
		];
		expect(errorsOf(planned)).toEqual(told);
		expect(arrived()).toEqual([]);
		const result = await mapped(operation, rows, {}, continues);
		expect(errorsOf(result)).toEqual(told);
		expect(jsonOf(result)[1]?.errorDetails).toMatchObject({
			outcome: 'failed',
			fieldErrors: { privacy: [expect.stringMatching(/^needs Statistics Password; /)] },
		});
		expect(arrived().map((text) => text.slice(0, 12))).toEqual(
			expect.arrayContaining([`PUT /links/${id}`.slice(0, 12), 'POST /links ']),
		);
		expect(arrived()).toHaveLength(2);
		expect(current().counts().links).toBe(2);
	});
});
