import fc, { type Arbitrary } from 'fast-check';
import { DateTime } from 'luxon';
import { ExecuteContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import '../../support/randomTests.ts';
import { byId } from '../../support/service.ts';
import { chosen, errorsOf, messageOf, useColumns, type Cells } from '../../support/columns.ts';

const { current, link, items, mapped, arrived, lastForm, madeLink, madePixel, held } = useColumns();

const url = 'https://example.com/';

type Expressed = 'create' | 'update' | 'upsert';

/** Where an operation has a field in the form, unless it stands among the others. */
const atTheTop: Record<Expressed, readonly string[]> = {
	create: ['url', 'domainId', 'alias'],
	upsert: ['url', 'domainId', 'alias'],
	update: [],
};

/** Where the other fields of an operation stand in the form. */
const collectionOf = (operation: Expressed) =>
	operation === 'update' ? 'updateFields' : 'additionalFields';

/** The form of an operation that takes fields from the columns of the same names, by an expression each. */
function expressionsFor(operation: Expressed, names: readonly string[]): IDataObject {
	const isTop = (name: string) => atTheTop[operation].includes(name);
	const isUtm = (name: string) => name.startsWith('utm_');
	const expressed = (ones: readonly string[]): IDataObject =>
		Object.fromEntries(ones.map((name) => [name, `={{ $json.${name} }}`]));
	const fields = expressed(names.filter((name) => !isTop(name) && !isUtm(name)));
	const utm = { parameters: expressed(names.filter(isUtm)) };
	return {
		...expressed(names.filter(isTop)),
		[collectionOf(operation)]: { ...fields, utm },
	};
}

/**
 * What arrives, and what fails with what words, with the values of rows from columns and by expressions.
 */
async function bothWays(operation: Expressed, rows: readonly Cells[], options: IDataObject = {}) {
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const ran = async (parameters: IDataObject) => {
		current().clear();
		const result = await link(operation, {
			onError: 'continueRegularOutput',
			timezone: 'Europe/Berlin',
			items: items(rows),
			parameters: {
				// One fixed link for several mapped rows is refused.
				...(operation === 'update' ? { linkId: byId('={{ 1 }}') } : {}),
				...parameters,
				options: { concurrency: 1, mapPasswords: true, ...options },
			} as never,
		});
		// An item that is alone has a label only if its values come from columns, and only cells have a column.
		const errors = errorsOf(result).map((error) =>
			typeof error === 'string'
				? error
						.replace(/^Item 1(?: \([^)]*\))?: /, '')
						.replaceAll(/[,;] or add the column \w+ to Inputs to Ignore/g, '')
				: error,
		);
		return { arrived: arrived(), errors };
	};
	const columns = await ran({ mappingColumnMode: 'autoMapInputData' });
	const expressions = await ran(expressionsFor(operation, names));
	// The names of columns make a message longer, so that less of it may be shown.
	const errors = expressions.errors.map((error, index) => {
		const [shown, more] = String(columns.errors[index]).split(/(?<=… and )\d+ more$/);
		const start = String(shown).replace(/… and $/, '');
		return more !== undefined && String(error).startsWith(start) ? columns.errors[index] : error;
	});
	return { columns, expressions: { ...expressions, errors } };
}

describe('a cell means the same as by expression', () => {
	const day = '2090-02-03T10:00:00.000Z';
	const rules = { DE: `${url}de`, FR: `${url}fr` };
	const listed = Object.entries(rules).map(([key, value]) => ({ key, value }));
	const sentRules = `country[0][key]=DE&country[0][value]=${url}de&country[1][key]=FR&country[1][value]=${url}fr`;
	const one = (name: string, sent: string, cells: unknown[]): [string, Cells, string][] =>
		cells.map((cell) => [name, { [name]: cell }, sent]);

	it.each([
		...one('disabled', 'disabled=1', ['TRUE', 'true ', true, 1, '1', ' 1']),
		...one('disabled', 'disabled=0', ['FALSE', false, 0, '0']),
		...one('expirationClicks', 'expiration_clicks=7', [7, '7', ' 007 ', '+7']),
		...one('pixelIds', 'pixel_ids[]=3&pixel_ids[]=8', [
			[3, '8'],
			'3, 8',
			'[3,"8"]',
			[{ id: 3 }, 8],
		]),
		...one('pixelIds', 'pixel_ids[]=3', [3, '3', [3, 3], '[{"id":3}]']),
		...one('privacy', 'privacy=1', [1, '1', ' 1 ']),
		...one('spaceId', 'space_id=2', [2, '2 ', chosen(2), { mode: 'id', value: '2' }]),
		...one('alias', 'alias=42', [42, ' 42 ', '42']),
		...one('password', 'password=42', [42, '42']),
		...one('expiration', 'expiration_date=2090-02-03&expiration_time=11:00', [
			day,
			new Date(day),
			DateTime.fromISO(day),
			'2090-02-03T11:00',
			'2090-02-03T05:00-05',
		]),
		...one('spaceId', '', [null, '', ' \n', { __rl: true, mode: 'list', value: '' }]),
		...one('pixelIds', '', [[], '[]', [null], '  ']),
		...one('utm_source', '', [null, ' ']),
	])('%s %j', async (_, cells, sent) => {
		const { columns, expressions } = await bothWays('create', [{ url, domainId: 1, ...cells }]);
		expect(columns).toEqual(expressions);
		const form = [`url=${url}`, 'domain_id=1', sent].filter((text) => text !== '');
		expect(columns.arrived).toEqual([`POST /links ${form.join('&')}`]);
	});

	it.each([
		[rules],
		[JSON.stringify(rules)],
		[listed],
		[JSON.stringify(listed)],
		[{ rules: listed }],
		[`DE=${url}de\nFR=${url}fr`],
		[[`DE=${url}de`, { key: 'FR', value: `${url}fr` }]],
	])('rules %j, with and without their target type', async (cell) => {
		const sent = `POST /links url=${url}&domain_id=1&${sentRules}&target_type=1`;
		const row = { url, domainId: 1, targetType: '1' };
		for (const name of ['countryRules', 'Country Rules']) {
			await mapped('create', [{ ...row, [name]: cell }]);
			expect(arrived().at(-1)).toBe(sent);
		}
		await mapped('create', [{ url, domainId: 1, 'Country Rules': cell }]);
		expect(arrived().at(-1)).toBe(sent);
		const stray = await mapped('create', [{ url, targetType: '2', 'Country Rules': cell }]);
		expect(messageOf(stray)).toMatch(/^Item 1: Country Rules contradicts Target Type Platform; /);
	});

	const nothing = fc.constantFrom<unknown>(null, '', ' ', '\t', [], '[]', {});
	const wrong = fc.constantFrom<unknown>('x y', 1.5, Number.NaN, { a: 1 }, [[1]], '1,000', true);
	const cell = (...values: unknown[]): Arbitrary<unknown> =>
		fc.oneof(
			{ weight: 6, arbitrary: fc.constantFrom(...values) },
			{ weight: 2, arbitrary: nothing },
			{ weight: 1, arbitrary: wrong },
		);
	const domainId = cell(1, '2', chosen(1), url);
	const optional: Record<string, Arbitrary<unknown>> = {
		disabled: cell('TRUE', 0, '1', 'no'),
		expirationClicks: cell(7, ' 08 '),
		expiration: cell(day, '2020-01-01', DateTime.fromISO(day)),
		expirationUrl: cell(`${url}over`, 'example.com/over'),
		password: cell('secret', 42),
		pixelIds: cell([1, 2], '1, 2', '[3]', 1, [{ id: 2 }], '1 2'),
		privacy: cell(0, '1', 'Private'),
		spaceId: cell(1, ' 2 ', chosen(2)),
		targetType: cell(0, 1, '1', 2, 3, 4, 9),
		utm_source: cell('a b', 7),
		utm_campaign: fc.constantFrom<unknown>('ü', 'x&y', null, ' '),
	};
	const required = {
		url: fc.constantFrom<unknown>(
			`${url}a`,
			` ${url}b?utm_source=old#f `,
			'example.com',
			7,
			`${url}\n`,
		),
		alias: fc.constantFrom<unknown>('a', 'b', ' c ', 42, 'no alias'),
	};

	it.each(['create', 'upsert', 'update'] as const)(
		'in any row of %s: the same arrives, and the same is refused in the same words',
		async (operation) => {
			const fields = operation === 'update' ? optional : { ...optional, domainId };
			const row = fc.record({ ...fields, ...required }, { requiredKeys: ['url', 'alias'] });
			await fc.assert(
				fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
					const { columns, expressions } = await bothWays(operation, rows);
					expect(columns).toEqual(expressions);
				}),
				{ numRuns: 60 },
			);
		},
	);

	it.each(['clear'])('in any whole row of an update where empty ones %s', async (way) => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.record(optional), { minLength: 1, maxLength: 6 }),
				async (rows) => {
					const { columns, expressions } = await bothWays('update', rows, { emptyValues: way });
					expect(columns).toEqual(expressions);
				},
			),
			{ numRuns: 40 },
		);
	});
});

describe('what comes first', () => {
	const expression = "={{ 'https://example.com/' + $json.row }}";
	const fixed = `${url}fixed`;

	it('is an expression, then the column, then the fixed value', async () => {
		const rows = [{ row: 'a', url: `${url}column`, alias: 'x', disabled: 1, Domain: 2 }];
		const alias = '={{ "expressed" }}';
		const additionalFields = { disabled: false, spaceId: chosen(1) };
		await mapped('create', rows, { url: expression, alias, additionalFields });
		expect(lastForm()).toEqual({
			url: `${url}a`,
			domain_id: '2',
			alias: 'expressed',
			disabled: '1',
			space_id: '1',
		});
		await mapped('create', rows, { url: '={{ $json.missing }}' });
		expect(lastForm()).toMatchObject({ url: `${url}column` });
		await mapped('create', rows, { url: fixed });
		expect(lastForm()).toMatchObject({ url: `${url}column`, alias: 'x' });
		await mapped('create', [{}], { url: fixed });
		expect(lastForm()).toEqual({ url: fixed, domain_id: '1' });
	});

	it('is so in a set of inputs, one by one', async () => {
		const parameters = { utm_source: '={{ "expressed" }}', utm_medium: 'fixed', utm_term: 'fixed' };
		const row = { url, utm_source: 'column', utm_medium: 'column', utm_content: 'column' };
		await mapped('create', [row], { additionalFields: { utm: { parameters } } });
		expect(Object.fromEntries(new URL(lastForm().url ?? '').searchParams)).toEqual({
			utm_source: 'expressed',
			utm_medium: 'column',
			utm_term: 'fixed',
			utm_content: 'column',
		});
	});

	it('is the column where an expression of one input gives nothing', async () => {
		const parameters = { utm_source: '={{ $json.missing }}', utm_medium: 'fixed' };
		const row = { url, utm_source: 'column' };
		await mapped('create', [row], { additionalFields: { utm: { parameters } } });
		expect(lastForm().url).toBe(`${url}?utm_source=column&utm_medium=fixed`);
	});

	it.each(['', '  ', null])('is the fixed value where a cell holds %j', async (empty) => {
		const row = { url: empty, Domain: empty, disabled: empty, space: empty, utm_source: empty };
		const utm = { parameters: { utm_source: 'fixed' } };
		const additionalFields = { disabled: true, spaceId: chosen(2), utm };
		const result = await mapped('create', [row], { url: fixed, additionalFields });
		expect(result.error).toBeUndefined();
		expect(lastForm()).toEqual({
			url: `${fixed}?utm_source=fixed`,
			domain_id: '1',
			disabled: '1',
			space_id: '2',
		});
	});

	it.each(['upsert', 'update', 'sync'] as const)(
		'is the empty cell on %s, where empty ones clear',
		async (operation) => {
			const place = operation === 'update' ? 'updateFields' : 'additionalFields';
			const id = await madeLink('made', { spaceId: chosen(1) });
			const row = { id, alias: 'made', url, space: ' ', pixelIds: '[]' };
			const run = async (emptyValues: string) =>
				await mapped(operation, [row], {
					[place]: { spaceId: chosen(2) },
					options: { emptyValues },
				});
			await run('clear');
			expect(await held(id)).toMatchObject({ url, space: null });
			await run('skip');
			expect(await held(id)).toMatchObject({ url, space: { id: 2 } });
		},
	);

	it('is refused as by expression where a column sets what the form clears', async () => {
		const both = await mapped('update', [{ id: 1, space: 2 }], { clearFields: ['spaceId'] });
		expect(messageOf(both)).toBe(
			'Item 1: Space is both set and cleared; do only one of them, or add the column space to Inputs to Ignore',
		);
		expect(current().requests).toEqual([]);
	});

	it('goes together with what else the form has', async () => {
		const [one, other] = [await madePixel('one'), await madePixel('other')];
		const id = await madeLink('made', { pixelIds: [one] });
		await mapped('update', [{ id, pixels: 'no', 'Pixel IDs': `${other}` }], {
			updateFields: { pixelMode: 'add' },
		});
		expect(lastForm()).toEqual({ 'pixel_ids[]': `${one},${other}` });
	});
});

describe('what n8n evaluates', () => {
	/** How often n8n is asked for a parameter in a run of so many rows. */
	async function evaluations(count: number, parameters: IDataObject = {}) {
		// The way of all parameters in n8n-core; it is counted here and goes on as before.
		const seam = ExecuteContext.prototype as unknown as Record<'_getNodeParameter', () => unknown>;
		const asked = jest.spyOn(seam, '_getNodeParameter');
		const rows = Array.from({ length: count }, (_, row) => ({ url, alias: `r${row}`, space: 1 }));
		current().clear();
		const result = await mapped('create', rows, parameters as never);
		expect(result.error).toBeUndefined();
		expect(current().counts().links).toBe(count);
		const { length } = asked.mock.calls;
		asked.mockRestore();
		return length;
	}

	it('does not grow with the rows, but for the parameters that hold an expression', async () => {
		expect(await evaluations(30)).toBe(await evaluations(3));
		const fixed = { additionalFields: { disabled: true, utm: { parameters: { utm_id: '1' } } } };
		expect(await evaluations(30, fixed)).toBe(await evaluations(3, fixed));
		const expression = { domainId: byId('={{ 1 }}') };
		expect((await evaluations(30, expression)) - (await evaluations(3, expression))).toBe(27);
		const deep = { additionalFields: { utm: { parameters: { utm_id: '={{ $json.alias }}' } } } };
		expect((await evaluations(30, deep)) - (await evaluations(3, deep))).toBe(27);
	});
});
