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
import { byId, continues, jsonOf, pairsOf, succeeded, type Run } from '../../support/service.ts';

const { current, link, pixel, mapped, arrived, madeLink } = useColumns();

const url = 'https://example.com/';
/** A row that each operation can write; Update names its link by the ID. */
const filled = (alias: string, id?: number): Cells =>
	id === undefined ? { alias, url: `${url}${alias}` } : { id, url: `${url}${alias}` };

/** Lets the service refuse a request with this method once, after some others. */
const refuse = (method: string, skip: number) =>
	current().set({
		faults: [{ on: { method }, skip, times: 1, effect: { kind: 'status', status: 403 } }],
	});

/** What the items of several nodes contain if a row of the sheet is empty. */
const emptyItems: [node: string, Cells][] = [
	['Google Sheets', { alias: '', url: '', tags: '' }],
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

/** Rows that each operation can write, in an account that has what it needs. */
const rowsFor = async (operation: Write, ...names: string[]): Promise<Cells[]> => {
	if (operation !== 'update') return names.map((name) => filled(name));
	const rows: Cells[] = [];
	for (const name of names) rows.push(filled(name, await madeLink(name)));
	return rows;
};

describe.each(writes)('%s skips empty items', (operation) => {
	it('of sheets and databases, also if the form gives them values', async () => {
		const [a = {}, b = {}] = await rowsFor(operation, 'a', 'b');
		const place = operation === 'update' ? 'updateFields' : 'additionalFields';
		const expirationUrl = '={{ $json.url.split("/")[2] && $json.url }}';
		const form = { [place]: { disabled: true, expirationUrl } };
		const empty = emptyItems.map(([, cells]) => cells);
		const result = await succeeded(mapped(operation, [{}, a, ...empty, b, {}], form));
		expect(jsonOf(result)).toMatchObject([{ url: `${url}a` }, { url: `${url}b` }]);
		expect(pairsOf(result)).toEqual([{ item: 1 }, { item: 2 + empty.length }]);
		expect(arrived()).toHaveLength(2);
		expect(hintsOf(result)[0]).toMatch(
			/^2 items: 2 \w+\. 8 empty items were skipped \(items 1, 3–8, 10\)\.$/,
		);
	});

	it('and has nothing to do if all are, but an item that is alone is none', async () => {
		await madeLink('other');
		const sheet = { unmatchedLinks: 'delete', options: { maxRemovalPercentage: 100 } };
		const before = current().requests.length;
		const items = [{}, { url: ' ', row_number: 3 }, { url: '' }];
		const result = await succeeded(mapped(operation, items, operation === 'sync' ? sheet : {}));
		expect(result.outputs).toEqual([[]]);
		expect(current().requests).toHaveLength(before);
		expect(hintsOf(result)).toEqual(['Nothing to do. 3 empty items were skipped (items 1–3).']);
		expect(messageOf(await mapped(operation, [{ url: '', alias: '' }]))).toMatch(/^Item 1: /);
	});
});

describe('an empty item', () => {
	it('of a sheet with row numbers is named by its row', async () => {
		const row = (number: number | string, cells: Cells) => ({ row_number: number, ...cells });
		const empty = { alias: '', url: '', tags: '' };
		const rows = [row(2, filled('a')), row(3, empty), row(4, filled('b')), row('5', empty)];
		expect(hintsOf(await mapped('create', rows))[0]).toBe(
			'2 rows: 2 created. 2 empty rows were skipped (sheet rows 3, 5).',
		);
		expect(hintsOf(await mapped('upsert', rows.slice(0, 3)))[0]).toBe(
			'Nothing was changed. 2 rows: 2 unchanged. 1 empty row was skipped (sheet row 3).',
		);
	});

	it('has no value in any column', async () => {
		for (const cell of ['later', false, 0, '0', new Date(0)]) {
			const rows = [filled('a'), { alias: '', note: cell }];
			const result = await mapped('upsert', rows, {}, continues);
			expect(errorsOf(result)[1]).toMatch(/^Item 2: .*(miss|contains no)/);
		}
	});

	it('may have values in columns to ignore, unless the form uses them', async () => {
		const numbered = [
			{ ...filled('a'), Nr: 1 },
			{ Nr: 2, url: '' },
		];
		const ignoring = { inputsToIgnore: 'nr' };
		expect(jsonOf(await mapped('create', numbered, ignoring))).toHaveLength(1);
		const additionalFields = { expirationUrl: '=https://example.com/{{ $json.Nr }}' };
		const using = { ...ignoring, additionalFields };
		expect(jsonOf(await mapped('create', numbered, using, continues))).toHaveLength(2);
	});
});

describe('with empty items', () => {
	it('the others are counted and named by their own position', async () => {
		const rows: Cells[] = [filled('a'), {}, { alias: 'b', url: 'no address' }, {}, filled('c')];
		const invalid = await mapped('create', [...rows, { alias: 'd', url: 'none' }]);
		expect(messageOf(invalid)).toBe('2 of 4 items cannot be sent');
		expect(descriptionOf(invalid)).toMatch(
			/^Item 3 \(b\): Destination URL "no address" must start with https:\/\/.*\nItem 6 \(d\): Destination URL "none" must start with https:\/\/.*\nNothing was sent/,
		);
		refuse('POST', 1);
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
			const result = await succeeded(mapped(operation, rows, { options }));
			expect(arrived()).toEqual([]);
			expect(jsonOf(result)).toHaveLength(2);
		}
	});
});

describe('Sync that removes links', () => {
	const options = { maxRemovals: 1000, maxRemovalPercentage: 100 };
	const sync = async (rows: readonly Cells[], run: Run = {}, unmatchedLinks = 'delete') =>
		await mapped('sync', rows, { unmatchedLinks, options }, run);

	it.each([
		['delete', []],
		['disable', ['old disabled']],
	])('skips empty items at the end, and removes what is in no row (%s)', async (others, old) => {
		await madeLink('old');
		const result = await succeeded(
			sync([filled('a'), filled('b'), { url: '' }, { alias: ' ' }], {}, others),
		);
		expect(await aliases()).toEqual(['a', 'b', ...old]);
		// A removal belongs to no item, and to none that was skipped.
		expect(pairsOf(result)).toEqual([{ item: 0 }, { item: 1 }, []]);
		expect(hintsOf(result)[0]).toMatch(/2 empty items were skipped \(items 3–4\)\.$/);
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
		const going = await sync(rows, continues);
		const told = errorsOf(going).map(() => `${message} set Unmatched Links to Keep`);
		expect(errorsOf(going)).toEqual(told);
		expect(jsonOf(going).length).toBeLessThan(rows.length);
		expect(current().requests).toEqual([]);
		await succeeded(mapped('sync', rows));
		expect(await aliases()).toContain('old');
	});

	it('removes nothing for an item that is alone and empty, whatever the form gives', async () => {
		await madeLink('old');
		const form = { unmatchedLinks: 'delete', options, url, alias: 'a' };
		const result = await mapped('sync', [{ row_number: 2, url: ' ' }], form);
		expect(messageOf(result)).toBe(
			'Sheet row 2 is empty and the only row, so all links of the scope would be removed; fill it in',
		);
		expect(await aliases()).toEqual(['old']);
	});
});

it('Create or Update takes a value of an item that is alone from the form', async () => {
	const id = await madeLink('a');
	const result = await mapped('upsert', [{}], { url: `${url}new`, alias: 'a' });
	expect(jsonOf(result)).toMatchObject([{ id, url: `${url}new` }]);
});

describe('with row numbers, messages name the rows of the sheet', () => {
	/** Rows as n8n's Google Sheets node reads them, from the second row of the sheet on. */
	const sheet = (rows: readonly Cells[]): Cells[] =>
		rows.map((row, index) => ({ row_number: index + 2, ...row }));
	const rowOf = (alias: string, more: Cells = {}): Cells => ({ ...filled(alias), ...more });
	const bad = { url: 'no address' };
	const inOrder = { concurrency: 1 };

	it.each<[string, (number: number) => Cells]>([
		['numbers', (number) => ({ row_number: number })],
		['digits in texts', (number) => ({ row_number: ` ${number}` })],
		['a heading of another spelling', (number) => ({ 'Row Number': String(number) })],
		[
			'headings of several spellings',
			(number) => (number > 9 ? { rowNumber: number } : { ROW_NUMBER: number }),
		],
	])('that are %s', async (_what, numbered) => {
		const rows = [4, 9, 18].map((number) => rowOf(`a${number}`, { ...numbered(number), ...bad }));
		const result = await mapped('create', [...rows.slice(0, 2), { ...rows[2], url: 'other' }]);
		expect(descriptionOf(result)).toMatch(
			/^Sheet row 4 \(a4\): Destination URL "no address" must .*\nSheet row 9 \(a9\): Destination URL "no address" must .*\nSheet row 18 \(a18\): Destination URL "other" must start with https:/,
		);
		const going = await mapped('create', rows, {}, continues);
		expect(errorsOf(going)).toEqual(
			[4, 9, 18].map((number) =>
				expect.stringMatching(new RegExp(`^Sheet row ${number} \\(a${number}\\): `)),
			),
		);
	});

	it.each<[string, Cells[]]>([
		['is missing in an item', [{ row_number: 2 }, {}, { row_number: 4 }]],
		['is empty in an item', [{ row_number: 2 }, { row_number: '' }, { row_number: 4 }]],
		['does not increase', [{ row_number: 2 }, { row_number: 4 }, { row_number: 4 }]],
		['decreases', [{ row_number: 4 }, { row_number: 3 }, { row_number: 5 }]],
		['is not a whole number', [{ row_number: 2 }, { row_number: 3.5 }, { row_number: 5 }]],
		['is below zero', [{ row_number: -3 }, { row_number: -2 }, { row_number: -1 }]],
		['is another text', [{ row_number: 'a1' }, { row_number: 'a2' }, { row_number: 'a3' }]],
		['is under another heading', [{ row: 2 }, { row: 3 }, { row: 4 }]],
	])('but not if the number %s', async (_what, cells) => {
		const rows = cells.map((cell, index) => ({ ...filled(`a${index}`), ...cell }));
		const result = await mapped('create', [...rows.slice(0, 2), { ...rows[2], ...bad }]);
		expect(messageOf(result)).toMatch(/^Item 3 \(a2\): /);
		expect(result.error).toMatchObject({ context: { data: { rows: [{ row: 3 }] } } });
		expect(result.error).not.toMatchObject({
			context: { data: { rows: [{ sheetRow: expect.anything() }] } },
		});
	});

	it('in ranges of the sheet, also if rows were filtered out before', async () => {
		refuse('POST', 3);
		const numbers = [2, 3, 5, 8, 9, 11];
		const rows = numbers.map((number) => rowOf(`a${number}`, { row_number: number }));
		const result = await mapped('upsert', rows, { options: inOrder });
		expect(result.error).toMatchObject({ context: { data: { row: 4, sheetRow: 8 } } });
		expect(descriptionOf(result)).toMatch(
			/ Sheet rows done: 2–3, 5\. Sheet rows not sent: 9, 11\. Sheet rows failed: 8\. /,
		);
		const none = rows.map((row) => ({ ...row, url: '' }));
		const invalid = await mapped('upsert', none);
		expect(
			descriptionOf(invalid)?.match(/^Sheet row \d+ \(\w+\): Destination URL is missing;/gm),
		).toEqual(
			numbers.map((number) => `Sheet row ${number} (a${number}): Destination URL is missing;`),
		);
		expect(invalid.error).toMatchObject({
			context: {
				data: { rows: [{ row: 1, sheetRow: 2 }, { row: 2 }, { row: 3, sheetRow: 5 }, {}, {}, {}] },
			},
		});
	});

	it('in rows that contradict each other, in settings and in scopes', async () => {
		const twice = sheet([rowOf('a'), rowOf('b'), rowOf('a', { url: `${url}x` })]);
		expect(messageOf(await mapped('upsert', twice))).toBe(
			'Sheet row 4 (a): Alias has the same value as sheet row 2, but other fields differ; keep only one of the two',
		);
		const rows = sheet([rowOf('a'), rowOf('b', { keep: 'no' })]);
		const scope = { domainId: '={{ $json.keep ? 2 : 1 }}' };
		expect(messageOf(await mapped('sync', rows, { syncScope: scope }))).toMatch(
			/^Sync Scope differs between rows: Domain 1 in sheet row 2, Domain 2 in sheet row 3; /,
		);
		const others = '={{ $json.keep ? "delete" : "keep" }}';
		expect(messageOf(await mapped('sync', rows, { unmatchedLinks: others }))).toBe(
			'Unmatched Links differs between rows: keep in sheet row 2, delete in sheet row 3; set the same value for all',
		);
		expect(current().requests).toEqual([]);
	});

	it('of every operation, mapped or not', async () => {
		const items = [
			{ row_number: 2, id: 97 },
			{ row_number: 7, id: 98 },
		];
		const linkId = byId('={{ $json.id }}');
		for (const operation of ['get', 'delete', 'update']) {
			const parameters = { linkId, updateFields: { url } };
			const result = await link(operation, { items, parameters, ...continues });
			expect(errorsOf(result)).toEqual([
				expect.stringMatching(/^Sheet row 2: No link has the ID 97$/),
				expect.stringMatching(/^Sheet row 7: No link has the ID 98$/),
			]);
		}
		const gone = await pixel('delete', { items, parameters: { pixelId: linkId } });
		expect(messageOf(gone)).toMatch(/^Sheet row 2: /);
	});

	it('of one row, if its values come from columns', async () => {
		const [row = {}] = sheet([rowOf('a', bad)]);
		expect(messageOf(await mapped('create', [row]))).toMatch(/^Sheet row 2 \(a\): /);
		expect(messageOf(await mapped('create', [{ ...row, row_number: '' }]))).toMatch(
			/^Item 1 \(a\): /,
		);
		expect(jsonOf(await mapped('create', [{ ...row, url }]))).toHaveLength(1);
		expect(hintsOf(await mapped('create', [{ ...row, url, alias: 'b' }]))).toHaveLength(1);
	});

	it('and a link that is typed into the form has no row', async () => {
		const parameters = { url: 'no address', domainId: chosen(1), alias: 'a' };
		for (const items of [[{}], [{ row_number: 2 }]]) {
			expect(messageOf(await link('create', { items, parameters }))).toMatch(
				/^Destination URL "no/,
			);
			const going = await link('create', { items, parameters, ...continues });
			expect(errorsOf(going)).toEqual([expect.stringMatching(/^Destination URL "no/)]);
		}
		await madeLink('a');
		const taken = await link('create', { parameters: { ...parameters, url } });
		expect(messageOf(taken)).toMatch(/^The service did not accept the values \(HTTP 422\): Alias/);
		expect(taken.error).toMatchObject({ context: { data: { row: 1 } } });
		const missing = await link('get', { parameters: { linkId: byId(99) } });
		expect(messageOf(missing)).toBe('No link has the ID 99');
		const two = await link('get', { items: [{}, {}], parameters: { linkId: byId(99) } });
		expect(messageOf(two)).toBe('Item 1: No link has the ID 99');
	});
});
