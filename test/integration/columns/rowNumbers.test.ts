import { byId, jsonOf } from '../../support/service.ts';
import {
	chosen,
	descriptionOf,
	errorsOf,
	hintsOf,
	messageOf,
	useColumns,
	type Cells,
} from '../../support/columns.ts';

const url = 'https://example.com/';
const continues = { onError: 'continueRegularOutput' } as const;

describe('with row numbers, messages name the rows of the sheet', () => {
	const { current, link, pixel, mapped, madeLink } = useColumns();

	/** Rows as n8n's Google Sheets node reads them, from the second row of the sheet on. */
	const sheet = (rows: readonly Cells[]): Cells[] =>
		rows.map((row, index) => ({ row_number: index + 2, ...row }));
	const rowOf = (alias: string, more: Cells = {}): Cells => ({
		alias,
		url: `${url}${alias}`,
		...more,
	});
	const bad = { url: 'no address' };
	const refuse = (method: string, skip: number) =>
		current().set({
			faults: [{ on: { method }, skip, times: 1, effect: { kind: 'status', status: 403 } }],
		});
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
			/^Sheet rows 4 \(a4\), 9 \(a9\), 18 \(a18\): Destination URL "no address", … must start with https:/,
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
		const rows = cells.map((cell, index) => ({ ...rowOf(`a${index}`), ...cell }));
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
		expect(descriptionOf(invalid)).toMatch(
			/^Sheet rows 2–3, 5, 8–9, 11: Destination URL is missing; /,
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
