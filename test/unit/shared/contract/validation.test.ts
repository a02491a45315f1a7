import { encodeOptions } from '../../../support/encodeOptions.ts';
import { creations, operationsById, reconciliations } from '../../../support/operationNames.ts';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import { encodeRow } from '../../../support/encodeRow.ts';
import type { OperationName, Parameters as Values } from '../../../../nodes/shared/contract/types';
import { paramsOf } from '../../../../nodes/shared/contract/encodedRow';
import type { ResourceContract } from '../../../../nodes/shared/contract/resourceTypes';
import { told, type ProblemText } from '../../../support/problems.ts';
import * as spec from '../../../spec.ts';

const address = 'https://example.com/';

const encoded = (contract: ResourceContract, operation: OperationName, parameters: Values) =>
	told(encodeRow({ contract, operation, options: encodeOptions }, parameters));

/** What is wrong with a row; nothing for a row that can be sent. */
function problemsOf(...row: Parameters<typeof encoded>): readonly ProblemText[] {
	const result = encoded(...row);
	return 'contract' in result ? [] : result;
}

/** The problems of a link update that changes the given fields. */
const updating = (updateFields: Values) =>
	problemsOf(linkContract, 'update', { linkId: '7', updateFields });

/** The params of a row that can be sent; problems fail the test. */
function sentBy(...row: Parameters<typeof encoded>) {
	const result = encoded(...row);
	if (!('contract' in result)) throw new Error(JSON.stringify(result));
	return paramsOf(result.fields);
}

/** The params of a link update that changes the given fields. */
const sentFor = (updateFields: Values) =>
	sentBy(linkContract, 'update', { linkId: '7', updateFields });

interface Table {
	readonly param: string;
	readonly key: string;
	readonly label: string;
	/** Values that are taken, and the text that goes out for each. */
	readonly good: [unknown, string][];
	readonly bad: unknown[];
	/** What each reason holds: the remedy. */
	readonly remedy: string;
}

const urls = {
	good: [
		['https://example.com', 'https://example.com'],
		['http://example.com:8080/a?b=c#d', 'http://example.com:8080/a?b=c#d'],
		['https://exämple.com/größe', 'https://exämple.com/größe'],
		['myapp://open/page', 'myapp://open/page'],
		['mailto:someone@example.com', 'mailto:someone@example.com'],
	] as [unknown, string][],
	bad: [
		...['example.com', '/page', '//example.com/page', '?a=b', 'page'],
		...['localhost:3000', 'localhost:3000/page', 'example.com:8080', 'example.com:443/page?a=b'],
		...['127.0.0.1:80', 'sub.example.co.uk:8443#top'],
		...[5, true, false, {}, { href: address }, [], [address, address]],
	],
	remedy: 'must start with https://',
};

const tables: Table[] = [
	{ param: 'url', key: 'url', label: 'Destination URL', ...urls },
	{ param: 'expirationUrl', key: 'expiration_url', label: 'Expiration Redirect URL', ...urls },
	{
		param: 'privacy',
		key: 'privacy',
		label: 'Statistics Privacy',
		good: [
			[0, '0'],
			[1, '1'],
			[2, '2'],
			['0', '0'],
			['2', '2'],
			[' 1', '1'],
			[' 1 \n', '1'],
			['Public', '0'],
			[' private', '1'],
			['PASSWORD\u00a0', '2'],
		],
		bad: [
			...[3, '3', -1, 1.5, '01', '1 2', '1.', 'Publi', 'secret', true, false, {}, [], [1, 2]],
			...[NaN, Infinity, 'Invalid DateTime'],
		],
		remedy: '2 (Password), 1 (Private), 0 (Public)',
	},
	{
		param: 'targetType',
		key: 'target_type',
		label: 'Target Type',
		good: [
			[0, '0'],
			['1', '1'],
			[2, '2'],
			['3', '3'],
			[4, '4'],
			['4\t', '4'],
			['None', '0'],
			['geographic', '1'],
			['\ufeffRotation', '4'],
		],
		bad: [5, '5', -1, '-1', 'Country', '—', true, NaN, {}, []],
		remedy: '4 (Rotation)',
	},
	{
		param: 'disabled',
		key: 'disabled',
		label: 'Disabled',
		good: [
			[true, '1'],
			[false, '0'],
			['true', '1'],
			['FALSE', '0'],
			[1, '1'],
			[0, '0'],
			['1', '1'],
			['0', '0'],
			['true ', '1'],
			[' False\n', '0'],
			[' 0', '0'],
			['yes', '1'],
			['On', '1'],
			['NO ', '0'],
			['off\u00a0', '0'],
		],
		bad: [2, -1, 'y', 'n', 'enabled', '01', '1 0', NaN, Infinity, {}, [], [true, false]],
		remedy: 'enter true or false',
	},
	{
		param: 'expirationClicks',
		key: 'expiration_clicks',
		label: 'Expiration Clicks',
		good: [
			[0, '0'],
			[12, '12'],
			['12', '12'],
			[' 12 ', '12'],
			['007', '7'],
			[999999999, '999999999'],
			[-5, '-5'],
		],
		bad: [
			...[1.5, '1.5', '1e3', '0x10', '1,000', 'many', 2 ** 60, 1e21, true, {}, [], [12]],
			...[NaN, Infinity, -Infinity, 'NaN'],
		],
		remedy: 'enter digits only, such as 100',
	},
	{
		param: 'spaceId',
		key: 'space_id',
		label: 'Space',
		good: [
			[4, '4'],
			[0, '0'],
			['4', '4'],
			[' 4 ', '4'],
			['b6f1-x', 'b6f1-x'],
			['...', '...'],
			[{ __rl: true, mode: 'id', value: '4' }, '4'],
		],
		bad: ['.', '..', ' .. ', true, NaN, Infinity, 'NaN', {}, [], [4]],
		remedy: 'enter the ID that the service shows',
	},
	...['alias', 'password', 'privacyPassword'].map((param) => ({
		param,
		key: { alias: 'alias', password: 'password' }[param] ?? 'privacy_password',
		label: { alias: 'Alias', password: 'Password' }[param] ?? 'Statistics Password',
		good: [
			['spring', 'spring'],
			// Services trim an alias, but not a password.
			[' spring sale ', param === 'alias' ? 'spring sale' : ' spring sale '],
			['\tspring\n', param === 'alias' ? 'spring' : '\tspring\n'],
			[42, '42'],
			[0, '0'],
			...(param === 'alias'
				? [
						[true, 'true'],
						['true', 'true'],
					]
				: []),
		] as [unknown, string][],
		bad: [
			...[{}, { a: 1 }, [], ['a', 'b'], NaN, Infinity, -Infinity],
			...['Invalid DateTime', 'Invalid Date', ' Invalid DateTime '],
		],
		remedy: 'enter a single value',
	})),
];

describe.each(tables)('$label', ({ param, key, label, good, bad, remedy }) => {
	it.each(good)('accepts %j', (value, text) => {
		expect(sentFor({ [param]: value })).toEqual([[key, text]]);
	});

	it.each(bad.map((value) => [value]))('refuses %j', (value) => {
		expect(updating({ [param]: value })).toEqual([
			{ field: label, key, reason: expect.stringContaining(remedy) },
		]);
	});
});

describe('a URL', () => {
	it.each(['https://example.com/\nb', 'https://exa\rmple.com', 'https://example.com\r\nb'])(
		'with a line break is refused: %j',
		(value) => {
			for (const param of ['url', 'expirationUrl']) {
				expect(updating({ [param]: value })).toEqual([
					expect.objectContaining({
						reason: expect.stringContaining(
							'contains a line break; enter each address on its own line',
						),
					}),
				]);
			}
		},
	);

	it('is refused with a second address after a space', () => {
		for (const param of ['url', 'expirationUrl']) {
			expect(updating({ [param]: 'https://example.com/a https://example.com/b' })).toEqual([
				expect.objectContaining({
					reason: expect.stringContaining('contains more than one address; use a separate item'),
				}),
			]);
		}
	});

	it('may contain a space, or another address in its query', () => {
		for (const url of [
			'https://example.com/my file.pdf',
			'https://example.com/?to=https://b.example/',
		])
			expect(sentFor({ url })).toEqual([['url', url]]);
	});

	it('is trimmed', () => {
		expect(sentFor({ url: ' https://example.com/ \n' })).toEqual([['url', 'https://example.com/']]);
	});

	it('is refused with a complete sentence', () => {
		expect(updating({ url: 'example.com' })).toEqual([
			{
				field: 'Destination URL',
				key: 'url',
				reason: '"example.com" must start with https://',
			},
		]);
	});
});

describe('the pixels of a link', () => {
	it.each([
		['3', ['3']],
		['3,8', ['3', '8']],
		[' 3 , 8 ', ['3', '8']],
		['3,8,3', ['3', '8']],
		[3, ['3']],
		[
			[3, ' 8 '],
			['3', '8'],
		],
		[[{ __rl: true, mode: 'id', value: 5 }], ['5']],
		['[3, "8"]', ['3', '8']],
		[' [3] ', ['3']],
		[[{ id: 3 }], ['3']],
		[
			[{ id: 3, name: 'Spring', type: 'facebook' }, { id: ' 8 ' }, 3],
			['3', '8'],
		],
		['[{ "id": 3 }]', ['3']],
		['3; 8', ['3', '8']],
		['3\n8\r\n9', ['3', '8', '9']],
	])('accept %j', (value, ids) => {
		expect(sentFor({ pixelIds: value })).toEqual(ids.map((id) => ['pixel_ids[]', id]));
	});

	it.each([
		['3,..', '".."'],
		[NaN, 'NaN'],
		[Infinity, 'Infinity'],
		[[3, null], 'null'],
		[[3, ''], '""'],
		[[3, NaN], 'NaN'],
		// A hole in the list.
		[Object.assign([3], { 2: 8 }), 'undefined'],
		[[3, { id: null }], '{"id":null}'],
		[[{}], '{}'],
		[[{ id: undefined }], '{}'],
		[[{ id: null }], '{"id":null}'],
		['[{}]', '{}'],
		[[{ id: { id: 3 } }], '{"id":{"id":3}}'],
		[[[3]], '[3]'],
	])('refuse %j and quote the invalid entry', (value, quoted) => {
		expect(updating({ pixelIds: value })).toEqual([
			{
				field: 'Pixels',
				key: 'pixel_ids',
				reason: `${quoted} is not an ID; enter the ID that the service shows, such as 42`,
			},
		]);
	});

	it.each([[[null]], [['', ' ']], [new Array(2)], ['[]'], ['[ ]']])(
		'are unset by the empty value %j',
		(value) => {
			expect(sentFor({ alias: 'a', pixelIds: value })).toEqual([['alias', 'a']]);
		},
	);

	it.each([
		[{ id: 3 }, '{"id":3}'],
		[true, 'true'],
	])('refuse %j, which is not a list', (value, quoted) => {
		expect(updating({ pixelIds: value })).toEqual([
			{
				field: 'Pixels',
				key: 'pixel_ids',
				reason: `${quoted} is not a list of IDs; write it as 3,8 or as [3, 8]`,
			},
		]);
	});
});

/** The rules of each kind, and the target type that they need. */
const kinds = [
	{ param: 'country', label: 'Country Rules', type: 1, key: 'DE', name: 'Country Name or Code' },
	{ param: 'platform', label: 'Platform Rules', type: 2, key: 'OS X', name: 'Platform' },
	{ param: 'language', label: 'Language Rules', type: 3, key: 'de', name: 'Language Name or Code' },
	{ param: 'rotation', label: 'Rotation Rules', type: 4, key: undefined, name: undefined },
];

const typeNames = ['None', 'Geographic', 'Platform', 'Language', 'Rotation'];

describe.each(kinds)('$label', ({ param, label, type, key, name }) => {
	const rule = { ...(key === undefined ? {} : { key }), value: address };
	const withRules = (rules: unknown) => ({ targetType: type, [param]: { rules } });
	const problem = (reason: string) => ({ field: label, key: param, reason });
	const missing = 'is missing; fill it in or remove the rule';

	it('accept their target type as a number or as text', () => {
		expect(updating(withRules([rule]))).toEqual([]);
		expect(updating({ ...withRules([rule]), targetType: String(type) })).toEqual([]);
	});

	it.each([undefined, '', null])('imply the target type if it is %j', (other) => {
		expect(sentFor({ ...withRules([rule]), targetType: other })).toEqual(
			sentFor(withRules([rule])),
		);
	});

	it.each([0, 1, 2, 3, 4].filter((other) => other !== type))(
		'are refused with target type %j, which is named',
		(other) => {
			expect(updating({ ...withRules([rule]), targetType: other, alias: 'a' })).toEqual([
				problem(
					`contradicts Target Type ${typeNames[other]}; leave Target Type out, or remove this field`,
				),
			]);
		},
	);

	it.each(kinds.filter((other) => other.param !== param))(
		'are refused beside $label',
		({ param: second, key: itsKey }) => {
			const its = { ...(itsKey === undefined ? {} : { key: itsKey }), value: address };
			const both = updating({ [param]: { rules: [rule] }, [second]: { rules: [its] } });
			const [first, last] = kinds
				.filter((kind) => [param, second].includes(kind.param))
				.toSorted((a, b) => a.label.localeCompare(b.label));
			expect(both).toEqual([
				{
					field: last?.label,
					key: last?.param,
					reason: `cannot be combined with ${first?.label}; keep only one of them`,
				},
			]);
		},
	);

	it('may be empty with any target type', () => {
		expect(updating({ alias: 'a', targetType: 0, [param]: {} })).toEqual([]);
		expect(updating({ alias: 'a', targetType: 0, [param]: { rules: [] } })).toEqual([]);
	});

	it.each(kinds.filter((other) => other.param !== param))(
		'are taken beside $label where Target Type says which counts',
		({ param: second, key: itsKey }) => {
			const its = { ...(itsKey === undefined ? {} : { key: itsKey }), value: address };
			const both = { [param]: { rules: [rule] }, [second]: { rules: [its] } };
			expect(updating({ ...both, targetType: type })).toEqual([]);
		},
	);

	it('skip empty rules', () => {
		const empties = [{}, { key: '', value: '' }, { key: null, value: ' ' }, { value: undefined }];
		const expected = sentFor(withRules([rule]));
		expect(sentFor(withRules([...empties, rule, ...empties]))).toEqual(expected);
		expect(expected.map(([name]) => name)).toEqual(
			expect.arrayContaining([`${param}[0][value]`, 'target_type']),
		);
		for (const empty of empties) {
			expect(sentFor(withRules([empty]))).toEqual([['target_type', String(type)]]);
		}
	});

	it('are refused if a destination is not a URL', () => {
		expect(updating(withRules([{ ...rule, value: 'example.com' }]))).toEqual([
			problem('rule 1: Destination URL "example.com" must start with https://'),
		]);
	});

	const examples =
		key === undefined
			? 'write one URL per line'
			: {
					country: 'write one rule per line, such as US=https://example.com/us, or JSON',
					language: 'write one rule per line, such as en=https://example.com/en, or JSON',
					platform: 'write one rule per line, such as Android=https://example.com/android, or JSON',
				}[param];

	it.each([5, true, '{"DE": ', '[1', { rules: 5 }, [7], [[rule]]])(
		'are refused as %j, which is shown',
		(value) => {
			const quoted = JSON.stringify(value);
			expect(updating({ targetType: type, [param]: value })).toEqual([
				problem(expect.stringContaining(`${quoted} cannot be read as rules; ${examples}`) as never),
			]);
		},
	);

	/** Two rules as params, and in every notation that stands for them. */
	const [first, second] =
		param === 'platform' ? ['OS X', 'iOS'] : param === 'language' ? ['de', 'fr'] : ['DE', 'FR'];
	const two = ['https://a.example/?x=1,2', 'https://b.example/#y'] as const;
	const rows =
		key === undefined
			? two.map((value) => ({ value }))
			: [
					{ key: first, value: two[0] },
					{ key: second, value: two[1] },
				];
	const object = { [String(first)]: two[0], [String(second)]: two[1] };
	const texts = key === undefined ? two : [`${first}=${two[0]}`, ` ${second} = ${two[1]}`];
	const notations: unknown[] = [
		...[{ rules: rows }, rows, JSON.stringify(rows), JSON.stringify({ rules: rows })],
		...[texts, texts.join('\n'), ` ${texts.join('\r\n\n')} `, JSON.stringify(texts)],
		...(key === undefined ? [] : [object, JSON.stringify(object)]),
	];

	it.each(notations)('equal %j', (value) => {
		const params = sentFor({ targetType: type, [param]: value });
		expect(params.filter(([name]) => name !== 'target_type')).toEqual(
			rows.flatMap((row, index) =>
				Object.entries(row).map(([part, text]) => [`${param}[${index}][${part}]`, text]),
			),
		);
	});

	if (key === undefined) return;

	it('are refused with the number of a rule without a destination', () => {
		const incompleteRule = { ...rule, value: '' };
		expect(updating(withRules([rule, { ...incompleteRule, key: 'US' }]))).toEqual(
			expect.arrayContaining([problem(`rule 2: Destination URL ${missing}`)]),
		);
		expect(updating(withRules([incompleteRule]))).toEqual([
			problem(`rule 1: Destination URL ${missing}`),
		]);
	});

	it('are refused if a rule lacks its key', () => {
		for (const none of ['', null, undefined]) {
			expect(updating(withRules([{ key: none, value: address }]))).toEqual([
				problem(`rule 1: ${name} ${missing}`),
			]);
		}
	});

	it('are refused once for each repeated key', () => {
		expect(updating(withRules([rule, rule, rule]))).toEqual([
			problem(`contains several rules for "${key}"; keep only one of them`),
		]);
	});
});

it('a platform that the contract does not list is refused', () => {
	for (const key of ['Symbian', 'BlackBerry', 2, true]) {
		const platform = { rules: [{ key, value: address }] };
		expect(updating({ platform })).toEqual([
			{
				field: 'Platform Rules',
				key: 'platform',
				reason: `rule 1: Platform ${JSON.stringify(key)} is not one of the allowed values; use Android, Chrome OS, iOS, Linux, OS X, Ubuntu, Windows`,
			},
		]);
	}
});

describe('the key of a rule', () => {
	const keysOf = (param: string, keys: readonly unknown[]) =>
		keys.map((key) => sentFor({ [param]: { rules: [{ key, value: address }] } })[0]?.[1]);

	it('is a country or a language by its name or code, in any case', () => {
		expect(keysOf('country', ['Germany', ' germany', 'DE', 'de', 'UK'])).toEqual([
			...['DE', 'DE', 'DE', 'DE', 'GB'],
		]);
		expect(keysOf('language', ['German', 'DE', 'xx'])).toEqual(['de', 'de', 'xx']);
	});

	it('is a platform in any case and with or without its spaces', () => {
		expect(keysOf('platform', ['ios', 'chromeos', 'osx', 'macOS', 'Mac OS X', 'WINDOWS'])).toEqual([
			...['iOS', 'Chrome OS', 'OS X', 'OS X', 'OS X', 'Windows'],
		]);
	});

	it.each([
		['country', 'Germny', 'the English name or the ISO code, such as Germany or DE'],
		['country', 'Korea', 'the English name or the ISO code, such as Germany or DE'],
		['country', 'DEU', 'the English name or the ISO code, such as Germany or DE'],
		['language', 'en-US', 'the English name or the ISO code, such as German or de'],
	])('is refused as the %s %j, with what to enter', (param, key, choices) => {
		const [problem] = updating({ [param]: { rules: [{ key, value: address }] } });
		expect(problem?.reason).toContain(`"${key}" is not a known choice; use ${choices}`);
	});

	it('is unique in any spelling', () => {
		const country = { rules: ['Germany', 'de'].map((key) => ({ key, value: address })) };
		expect(updating({ country }).map(({ reason }) => reason)).toEqual([
			'contains several rules for "DE"; keep only one of them',
		]);
	});
});

describe('incomplete fields of a link', () => {
	const created = (operation: 'create' | 'update', additionalFields: object) =>
		operation === 'create'
			? problemsOf(linkContract, 'create', { url: address, additionalFields })
			: updating({ ...additionalFields });
	const incomplete: [object, string, string][] = [
		[{ targetType: 1 }, 'Target Type', 'Country Rules'],
		[{ targetType: '2' }, 'Target Type', 'Platform Rules'],
		[
			{ targetType: 3, language: { rules: [{ key: '', value: '' }] } },
			'Target Type',
			'Language Rules',
		],
		[{ targetType: 4 }, 'Target Type', 'Rotation Rules'],
		[{ privacy: 2 }, '', ''],
	];

	it.each(incomplete)('are refused on create: %j', (fields, field, other) => {
		const [problem, ...more] = created('create', fields);
		expect(more).toEqual([]);
		if (field) expect(problem?.field).toBe(field);
		expect(problem?.reason).toContain(`needs ${other}`);
	});

	it.each(incomplete)('are accepted on update: %j', (fields) => {
		expect(created('update', fields)).toEqual([]);
	});

	it('are complete with rules or the other field', () => {
		for (const fields of [
			{ targetType: 1, country: 'DE=https://example.com/de' },
			{ targetType: 0 },
			{ privacy: 2, privacyPassword: 'x' },
			{ privacy: 1 },
		]) {
			expect(created('create', fields)).toEqual([]);
		}
	});
});

it.each(['password', 'privacyPassword'])(
	'what a service tells of a password is none: %s',
	(param) => {
		for (const isThere of [true, false]) {
			expect(updating({ [param]: isThere })).toEqual([
				expect.objectContaining({
					reason: expect.stringMatching(/^\(hidden\) shows only whether a password is set; /),
				}),
			]);
		}
	},
);

it.each(spec.link.fields.filter(({ on }) => on.getAll).filter(({ values }) => values))(
	'the filter $param takes its values and no other',
	({ param, values = [], key, on }) => {
		const filtering = (value: unknown) => ({ limit: 1, [on.getAll ?? '']: { [param]: value } });
		for (const value of values) {
			expect(sentBy(linkContract, 'getAll', filtering(value))).toEqual([[key, value]]);
			expect(sentBy(linkContract, 'getAll', filtering(` ${value} `))).toEqual([[key, value]]);
		}
		for (const value of ['none', '-1', 9, true, NaN, [], {}]) {
			expect(encoded(linkContract, 'getAll', filtering(value))).toEqual([
				expect.objectContaining({ key, reason: expect.stringContaining('use ') }),
			]);
		}
	},
);

it.each(['name', 'value'])('the %s of a pixel is trimmed', (param) => {
	const sent = (text: unknown) =>
		sentBy(pixelContract, 'update', { pixelId: 7, updateFields: { [param]: text } });
	expect(sent(' Spring  sale \n')).toEqual([[param, 'Spring  sale']]);
	expect(sent(' 42 ')).toEqual([[param, '42']]);
	expect(sent(42)).toEqual([[param, '42']]);
});

it('a pixel accepts only the ten types', () => {
	const { values = [] } = spec.pixel.fields.find(({ key }) => key === 'type') ?? {};
	expect(values).toHaveLength(10);
	const creating = (type: unknown) =>
		problemsOf(pixelContract, 'create', { name: 'n', value: '1', type });
	for (const type of values) expect(creating(type)).toEqual([]);
	for (const type of values) expect(creating(`${type} `)).toEqual([]);
	for (const type of ['google', 'Faceboo', 'tag', 0, true, [], {}]) {
		expect(creating(type)).toEqual([
			expect.objectContaining({ key: 'type', reason: expect.stringContaining('google-ads') }),
		]);
	}
});

describe('the id of a resource', () => {
	const operations = operationsById;
	const bad = ['.', '..', ' . ', NaN, Infinity, 'NaN', true, {}, [], ['7']];
	const missing = [undefined, null, '', ' ', '\t'];
	const inLocator = (value: unknown) => ({ __rl: true, mode: 'id', value });

	it.each([
		...[...bad, ...bad.map(inLocator)].map(
			(id) => [id, 'is not an ID; enter the ID that the'] as const,
		),
		...[...missing, ...missing.map(inLocator)].map(
			(id) => [id, 'is missing; choose from'] as const,
		),
	])('is refused as %j, which %s', (id, reason) => {
		for (const [contract, label] of [
			[linkContract, 'Link'],
			[pixelContract, 'Pixel'],
		] as const) {
			for (const operation of operations) {
				const name = contract.id.name;
				const updateFields = contract === linkContract ? { alias: 'a' } : { name: 'a' };
				expect(problemsOf(contract, operation, { [name]: id, updateFields })).toEqual([
					{
						field: label,
						key: name,
						reason: expect.stringContaining(reason),
					},
				]);
			}
		}
	});

	it('is refused without an exception if it is not valid UTF-8', () => {
		expect(problemsOf(linkContract, 'get', { linkId: 'a\ud800' })).toEqual([
			expect.objectContaining({ field: 'Link', key: 'linkId' }),
		]);
	});

	it('cannot be replaced by a field of the same name in a collection', () => {
		const row = { linkId: '7', updateFields: { alias: 'a', linkId: '8' } };
		expect(encoded(linkContract, 'update', row)).toMatchObject({ id: '7' });
		expect(sentBy(linkContract, 'update', row)).toEqual([['alias', 'a']]);
	});
});

describe('a required field', () => {
	const unset = [undefined, null, ''];

	it.each(unset)('of a link is reported for %j', (url) => {
		expect(problemsOf(linkContract, 'create', { url })).toEqual([
			{ field: 'Destination URL', key: 'url', reason: 'is missing; enter a value' },
		]);
	});

	it.each(unset)('of a pixel is reported for %j, together with the others', (value) => {
		const fields = { name: value, type: value, value };
		expect(problemsOf(pixelContract, 'create', fields)).toEqual([
			{ field: 'Name', key: 'name', reason: 'is missing; enter a value' },
			{ field: 'Type', key: 'type', reason: 'is missing; enter a value' },
			{ field: 'Tracking ID', key: 'value', reason: 'is missing; enter a value' },
		]);
	});

	it('is required on create only', () => {
		expect(updating({ alias: 'a', url: '' })).toEqual([]);
	});

	it.each(unset)('is reported for %j with the name of its column if columns are mapped', (none) => {
		const mapped = { ...encodeOptions, takesColumns: true };
		const missing = (field: string, name: string) => ({
			field,
			key: name,
			reason: `is missing; fill in its cell, or the field in the form`,
		});
		for (const operation of creations) {
			const link = { url: none, alias: none, syncScope: { domainId: 1 } };
			expect(told(encodeRow({ contract: linkContract, operation, options: mapped }, link))).toEqual(
				[
					missing('Destination URL', 'url'),
					...(operation === 'create' ? [] : [missing('Alias', 'alias')]),
				],
			);
			const pixel = { name: none, type: none, value: none, syncScope: { nameStartsWith: 'a' } };
			expect(
				told(encodeRow({ contract: pixelContract, operation, options: mapped }, pixel)),
			).toEqual([
				missing('Name', 'name'),
				missing('Type', 'type'),
				missing('Tracking ID', 'value'),
			]);
		}
		expect(
			told(
				encodeRow(
					{ contract: linkContract, operation: 'update', options: mapped },
					{ linkId: none },
				),
			),
		).toEqual([expect.objectContaining({ field: 'Link' })]);
	});

	it('of a link is reported by operations that find it by its alias', () => {
		const row = { url: address, syncScope: { domainId: 1 } };
		for (const operation of reconciliations) {
			expect(problemsOf(linkContract, operation, row)).toEqual([
				{ field: 'Alias', key: 'alias', reason: 'is missing; enter a value' },
			]);
		}
		expect(sentBy(linkContract, 'create', row)).toEqual([['url', address]]);
	});

	it('of a pixel may come from the scope', () => {
		const row = { name: 'a', value: '1', syncScope: { type: 'bing' } };
		expect(sentBy(pixelContract, 'sync', row)).toEqual([
			['name', 'a'],
			['type', 'bing'],
			['value', '1'],
		]);
	});

	it('cannot be unset or replaced by a field of the same name in a collection', () => {
		for (const url of ['', 'https://other.example/']) {
			expect(sentBy(linkContract, 'create', { url: address, additionalFields: { url } })).toEqual([
				['url', address],
			]);
		}
	});
});

describe('an update', () => {
	const nothing = [
		{
			field: 'Update Fields',
			key: 'updateFields',
			reason:
				'contains no value; fill in at least one field to change, or choose fields in Clear Fields',
		},
	];

	it.each([
		...[undefined, {}, { alias: '' }, { alias: null }, { domainId: '3' }, { country: {} }],
		...[{ country: { rules: [{}] } }, { rotation: { rules: [{ value: ' ' }] } }],
	])('of a link with %j is refused, because it changes nothing', (updateFields) => {
		expect(problemsOf(linkContract, 'update', { linkId: 7, updateFields })).toEqual(nothing);
	});

	it('of a pixel with nothing set is refused', () => {
		// A pixel has no field to clear.
		const reason = 'contains no value; fill in at least one field to change';
		expect(problemsOf(pixelContract, 'update', { pixelId: 7, updateFields: {} })).toEqual([
			{ ...nothing[0], reason },
		]);
	});

	it('with only an invalid field is refused for that field', () => {
		expect(updating({ privacy: 9 })).toEqual([expect.objectContaining({ key: 'privacy' })]);
	});
});

describe('a collection', () => {
	it.each(['alias', 5, true, ['alias'], '{"alias":"a"}'])(
		'that an expression fills with %j is refused, not overlooked',
		(additionalFields) => {
			expect(problemsOf(linkContract, 'create', { url: address, additionalFields })).toEqual([
				expect.objectContaining({ field: 'Additional Fields', key: 'additionalFields' }),
			]);
		},
	);
});

describe('the limit of a list', () => {
	const listing = (parameters: Values) => encoded(linkContract, 'getAll', parameters);

	it.each([
		[1, 1],
		[50, 50],
		['20', 20],
		[' 3 ', 3],
		[1000000, 1000000],
	])('accepts %j', (limit, expected) => {
		expect(listing({ limit })).toMatchObject({ limit: expected });
		expect(listing({ limit, returnAll: false })).toMatchObject({ limit: expected });
	});

	it.each([
		[0, 'is less than 1; enter the max number of results'],
		[-1, 'is less than 1; enter the max number of results'],
		['-5', 'is less than 1; enter the max number of results'],
		[1.5, '1.5 is not a whole number; enter digits only, such as 100'],
		['1.5', '"1.5" is not a whole number; enter digits only, such as 100'],
		['all', '"all" is not a whole number; enter digits only, such as 100'],
		['1e3', '"1e3" is not a whole number; enter digits only, such as 100'],
		[NaN, 'NaN is not a whole number; enter digits only, such as 100'],
		[Infinity, 'Infinity is not a whole number; enter digits only, such as 100'],
		[2 ** 60, '1152921504606847000 is not a whole number; enter digits only, such as 100'],
		[true, 'true is not a whole number; enter digits only, such as 100'],
		[{}, '{} is not a whole number; enter digits only, such as 100'],
		[[], '[] is not a whole number; enter digits only, such as 100'],
	])('refuses %j', (limit, reason) => {
		expect(listing({ limit })).toEqual([{ field: 'Limit', key: 'limit', reason }]);
	});

	it.each([undefined, null, ''])('is 50 if it is %j', (limit) => {
		expect(listing({ limit })).toMatchObject({ limit: 50 });
	});

	it.each([true, 'true', 'True ', ' 1 '])('is ignored with Return All as %j', (returnAll) => {
		expect(listing({ returnAll, limit: 0 })).toMatchObject({ limit: Infinity });
		expect(listing({ returnAll })).toMatchObject({ limit: Infinity });
	});
});

it('all problems of a row are reported together', () => {
	const additionalFields = {
		disabled: 'maybe',
		expiration: '2030-02-30',
		privacy: 2,
		country: { rules: [{ key: 'DE', value: 'x' }, { key: 'DE' }] },
	};
	const problems = problemsOf(linkContract, 'create', {
		url: 'x',
		domainId: '.',
		additionalFields,
	});
	expect(problems.map(({ key }) => key)).toEqual([
		'url',
		'domain_id',
		'country',
		'country',
		'country',
		'disabled',
		'expiration',
		'privacy',
	]);
});

it('a long value is shortened in a quote', () => {
	const [problem] = updating({ privacy: 'x'.repeat(5000) });
	expect(problem?.reason).toContain(`"${'x'.repeat(79)}…`);
	expect(problem?.reason.length).toBeLessThan(200);
});

it.each([
	['password', { deep: 'hunter2hunter2' }],
	['password', ['hunter2hunter2', 'hunter2hunter2']],
	['privacyPassword', { hunter2hunter2: 1 }],
	['privacyPassword', { __rl: true, value: ['hunter2hunter2', 1] }],
])('an invalid value of the masked %s is not quoted: %j', (param, value) => {
	const problems = updating({ [param]: value });
	expect(problems).toHaveLength(1);
	expect(JSON.stringify(problems)).not.toContain('hunter2');
	expect(problems[0]?.reason).toMatch(/ is not text; enter a single value$/);
});
