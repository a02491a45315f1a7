import type { IDataObject } from 'n8n-workflow';
import { countries } from '../../../nodes/shared/description/codes';
import { outcomesOf } from '../../support/account.ts';
import { chosen, errorsOf, hintsOf, messageOf, useColumns } from '../../support/columns.ts';
import { byId, jsonOf, type Run } from '../../support/service.ts';
import { linkAs, oneOf, useScriptedService } from '../../support/scriptedService.ts';

const { current, link, mapped, madeLink, arrived, held, items } = useColumns();

const at = (name: string) => `https://example.com/${name}`;

const update = async (id: number, updateFields: IDataObject, more: Run['parameters'] = {}) =>
	await link('update', {
		parameters: { linkId: chosen(id), updateFields: updateFields as never, ...more },
	});

/** A link whose country rules redirect to addresses named like their keys. */
const withCountries = async (...keys: string[]) =>
	await madeLink('made', { country: { rules: keys.map((key) => ({ key, value: at(key) })) } });

const countriesOf = async (id: number) => (await held(id))?.country_target;

const form = (kind: string, ...rules: [key: string, value?: string][]) => ({
	[kind]: { rules: rules.map(([key, value = '']) => ({ key, value })) },
});

/** The rules of a field in a request, with their values. */
const sent = (kind: string, ...rules: [key: string, value: string][]) =>
	rules
		.map(([key, value], at) => `${kind}[${at}][key]=${key}&${kind}[${at}][value]=${value}`)
		.join('&');

describe('Rule Mode Add', () => {
	it('keeps the rules of the link, replaces the URL of a key in its place, and sends the whole list', async () => {
		const id = await withCountries('DE', 'FR');
		const result = await update(id, {
			...form('country', ['US', at('US')], ['DE', at('new')]),
			ruleMode: 'add',
			disabled: true,
		});
		expect(messageOf(result)).toBe('undefined');
		expect(arrived()).toEqual([
			`PUT /links/${id} disabled=1&${sent('country', ['DE', at('new')], ['FR', at('FR')], ['US', at('US')])}`,
		]);
		expect(await countriesOf(id)).toEqual([
			{ key: 'DE', value: at('new') },
			{ key: 'FR', value: at('FR') },
			{ key: 'US', value: at('US') },
		]);
	});

	it.each([
		['language', 'de', 3],
		['platform', 'iOS', 2],
	])('turns %s rules on for a link without rules', async (kind, key, type) => {
		const id = await madeLink('made');
		await update(id, { ...form(kind, [key, at('a')]), ruleMode: 'add' });
		expect(arrived()).toEqual([
			`PUT /links/${id} ${sent(kind, [key, at('a')]).replaceAll(' ', '+')}&target_type=${type}`,
		]);
		expect(await held(id)).toMatchObject({
			target_type: type,
			[`${kind}_target`]: [{ key, value: at('a') }],
		});
	});

	it('adds addresses of a rotation once, and never drops a repeated one', async () => {
		const id = await madeLink('made', {
			rotation: { rules: ['a', 'a', 'b'].map((name) => ({ value: at(name) })) },
		});
		const rotation = { rules: [{ value: at('c') }, { value: 'https://EXAMPLE.com/b' }] };
		await update(id, { rotation, ruleMode: 'add' });
		expect(await held(id)).toMatchObject({
			rotation_target: ['a', 'a', 'b', 'c'].map((name) => ({ value: at(name) })),
		});
		expect(arrived()).toHaveLength(1);
		const again = await update(id, { rotation, ruleMode: 'add' });
		expect(hintsOf(again).join()).toContain('Nothing was changed');
		await update(id, { rotation: { rules: [{ value: at('a') }] }, ruleMode: 'remove' });
		expect(await held(id)).toMatchObject({
			rotation_target: ['b', 'c'].map((name) => ({ value: at(name) })),
		});
	});

	it('adds UTM parameters to the new rules only', async () => {
		const id = await withCountries('DE');
		await update(id, {
			...form('country', ['US', at('US')]),
			ruleMode: 'add',
			utm: { parameters: { utm_source: 'mail' } },
		});
		expect(arrived()).toEqual([
			`PUT /links/${id} ${sent('country', ['DE', at('DE')], ['US', `${at('US')}?utm_source=mail`])}`,
		]);
	});

	it('refuses to turn off rules of another kind, unless none are left', async () => {
		const id = await withCountries('DE');
		const platform = { ...form('platform', ['iOS', at('iOS')]), ruleMode: 'add' };
		const refused = await update(id, platform);
		expect(messageOf(refused)).toBe(
			'The link has Country Rules (Target Type Geographic), and adding Platform Rules would turn them off',
		);
		expect(arrived()).toEqual([]);
		await update(id, { ...form('country', ['DE']), ruleMode: 'remove' });
		expect(messageOf(await update(id, platform))).toBe('undefined');
		expect(await held(id)).toMatchObject({ target_type: 2 });
	});

	it('changes rules along with pixels, and each row of a sheet in its own way', async () => {
		const id = await withCountries('DE', 'FR');
		const rows = items([
			{ id, rules: 'US=https://example.com/US', mode: 'add' },
			{ id, rules: 'DE, Italy', mode: 'remove' },
		]);
		const result = await link('update', {
			items: rows,
			parameters: {
				linkId: chosen('={{ $json.id }}' as never),
				updateFields: {
					ruleMode: '={{ $json.mode }}',
					pixelIds: '={{ [] }}',
					pixelMode: 'add',
				},
				advancedFields: { targetType: 1, targetRules: '={{ $json.rules }}' },
			},
		});
		expect(messageOf(result)).toBe('undefined');
		expect(await countriesOf(id)).toEqual(['FR', 'US'].map((key) => ({ key, value: at(key) })));
	});
});

describe('Rule Mode Remove', () => {
	it.each([
		['keys as text', '={{ "Germany; it" }}'],
		['keys as a list', '={{ ["DE", "IT"] }}'],
		['rules with other URLs', `=DE=${at('x')}, IT=${at('y')}`],
		['an object', '={{ ({ DE: "https://x.example/", IT: "" }) }}'],
		['an object without URLs', '={{ ({ DE: "", IT: null }) }}'],
	])('removes rules by their key, given by %s', async (_, rules) => {
		const id = await withCountries('DE', 'FR');
		const result = await update(
			id,
			{ ruleMode: 'remove' },
			{ advancedFields: { targetType: 1, targetRules: rules } },
		);
		expect(messageOf(result)).toBe('undefined');
		expect(arrived()).toEqual([`PUT /links/${id} ${sent('country', ['FR', at('FR')])}`]);
		expect(await held(id)).toMatchObject({ target_type: 1 });
	});

	it.each([`DE=${at('x')},FR`, `DE=${at('x')};France,IT=${at('y')}`, `DE=${at('x')}|FR`])(
		'never reads a key after a URL as a part of it: %s',
		async (rules) => {
			const id = await withCountries('DE', 'FR');
			const remove = { updateFields: { ruleMode: 'remove' } };
			const result = await mapped('update', [{ id, country: rules }], remove);
			expect(messageOf(result)).toContain('cannot be read as rules');
			expect(arrived()).toEqual([]);
			const exact = [{ id, country: `DE=${at('x?a=1,2;c=d')}; IT=${at('y,7')}` }];
			expect(messageOf(await mapped('update', exact, remove))).toBe('undefined');
			expect(await countriesOf(id)).toEqual([{ key: 'FR', value: at('FR') }]);
		},
	);

	it.each([[{ DE: '' }], [{ Germany: null, IT: ' ' }], ['{"DE":""}'], [[{ key: 'DE' }]], ['DE,']])(
		'removes rules by the keys in a column: %j',
		async (country) => {
			const id = await withCountries('DE', 'FR');
			const rows = [{ id, country, disabled: 'no' }];
			const result = await mapped('update', rows, { updateFields: { ruleMode: 'remove' } });
			expect(messageOf(result)).toBe('undefined');
			expect(await countriesOf(id)).toEqual([{ key: 'FR', value: at('FR') }]);
		},
	);

	it('skips a cell without a key, and without Remove also a key without a URL', async () => {
		const id = await withCountries('DE', 'FR');
		const cells: [cell: unknown, mode: string][] = [
			...[{}, { key: '', value: '' }, { rules: [] }].map((cell) => [cell, 'remove'] as never),
			[{ DE: '' }, 'add'],
			[{ DE: '' }, 'replace'],
		];
		for (const [country, ruleMode] of cells) {
			const rows = [{ id, country, disabled: 'no' }];
			const result = await mapped('update', rows, { updateFields: { ruleMode } });
			expect(messageOf(result)).toBe('undefined');
		}
		expect(arrived()).toEqual(cells.map(() => `PUT /links/${id} disabled=0`));
	});

	it('removes rules of the form without their URLs', async () => {
		const id = await withCountries('DE', 'FR');
		const result = await update(id, { ...form('country', ['DE'], ['IT']), ruleMode: 'remove' });
		expect(messageOf(result)).toBe('undefined');
		expect(arrived()).toEqual([`PUT /links/${id} ${sent('country', ['FR', at('FR')])}`]);
	});

	it('clears the list with the last rule, and never changes the target type', async () => {
		const id = await withCountries('DE');
		await update(id, { targetType: 0 } as never, { advancedFields: { targetType: 0 } });
		current().requests.length = 0;
		await update(
			id,
			{ ruleMode: 'remove' },
			{ advancedFields: { targetType: 1, targetRules: '={{ "DE" }}' } },
		);
		expect(arrived()).toEqual([`PUT /links/${id} country[0][key]=&country[0][value]=`]);
		expect(await held(id)).toMatchObject({ country_target: null, target_type: 0 });
	});

	it('changes nothing for a key that the link does not have', async () => {
		const id = await withCountries('DE');
		const result = await update(id, { ...form('country', ['FR']), ruleMode: 'remove' });
		expect(messageOf(result)).toBe('undefined');
		expect(arrived()).toEqual([]);
		expect(hintsOf(result).join()).toContain('1 unchanged');
		const empty = await madeLink('empty');
		await update(empty, { ...form('country', ['FR']), ruleMode: 'remove' });
		expect(arrived()).toEqual([]);
	});

	it('is refused for an unknown key', async () => {
		const id = await withCountries('DE');
		const unknown = await update(id, { ...form('country', ['Atlantis']), ruleMode: 'remove' });
		expect(messageOf(unknown)).toContain('Country Rules rule 1: Country Name or Code "Atlantis"');
		expect(arrived()).toEqual([]);
	});
});

describe('without Rule Mode, or with Replace', () => {
	it.each([{}, { ruleMode: 'replace' }])('%j sends the same as before', async (more) => {
		const id = await withCountries('DE', 'FR');
		await update(id, { ...form('country', ['US', at('US')]), ...more });
		expect(arrived()).toEqual([
			`PUT /links/${id} ${sent('country', ['US', at('US')])}&target_type=1`,
		]);
		expect(current().requests.filter(({ method }) => method === 'GET')).toEqual([]);
	});

	it('an empty cell clears the rules only with Replace', async () => {
		const id = await withCountries('DE');
		const options = { emptyValues: 'clear' };
		const rows = [{ id, country: '', targetRules: undefined, notes: 1 }];
		await mapped('update', rows, { updateFields: { ruleMode: 'add' }, options });
		const targetRules = [{ id, targetType: 1, targetRules: '' }];
		await mapped('update', targetRules, { updateFields: { ruleMode: 'remove' }, options });
		expect(arrived()).toEqual([]);
		await mapped('update', [{ id, country: '' }], { options });
		expect(await countriesOf(id)).toBeNull();
	});
});

describe('many changes of one link at once', () => {
	const codes = countries.map(({ value }) => String(value));

	it('lose nothing within a run', async () => {
		const id = await withCountries('DE');
		const keys = codes.filter((code) => code !== 'DE').slice(0, 40);
		const result = await link('update', {
			items: keys.map((key) => ({ id, key })),
			parameters: {
				linkId: chosen('={{ $json.id }}' as never),
				updateFields: {
					country: {
						rules: [{ key: '={{ $json.key }}', value: '=https://example.com/{{ $json.key }}' }],
					},
					ruleMode: 'add',
				},
				options: { concurrency: 20 },
			},
		});
		expect(messageOf(result)).toBe('undefined');
		const expected = ['DE', ...keys].map((key) => ({ key, value: at(key) }));
		expect(await countriesOf(id)).toEqual(expected);
	});

	it('lose nothing across executions, which add and remove', async () => {
		const id = await withCountries('DE', 'FR');
		const keys = codes.filter((code) => !['DE', 'FR'].includes(code)).slice(0, 24);
		const runs = [0, 1, 2, 3].map(
			async (run) =>
				await mapped(
					'update',
					keys
						.slice(run * 6, run * 6 + 6)
						.map((key) => ({ alias: 'made', country: `${key}=${at(key)}` })),
					{
						linkId: undefined as never,
						matchBy: 'alias',
						updateFields: { ruleMode: 'add' },
						options: { concurrency: 5 },
					},
				),
		);
		const removing = update(id, { ...form('country', ['FR']), ruleMode: 'remove' });
		for (const result of await Promise.all([...runs, removing])) {
			expect(messageOf(result)).toBe('undefined');
		}
		const stored = (await countriesOf(id)) as { key: string }[];
		expect(stored.map(({ key }) => key).sort()).toEqual(['DE', ...keys].sort());
	});
});

describe('columns and rules', () => {
	it('refuses two rows of a sheet that set one key of one link to different URLs', async () => {
		const id = await withCountries('DE');
		const rows = ['a', 'b'].map((name) => ({ id, country: `US=${at(name)}` }));
		const result = await mapped('update', rows, { updateFields: { ruleMode: 'add' } });
		expect(messageOf(result)).toContain('Country Rules (US) differs from item 1');
		expect(arrived()).toEqual([]);
	});

	it.each<[what: string, differing: string, rows: Record<string, unknown>[]]>([
		[
			'that add and remove one URL of a rotation',
			`Rotation Rules (${at('a')})`,
			['add', 'remove', 'add'].map((mode) => ({ mode, rotation: at('a') })),
		],
		[
			'that add and remove one pixel',
			'Pixel Names or IDs (4)',
			['add', 'remove', 'add'].map((mode) => ({ mode, pixelIds: 4 })),
		],
		[
			'of which one replaces the rules to which the other adds',
			'Country Rules',
			['US', 'DE'].map((key) => ({ mode: key === 'US' && 'add', country: `${key}=${at(key)}` })),
		],
		[
			'of which one turns off the rules to which the other adds',
			'Target Type',
			[{ mode: 'add', country: `US=${at('US')}` }, { targetType: 'None' }],
		],
	])('refuses rows of a sheet %s', async (_, differing, rows) => {
		const id = await withCountries('DE');
		const mode = '={{ $json.mode || "replace" }}';
		const result = await mapped(
			'update',
			rows.map((row) => ({ id, ...row })),
			{ updateFields: { ruleMode: mode, pixelMode: mode }, inputsToIgnore: 'mode' },
		);
		expect(messageOf(result)).toBe(
			`Item 2: ${differing} differs from item 1, which changes the same link; keep only one of the two`,
		);
		expect(arrived()).toEqual([]);
	});

	it('accepts rows of a sheet that add the same, and remove something else', async () => {
		const id = await withCountries('DE', 'FR');
		const rows = [
			{ id, mode: 'add', country: `US=${at('US')}` },
			{ id, mode: 'remove', country: 'DE' },
			{ id, mode: 'add', country: `US=${at('US')}, IT=${at('IT')}` },
		];
		const updateFields = { ruleMode: '={{ $json.mode }}' };
		const result = await mapped('update', rows, { updateFields, inputsToIgnore: 'mode' });
		expect(messageOf(result)).toBe('undefined');
		expect(await countriesOf(id)).toEqual(
			['FR', 'US', 'IT'].map((key) => ({ key, value: at(key) })),
		);
	});

	it.each([
		['pixelMode', 'Pixel Mode'],
		['Pixel Mode', 'Pixel Mode'],
		['rule_mode', 'Rule Mode'],
	])('never ignores a column %s in silence', async (column, label) => {
		const id = await withCountries('DE');
		const rows = [{ id, country: `US=${at('US')}`, [column]: 'add' }];
		const failed = await mapped('update', rows);
		expect(messageOf(failed)).toBe(
			`Column "${column}" does not set ${label}. Set ${label} in the form, or to an expression that uses the column. Otherwise, add the column to Inputs to Ignore.`,
		);
		expect(arrived()).toEqual([]);
		const unknown = await mapped('update', rows, { options: { unknownColumns: 'fail' } });
		expect(messageOf(unknown)).toContain(column);
		const ignored = await mapped('update', rows, { options: { unknownColumns: 'ignore' } });
		expect(hintsOf(ignored).join()).toContain(`${column} (set ${label} in the form)`);
		const listed = await mapped('update', rows, { inputsToIgnore: column });
		expect(messageOf(listed)).toBe('undefined');
		const name = label === 'Rule Mode' ? 'ruleMode' : 'pixelMode';
		const updateFields = { [name]: `={{ $json[${JSON.stringify(column)}] }}` };
		expect(messageOf(await mapped('update', rows, { updateFields }))).toBe('undefined');
		const created = await mapped('create', [{ url: at('a'), [column]: 'add' }]);
		expect(messageOf(created)).toBe('undefined');
	});
});

it('shows the merged rules in a dry run, and the rules of the item in a raw one', async () => {
	const id = await withCountries('DE');
	const add = { ...form('country', ['US', at('US')]), ruleMode: 'add' };
	const options = { dryRun: true };
	expect(jsonOf(await update(id, add, { options }))).toMatchObject([
		{ outcome: 'updated', before: `Country Rules: DE=${at('DE')}` },
	]);
	const same = { ...form('country', ['DE', at('DE')]), ruleMode: 'add' };
	expect(outcomesOf(await update(id, same, { options }))).toEqual(['unchanged']);
	const raw = await update(id, add, { options, output: 'raw' });
	expect(jsonOf(raw)).toMatchObject([
		{ method: 'PUT', add: { 'country[0][key]': 'US', 'country[0][value]': at('US') } },
	]);
	expect(jsonOf(raw)[0]?.form).toEqual({});
	expect(arrived()).toEqual([]);
});

describe('a service that lies about rules', () => {
	const scripted = useScriptedService();
	const rule = (key: string) => ({ key, value: at(key) });

	/** Adds US, or removes DE, for a link with these values, which the service returns to each request. */
	const changed = async (ruleMode: string, shown: IDataObject, written: IDataObject = shown) => {
		scripted.current().follow(({ method }) => oneOf(linkAs(method === 'GET' ? shown : written)));
		const result = await scripted.link('update', {
			onError: 'continueRegularOutput',
			parameters: {
				linkId: chosen(1),
				updateFields: {
					...form('country', [ruleMode === 'add' ? 'US' : 'DE', at('US')]),
					ruleMode,
				} as never,
			},
		});
		const writes = scripted.current().requests.filter(({ method }) => method !== 'GET');
		return { error: errorsOf(result)[0], form: writes.map(({ body }) => decodeURIComponent(body)) };
	};

	it.each<[string, unknown]>([
		['an object by key', { DE: at('DE'), FR: at('FR') }],
		['JSON text', JSON.stringify([rule('DE')])],
		['text', `DE=${at('DE')}`],
		['a number', 2],
		['other names', [{ country: 'DE', url: at('DE') }]],
		['an unreadable rule', [rule('DE'), null]],
		['a rule without a URL', [rule('DE'), { key: 'FR', value: '' }]],
		['a rule without a key', [rule('DE'), { value: at('FR') }]],
		['a key that is not a country', [rule('DE'), rule('Atlantis')]],
		['two rules for one country', [rule('DE'), { key: 'DE', value: at('2') }]],
		['a URL without a scheme', [rule('DE'), { key: 'FR', value: 'example' }]],
	])('as %s fails the item, and is never overwritten', async (_, rules) => {
		for (const mode of ['add', 'remove']) {
			const { error, form: sentForms } = await changed(mode, {
				country_target: rules as never,
				target_type: 1,
			});
			expect(error).toBe(
				'The service does not return the Country Rules of the link in a known form, so the node cannot add or remove values',
			);
			expect(sentForms).toEqual([]);
		}
	});

	it('by not returning them fails the item', async () => {
		for (const mode of ['add', 'remove']) {
			const { error, form: sentForms } = await changed(mode, {
				country_target: undefined as never,
			});
			expect(error).toBe(
				'The service does not return the Country Rules of the link, so the node cannot add or remove values',
			);
			expect(sentForms).toEqual([]);
		}
	});

	it.each<[string, unknown, string]>([
		['missing', undefined, ''],
		['unknown', 7, ' in a known form'],
		['a name', 'Geographic', ' in a known form'],
	])('with a target type that is %s fails an Add', async (_, type, how) => {
		const { error, form: sentForms } = await changed('add', {
			country_target: [rule('DE')],
			target_type: type as never,
		});
		expect(error).toBe(
			`The service does not return the Target Type of the link${how}, so the node cannot add or remove values`,
		);
		expect(sentForms).toEqual([]);
	});

	it('that reads 07 as 7 keeps the rules of rows with both spellings of the ID', async () => {
		let stored: IDataObject[] = [];
		scripted.current().follow(({ method, body }) => {
			if (method !== 'GET') {
				const form = new URLSearchParams(body);
				const count = [...form.keys()].filter((name) => name.endsWith('[key]')).length;
				stored = Array.from({ length: count }, (_, index) => ({
					key: form.get(`country[${index}][key]`),
					value: form.get(`country[${index}][value]`),
				}));
			}
			return oneOf(linkAs({ id: 7, target_type: 1, country_target: stored }));
		});
		const keys = { 7: 'US', '07': 'DE', '007': 'FR' };
		await scripted.link('update', {
			items: Object.entries(keys).map(([id, key]) => ({ id, key })),
			parameters: {
				linkId: byId('={{ $json.id }}'),
				updateFields: {
					country: { rules: [{ key: '={{ $json.key }}', value: at('x') }] },
					ruleMode: 'add',
				},
			},
		});
		expect(stored.map(({ key }) => key).sort()).toEqual(Object.values(keys).sort());
	});

	it('accepts another order, numbers as text, and empty rules', async () => {
		const shown = {
			country_target: [rule('FR'), { key: '', value: '' }, rule('DE')],
			target_type: '1',
		};
		const written = { ...shown, country_target: [rule('US'), rule('DE'), rule('FR')] };
		const { error, form: sentForms } = await changed('add', shown, written);
		expect(error).toBeNull();
		expect(sentForms).toEqual([
			sent('country', ['FR', at('FR')], ['DE', at('DE')], ['US', at('US')]),
		]);
	});

	it.each<[string, IDataObject]>([
		['fewer rules', { country_target: [rule('US')], target_type: 1 }],
		['the rules from before', { country_target: [rule('DE'), rule('FR')], target_type: 1 }],
		['no rules', { country_target: [], target_type: 1 }],
	])('about its write, with %s, fails the item', async (_, written) => {
		const shown = { country_target: [rule('DE'), rule('FR')], target_type: 1 };
		const { error } = await changed('add', shown, written);
		expect(error).toMatch(/^The service reported success, but did not store Country Rules/);
	});

	it('fails an Add if the write turned the rules off', async () => {
		const shown = { country_target: [rule('DE')], target_type: 1 };
		const written = { country_target: [rule('DE'), rule('US')], target_type: 0 };
		expect((await changed('add', shown, written)).error).toBe(
			'The service reported success, but did not store Target Type (sent "1", returned 0)',
		);
		expect((await changed('remove', shown, { target_type: 0 })).error).toBeNull();
	});
});
