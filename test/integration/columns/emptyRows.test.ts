import type { IDataObject } from 'n8n-workflow';
import { jsonOf, pairsOf, type Run } from '../../support/service.ts';
import {
	chosen,
	descriptionOf,
	errorsOf,
	hintsOf,
	messageOf,
	useColumns,
	writes,
	type Cells,
	type Write,
} from '../../support/columns.ts';

const { current, link, mapped, arrived, madeLink } = useColumns();

const url = 'https://example.com/';
const continues = { onError: 'continueRegularOutput' } as const;

/** A row that each operation can write; Update names its link by the ID. */
const filled = (alias: string, id?: number): Cells =>
	id === undefined ? { alias, url: `${url}${alias}` } : { id, url: `${url}${alias}` };

/** What the items of several nodes contain if a row of the sheet is empty. */
const emptyItems: [string, Cells][] = [
	['Google Sheets', { row_number: 3, alias: '', url: '', tags: '' }],
	['Airtable, which leaves empty fields out', {}],
	['Airtable, with empty lists', { id: '', pixelIds: [], space: {} }],
	['a CSV file', { alias: '', url: ' ', note: '\t' }],
	['a database', { alias: null, url: null, created: null }],
	['a sheet with invisible characters', { alias: '\u00A0', url: '\uFEFF', tags: '\u200B \u2060' }],
];

const aliases = async () =>
	jsonOf(await link('getAll', { parameters: { returnAll: true, output: 'raw' } }))
		.map(({ alias, disabled }) => `${String(alias)}${disabled ? ' disabled' : ''}`)
		.sort();

describe.each(writes)('%s skips empty items', (operation) => {
	const rowsFor = async (...names: string[]): Promise<Cells[]> => {
		if (operation !== 'update') return names.map((name) => filled(name));
		const rows: Cells[] = [];
		for (const name of names) rows.push(filled(name, await madeLink(name)));
		return rows;
	};

	it.each(emptyItems)('of %s', async (_node, empty) => {
		const [a = {}, b = {}] = await rowsFor('a', 'b');
		const first = 'row_number' in empty ? { ...a, row_number: 2 } : a;
		const last = 'row_number' in empty ? { ...b, row_number: 4 } : b;
		const result = await mapped(operation, [first, empty, last, { ...empty, row_number: '5' }]);
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)).toMatchObject([{ url: `${url}a` }, { url: `${url}b` }]);
		expect(pairsOf(result)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(arrived()).toHaveLength(2);
		const [noun, skipped] =
			'row_number' in empty ? ['rows', 'sheet rows 3, 5'] : ['items', 'items 2, 4'];
		expect(hintsOf(result)[0]).toMatch(
			new RegExp(`^2 ${noun}: 2 \\w+\\. 2 empty ${noun} were skipped \\(${skipped}\\)\\.$`),
		);
	});

	it('that the form gives values', async () => {
		const [a = {}, b = {}] = await rowsFor('a', 'b');
		const place = operation === 'update' ? 'updateFields' : 'additionalFields';
		const form = {
			[place]: { disabled: true, expirationUrl: '={{ $json.url.split("/")[2] && $json.url }}' },
		};
		const result = await mapped(operation, [{}, a, {}, b, {}], form);
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)).toMatchObject([{ url: `${url}a` }, { url: `${url}b` }]);
		expect(pairsOf(result)).toEqual([{ item: 1 }, { item: 3 }]);
		expect(arrived()).toHaveLength(2);
	});

	it('but no item with a value in any column', async () => {
		const [a = {}] = await rowsFor('a');
		for (const cell of ['later', false, 0, '0', new Date(0)]) {
			const result = await mapped(operation, [a, { alias: '', note: cell }], {}, continues);
			expect(errorsOf(result)[1]).toMatch(/^Item 2: .*(miss|contains no)/);
		}
	});

	it('that have values in columns to ignore only, unless the form uses them', async () => {
		const [a = {}] = await rowsFor('a');
		const numbered = [
			{ ...a, Nr: 1 },
			{ Nr: 2, url: '' },
		];
		const ignoring = { inputsToIgnore: 'nr' };
		const result = await mapped(operation, numbered, ignoring);
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)).toHaveLength(1);
		const place = operation === 'update' ? 'updateFields' : 'additionalFields';
		const using = {
			...ignoring,
			[place]: { expirationUrl: '=https://example.com/{{ $json.Nr }}' },
		};
		const used = await mapped(operation, numbered, using, continues);
		expect(jsonOf(used)).toHaveLength(2);
	});

	it('and has nothing to do if all are', async () => {
		await madeLink('other');
		const sheet = { unmatchedLinks: 'delete', options: { maxRemovalPercentage: 100 } };
		const before = current().requests.length;
		const items = [{}, { url: ' ', row_number: 3 }, { url: '' }];
		const result = await mapped(operation, items, operation === 'sync' ? sheet : {});
		expect(result.error).toBeUndefined();
		expect(result.outputs).toEqual([[]]);
		expect(current().requests).toHaveLength(before);
		expect(hintsOf(result)).toEqual(['Nothing to do. 3 empty items were skipped (items 1–3).']);
	});

	it('but no item that is alone', async () => {
		const result = await mapped(operation, [{ url: '', alias: '' }]);
		expect(messageOf(result)).toMatch(/^Item 1: /);
	});
});

describe('with empty items', () => {
	it('the others are counted and named by their own position', async () => {
		const rows: Cells[] = [filled('a'), {}, { alias: 'b', url: 'no address' }, {}, filled('c')];
		const invalid = await mapped('create', [...rows, { alias: 'd', url: 'none' }]);
		expect(messageOf(invalid)).toBe('2 of 4 items cannot be sent');
		expect(descriptionOf(invalid)).toMatch(
			/^Items 3 \(b\), 6 \(d\): Destination URL "no address", … must start with https:\/\/.*\nNothing was sent/,
		);
		current().set({
			faults: [
				{ on: { method: 'POST' }, skip: 1, times: 1, effect: { kind: 'status', status: 403 } },
			],
		});
		const sheet = [filled('a'), {}, filled('b'), {}, filled('c')];
		const options = { concurrency: 1 };
		const stopped = await mapped('upsert', sheet, { options });
		expect(messageOf(stopped)).toMatch(/^Item 3 \(b\): /);
		expect(descriptionOf(stopped)).toMatch(
			/ Items done: 1\. Items not sent: 5\. Items failed: 3\. /,
		);
	});

	it('options come from the first row that has values', async () => {
		const options = {
			dryRun: '={{ $json.plan }}',
			emptyValues: '={{ $json.url.slice(0, 0) || "skip" }}',
		};
		const rows = [{}, { ...filled('a'), plan: true }, { ...filled('b'), plan: true }];
		for (const operation of ['create', 'sync'] as const) {
			const result = await mapped(operation, rows, { options });
			expect(result.error).toBeUndefined();
			expect(arrived()).toEqual([]);
			expect(jsonOf(result)).toHaveLength(2);
		}
	});

	it('names in place of IDs are looked up for the right rows', async () => {
		await madeLink('z');
		const rows = [
			{},
			{ ...filled('a'), domain: 'short.example' },
			{},
			{ ...filled('b'), domain: 1 },
		];
		const result = await mapped('upsert', rows, { domainId: chosen(1) });
		expect(result.error).toBeUndefined();
		expect(pairsOf(result)).toEqual([{ item: 1 }, { item: 3 }]);
		expect(await aliases()).toEqual(['a', 'b', 'z']);
	});
});

describe.each(['delete', 'disable'])('Sync with Unmatched Links = %s', (others) => {
	const options = { maxRemovals: 1000, maxRemovalPercentage: 100 };
	const sync = async (rows: readonly Cells[], more: IDataObject = {}, run: Run = {}) =>
		await mapped('sync', rows, { unmatchedLinks: others, options: { ...options, ...more } }, run);
	const after = others === 'delete' ? ['a', 'b'] : ['a', 'b', 'old disabled'];

	it('skips empty items at the end, and removes what is in no row', async () => {
		await madeLink('old');
		const result = await sync([filled('a'), filled('b'), { url: '' }, { alias: ' ' }]);
		expect(result.error).toBeUndefined();
		expect(await aliases()).toEqual(after);
		expect(pairsOf(result)).toEqual([{ item: 0 }, { item: 1 }, []]);
		expect(hintsOf(result)[0]).toMatch(/2 empty items were skipped \(items 3–4\)\.$/);
	});

	it('links what it removed to no item, also to none that was skipped', async () => {
		await madeLink('old');
		const result = await sync([filled('a'), {}]);
		expect(jsonOf(result)).toMatchObject([{ alias: 'a' }, { alias: 'old' }]);
		expect(pairsOf(result)).toEqual([{ item: 0 }, []]);
	});

	it.each<[string, Cells[], string]>([
		[
			'between rows',
			[filled('a'), {}, filled('b')],
			'Item 2 is empty, but items after it are not; delete the empty item, or',
		],
		[
			'before all rows',
			[{}, filled('a')],
			'Item 1 is empty, but items after it are not; delete the empty item, or',
		],
		[
			'in several places',
			[filled('a'), {}, {}, filled('b'), {}, filled('c'), {}],
			'Items 2–3, 5 are empty, but items after them are not; delete the empty items, or',
		],
		[
			'of a sheet with row numbers',
			[{ ...filled('a'), row_number: 2 }, { row_number: 3 }, { ...filled('b'), row_number: 7 }],
			'Sheet row 3 is empty, but rows after it are not; delete the empty row, or',
		],
	])('refuses a run with an empty item %s', async (_place, rows, message) => {
		await madeLink('old');
		const result = await sync(rows);
		expect(messageOf(result)).toBe(`${message} set Unmatched Links to Keep`);
		expect(descriptionOf(result)).toMatch(/^Nothing was sent\. /);
		const going = await sync(rows, {}, continues);
		const isTold = (error: unknown) =>
			String(error).endsWith(`: ${message} set Unmatched Links to Keep`);
		expect(errorsOf(going).map(isTold)).toEqual(errorsOf(going).map(() => true));
		expect(jsonOf(going).length).toBeLessThan(rows.length);
		expect(current().requests).toEqual([]);
		const kept = await mapped('sync', rows);
		expect(kept.error).toBeUndefined();
		expect(await aliases()).toContain('old');
	});

	it('removes nothing for an item that is alone and empty, whatever the form gives', async () => {
		await madeLink('old');
		const form = { unmatchedLinks: others, options, url, alias: 'a' };
		const result = await mapped('sync', [{ row_number: 2, url: ' ' }], form);
		expect(messageOf(result)).toBe(
			'Sheet row 2 is empty and the only row, so all links of the scope would be removed; fill it in',
		);
		expect(await aliases()).toEqual(['old']);
	});
});

it.each<Write>(['update', 'upsert'])(
	'%s takes a value of an item that is alone from the form',
	async (operation) => {
		const id = await madeLink('a');
		const top = { upsert: { url: `${url}new`, alias: 'a' }, update: { linkId: chosen(id) } };
		const parameters =
			operation === 'update' ? { ...top.update, updateFields: { url: `${url}new` } } : top.upsert;
		const result = await mapped(operation, [{}], parameters);
		expect(jsonOf(result)).toMatchObject([{ id, url: `${url}new` }]);
	},
);
