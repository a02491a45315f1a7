import fc from 'fast-check';
import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import { loadPackage } from '../../support/n8n.ts';
import { creations, reconciliations } from '../../support/operationNames.ts';
import '../../support/randomTests.ts';
import { jsonOf, pairsOf } from '../../support/service.ts';
import {
	chosen,
	descriptionOf,
	errorsOf,
	hintsOf,
	messageOf,
	useColumns,
	type Cells,
	type Write,
} from '../../support/columns.ts';

const { current, link, items, mapped, arrived, lastForm, madeLink, held } = useColumns();

const url = 'https://example.com/';
const continues = { onError: 'continueRegularOutput' } as const;
const madeBy = creations;

/** A run of rows whose aliases a template makes. */
const templated = async (
	operation: Write,
	aliasTemplate: string,
	rows: readonly Cells[],
	parameters: INodeParameters = {},
	run: Parameters<typeof mapped>[3] = {},
) => {
	const options = { ...(parameters.options as INodeParameters), aliasTemplate };
	return await mapped(operation, rows, { ...parameters, options }, run);
};

const aliasesOf = (result: Awaited<ReturnType<typeof link>>) =>
	jsonOf(result).map(({ alias }) => alias);

describe('an alias', () => {
	it.each<[unknown, unknown, string]>([
		['DE', 'Spring Sale 2030!', 'de-spring-sale-2030'],
		['Österreich', 'ÜBER été', 'osterreich-uber-ete'],
		['DE', 'e\u0301te\u0301', 'de-ete'],
		['①', 'GROẞE STRAẞE', '1-grosse-strasse'],
		['Łódź', 'Große Straße', 'lodz-grosse-strasse'],
		['Ελλάδα', 'Привет', 'ellada-privet'],
		['北京', '東京', 'bei-jing-dong-jing'],
		['  a__b -- c. ', '100%', 'a-b-c-100'],
		["Valentine's", 'rock ’n’ roll', 'valentines-rock-n-roll'],
		[42, 3.5, '42-3-5'],
		[true, 0, 'true-0'],
		['a\tb\nc', 'x/y?z=1&{d}', 'a-b-c-x-y-z-1-d'],
		['US$', '$& $1', 'us-1'],
		['DE 😀', '😀 sale', 'de-sale'],
	])('of %j and %j is %s', async (country, campaign, alias) => {
		const rows = [{ url, country, campaign }];
		const result = await templated('create', '{country}-{campaign}', rows);
		expect(aliasesOf(result)).toEqual([alias]);
		expect(lastForm()).toEqual({ url, domain_id: '1', alias });
	});

	it('is cut to 255, and does not end with a hyphen then', async () => {
		const long = { a: 'x'.repeat(300), b: `${'y'.repeat(254)} z`, c: 'é '.repeat(200) };
		const rows = (['a', 'b', 'c'] as const).map((name) => ({ url, name: long[name] }));
		const result = await templated('create', '{name}', rows);
		expect(aliasesOf(result)).toEqual([
			'x'.repeat(255),
			'y'.repeat(254),
			'e-'.repeat(200).slice(0, 255),
		]);
		const cut = { url, name: `${'y'.repeat(300)}`, other: 'z' };
		expect(aliasesOf(await templated('create', '{other}-{name}', [cut]))).toEqual([
			`z-${'y'.repeat(253)}`,
		]);
	});

	it('of any text is letters and digits joined by hyphens, or is refused', async () => {
		const value = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.string({ unit: 'grapheme', maxLength: 400 }),
			fc.string({ unit: fc.constantFrom(..."ÄßłéñøŞİı-_. '’{}$&") }),
			fc.double(),
			fc.constantFrom<unknown>(null, [], {}, [1], { a: 'b' }),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 20 }), async (values) => {
				current().clear();
				const rows = values.map((one, n) => ({ url, n, one }));
				const result = await templated('create', '{n}-{one}', rows, {}, continues);
				expect(jsonOf(result)).toHaveLength(rows.length);
				for (const [n, { alias, error }] of jsonOf(result).entries()) {
					const written = values[n];
					if (error === undefined) {
						expect(alias).toMatch(new RegExp(`^${n}(-[a-z0-9]+)+$`));
						expect(String(alias).length).toBeLessThanOrEqual(255);
					} else {
						expect(error).toMatch(`Item ${n + 1}: Alias Template needs the column "one", which `);
						expect(typeof written === 'string' && /[a-z\d]/i.test(written)).toBe(false);
						const isRounded = Number.isInteger(written) && !Number.isSafeInteger(written);
						expect(Number.isFinite(written) && !isRounded).toBe(false);
					}
				}
			}),
			{ numRuns: 60 },
		);
	});

	it('is made of columns named in any usual way, the exact one first', async () => {
		const loose = [{ url, 'Country Code': 'DE' }];
		const one = await templated('create', '{country_code}/{ COUNTRY-code }', loose);
		expect(aliasesOf(one)).toEqual(['de-de']);
		const rows = [{ url, Country: 'exact', country: 'other' }];
		expect(aliasesOf(await templated('create', '{country}', rows))).toEqual(['other']);
		expect(aliasesOf(await templated('create', '{Country}', rows))).toEqual(['exact']);
	});

	it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
		'may be made of a column named %s, and of nothing else of that name',
		async (name) => {
			const rows = [JSON.parse(`{"url": "${url}", "${name}": "${name} 1"}`) as Cells];
			const result = await templated('create', `{${name}}`, rows);
			expect(String(aliasesOf(result)[0])).toMatch(/^[a-z]+-1$/);
			const missing = await templated('create', `{${name}}`, [{ url }]);
			expect(messageOf(missing)).toContain(`"${name}", which is missing or empty`);
		},
	);
});

describe.each(madeBy)('a row of %s', (operation) => {
	it('that lacks what the template needs is refused, with its number and the columns', async () => {
		const rows = [
			{ url, country: 'DE', campaign: 'x' },
			{ url, country: ' ', campaign: null },
			{ url, country: 'AT' },
			{ url, country: '!?', campaign: '😀' },
		];
		const result = await templated(operation, '{country}-{campaign}', rows);
		expect(messageOf(result)).toBe('3 of 4 items cannot be sent');
		const need = (column: string, wrong: string) =>
			`Alias Template needs the column "${column}", which ${wrong}; fill it in`;
		const empty = 'is missing or empty';
		const none = 'has no letter or digit';
		expect(descriptionOf(result).split('\n')).toEqual([
			`Item 2: ${need('country', empty)}.`,
			`${need('campaign', `${empty} in items 2, 3`)}.`,
			`Item 4: ${need('country', none)}. ${need('campaign', none)}.`,
			'Nothing was sent.',
		]);
		const whole = await templated(operation, ' - ', [{ url }]);
		expect(messageOf(whole)).toBe(
			'Item 1: Alias Template results in an empty alias; add the name of a column',
		);
		const open = await templated(operation, '{a-{campaign}', rows.slice(0, 1));
		expect(messageOf(open)).toMatch(/^Item 1: Alias Template has an unmatched brace; /);
		expect(current().requests).toEqual([]);
	});

	it('keeps the alias that it has, but not one of spaces', async () => {
		const rows = [
			{ url, alias: 'Own_One', sku: 1 },
			{ url, alias: ' ', sku: 2 },
			{ url, alias: 7, sku: 3 },
			{ url, sku: 4 },
		];
		const result = await templated(operation, 'p-{sku}', rows);
		expect(aliasesOf(result)).toEqual(['Own_One', 'p-2', '7', 'p-4']);
	});

	it('that would have the alias of another one is refused, and neither is sent', async () => {
		const twice = [
			{ url, name: 'a b' },
			{ url: `${url}2`, name: 'A-B' },
		];
		const long = [
			{ url, name: 'x'.repeat(256) },
			{ url: `${url}2`, name: 'x'.repeat(257) },
		];
		const given = [
			{ url, name: 'ab', alias: 'a-b' },
			{ url: `${url}2`, name: 'a b' },
		];
		for (const rows of [twice, long, given, given.toReversed()]) {
			const result = await templated(operation, '{name}', [{ url, name: 'first' }, ...rows]);
			expect(messageOf(result)).toMatch(
				/^Item 3 \((a-b|x{39}…)\): Alias has the same value as item 2, but other fields differ; keep only one of the two$/,
			);
		}
		expect(arrived()).toEqual([]);
		const going = await templated(operation, '{name}', twice, {}, continues);
		expect(errorsOf(going)).toEqual([
			null,
			expect.stringMatching(/^Item 2 \(a-b\): .* as item 1, /),
		]);
		expect(current().counts().links).toBe(1);
	});

	it('that is the same as another one is done once', async () => {
		const rows = ['A b', 'a-B', 'other', 'a b'].map((name, note) => ({ url, name, note }));
		const result = await templated(operation, '{name}', rows);
		expect(aliasesOf(result)).toEqual(['a-b', 'a-b', 'other', 'a-b']);
		expect(pairsOf(result)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		expect(arrived()).toHaveLength(2);
		expect(hintsOf(result).join()).toMatch(/^4 items: 2 created, 2 repeated/);
	});

	it('fills no field with a column that the template uses', async () => {
		const rows = [
			{ url, country: 'DE', 'Country Rules': `DE=${url}de`, targetType: 1, utm_campaign: 'a' },
			{ url, Country: 'AT', spaceId: 2, utm_campaign: 'b' },
		];
		const options = { concurrency: 1 };
		const result = await templated(operation, '{country}-{utm_campaign}', rows, { options });
		expect(result.error).toBeUndefined();
		const rules = `country[0][key]=DE&country[0][value]=${url}de`;
		expect(arrived()).toEqual([
			`POST /links url=${url}&domain_id=1&alias=de-a&${rules}&target_type=1`,
			`POST /links url=${url}&domain_id=1&alias=at-b&space_id=2`,
		]);
		expect(hintsOf(result).at(-1)).toBe('Mapped columns: url, Country Rules, targetType, spaceId.');
	});

	it('may have its values from the form, which need not have an alias then', async () => {
		const needed = {
			domainId: chosen(1),
			syncScope: { domainId: chosen(1) },
			unmatchedLinks: 'keep',
		};
		const parameters = {
			...needed,
			url: '={{ $json.to }}',
			options: { aliasTemplate: '{country}-{n}' },
		};
		const rows = [1, 2].map((n) => ({ to: `${url}${n}`, Country: 'DE', n }));
		const result = await link(operation, { items: items(rows), parameters });
		expect(aliasesOf(result)).toEqual(['de-1', 'de-2']);

		const { description } = (await loadPackage()).getNode('link');
		if (!('properties' in description)) throw new Error('the node has no properties');
		const issuesOf = (given: INodeParameters) => {
			const node: INode = {
				id: '1',
				name: 'Link',
				type: 'link',
				typeVersion: 1,
				position: [0, 0],
				parameters: { resource: 'link', operation, ...needed, ...given },
			};
			const { properties } = description;
			node.parameters =
				NodeHelpers.getNodeParameters(
					properties,
					node.parameters,
					true,
					false,
					node,
					description,
				) ?? {};
			const issues = NodeHelpers.getNodeParametersIssues(properties, node, description);
			return Object.keys(issues?.parameters ?? {});
		};
		const alone = operation === 'create' ? [] : ['alias'];
		expect(issuesOf({ url })).toEqual(alone);
		expect(issuesOf({ url, options: { aliasTemplate: '{a}' } })).toEqual([]);
		expect(issuesOf({ url, options: { aliasTemplate: '' } })).toEqual(alone);
		expect(issuesOf({ options: { aliasTemplate: '{a}' } })).toEqual(['url']);
		expect(issuesOf({ mappingColumnMode: 'autoMapInputData' })).toEqual([]);
	});
});

describe('a run with a template', () => {
	it.each(reconciliations)(
		'that is empty has no alias for %s, and touches no link',
		async (operation) => {
			const id = await madeLink('precious');
			for (const template of ['', '  ', '={{ null }}', '={{ $json.template }}']) {
				const result = await templated(operation, template, [{ url, disabled: true }]);
				expect(messageOf(result)).toMatch(/^Item 1: Alias is missing; /);
			}
			expect(arrived()).toEqual([]);
			expect(await held(id)).toMatchObject({ url: 'https://example.com/old', disabled: 0 });
		},
	);

	it('changes nothing the second time', async () => {
		const rows = ['Ä', 'ö', 'Ü'].map((name, n) => ({ url: `${url}${n}`, name }));
		for (const operation of reconciliations) {
			await templated(operation, `${operation}-{name}`, rows);
			current().requests.length = 0;
			const again = await templated(operation, `${operation}-{name}`, rows);
			expect(jsonOf(again).map(({ outcome }) => outcome)).toEqual(rows.map(() => 'unchanged'));
			expect(arrived()).toEqual([]);
		}
	});

	it('leaves updates alone, whose link is named otherwise', async () => {
		const id = await madeLink('kept');
		const row = { id, country: `DE=${url}de`, targetType: 1, name: 'new' };
		const result = await templated('update', '{country}-{name}', [row]);
		expect(result.error).toBeUndefined();
		expect(await held(id)).toMatchObject({ alias: 'kept', country_target: [{ key: 'DE' }] });
	});

	it('tells rows of two domains apart, and refuses an alias outside of the scope', async () => {
		const rows = [1, 2].map((domain) => ({ url: `${url}${domain}`, domain, name: 'same' }));
		const both = await templated('create', '{name}', rows);
		expect(aliasesOf(both)).toEqual(['same', 'same']);
		current().requests.length = 0;
		const scope = { domainId: chosen(1), aliasStartsWith: 'spring-' };
		const outside = await templated('sync', '{name}', [{ url, name: 'autumn' }], {
			syncScope: scope,
		});
		expect(messageOf(outside)).toMatch(/^Item 1: Alias "autumn" is outside the Sync Scope /);
		expect(current().requests).toEqual([]);
	});

	it('takes an alias of the form first, and its own before a random one', async () => {
		const fixed = { additionalFields: { alias: 'fixed' } };
		expect(aliasesOf(await templated('create', '{n}', [{ url, n: 1 }], fixed))).toEqual(['fixed']);
		const expressed = { additionalFields: { alias: '={{ $json.n > 1 ? "" : "expressed" }}' } };
		const rows = [
			{ url, n: 1 },
			{ url, n: 2 },
		];
		const result = await templated('create', 'n{n}', rows, expressed);
		expect(aliasesOf(result)).toEqual(['expressed', 'n2']);
		const options = { generateAlias: 12 };
		const made = await templated('create', 'n{n}', [{ url, n: 3 }], { options });
		expect(aliasesOf(made)).toEqual(['n3']);
	});

	it('that is tried again, or loses an answer, doubles nothing', async () => {
		const refusal = { kind: 'status', status: 403 } as const;
		const lost = { kind: 'drop', when: 'after' } as const;
		current().set({
			faults: [
				{ on: { method: 'POST' }, times: 1, effect: lost },
				{ on: { method: 'POST' }, skip: 2, times: 1, effect: refusal },
			],
		});
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const rows = [1, 2, 3, 3, 4].map((n) => ({ url: `${url}${n}`, n }));
		const options = { concurrency: 1, includeInput: true };
		const result = await templated('create', 'n{n}', rows, { options }, { settings });
		expect(result.error).toBeUndefined();
		expect(jsonOf(result).map(({ n, link: made }) => [n, (made as Cells).alias])).toEqual(
			rows.map(({ n }) => [n, `n${n}`]),
		);
		expect(current().counts().links).toBe(4);
	});
});
