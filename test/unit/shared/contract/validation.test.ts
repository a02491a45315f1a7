import { creations, operationsById, reconciliations } from '../../../support/operationNames.ts';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import { encodeOptions, encodeRow } from '../../../support/encodeRow.ts';
import type {
	OperationName,
	Parameters as Values,
	Problem,
} from '../../../../nodes/shared/contract/types';
import type { ResourceContract } from '../../../../nodes/shared/contract/resourceTypes';
import { paramsOf, type EncodedRow } from '../../../../nodes/shared/contract/encodedRow';
import { reasonText } from '../../../../nodes/shared/contract/values';

const address = 'https://example.com/';

/** The problems of a row with their reasons as texts; an encoded row as it is. */
const told = (encoded: EncodedRow | readonly Problem[]) =>
	'contract' in encoded
		? encoded
		: encoded.map(({ field, key, isRunLevel, ...reason }) => ({
				...{ field, key, reason: reasonText(reason) },
				...(isRunLevel ? { isRunLevel } : {}),
			}));

const encoded = (contract: ResourceContract, operation: OperationName, parameters: Values) =>
	told(encodeRow({ contract, operation, options: encodeOptions }, parameters));

/** What is wrong with a row; nothing for a row that can be sent. */
function problemsOf(...row: Parameters<typeof encoded>) {
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

/** A field: the values that are taken for each text that is sent, others, and what the reason for these contains. */
type Table = [
	param: string,
	key: string,
	good: Readonly<Record<string, readonly unknown[]>>,
	bad: readonly unknown[],
	remedy: string,
];

const urls = [
	...['https://example.com', 'http://example.com:8080/a?b=c#d', 'https://exämple.com/größe'],
	...['myapp://open/page', 'mailto:someone@example.com', 'https://example.com/my file.pdf'],
	'https://example.com/?to=https://b.example/',
];
const noUrls = [
	...['example.com', '/page', '//example.com/page', '?a=b', 'page', 'example.com:443/page?a=b'],
	...['localhost:3000', 'localhost:3000/page', 'example.com:8080', 'sub.example.co.uk:8443#top'],
	...['127.0.0.1:80', 5, true, false, {}, { href: address }, [], [address, address]],
];
const sameUrls = Object.fromEntries(urls.map((text) => [text, [text, ` ${text} \n`]]));
const noText = [{}, { a: 1 }, [], ['a', 'b'], NaN, Infinity, -Infinity, ' Invalid DateTime '];
const texts = { spring: ['spring'], '42': [42], '0': [0] };

const tables: Table[] = [
	['url', 'url', sameUrls, noUrls, 'must start with https://'],
	[
		...(['privacy', 'privacy'] as const),
		{ '0': [0, '0', 'Public'], '1': [1, ' 1 \n', ' private'], '2': [2, '2', 'PASSWORD\u00a0'] },
		[
			...[3, '3', -1, 1.5, '01', '1 2', '1.', 'Publi', 'secret', true, false, {}, [], [1, 2]],
			...[NaN, Infinity, 'Invalid DateTime'],
		],
		'2 (Password), 1 (Private), 0 (Public)',
	],
	[
		...(['disabled', 'disabled'] as const),
		{
			'1': [true, 'true', 1, '1', 'true ', 'yes', 'On'],
			'0': [false, 'FALSE', 0, ' 0', ' False\n', 'NO ', 'off\u00a0', '\ufeffoff'],
		},
		[2, -1, 'y', 'n', 'enabled', '01', '1 0', NaN, Infinity, {}, [], [true, false]],
		'enter true or false',
	],
	[
		...(['expirationClicks', 'expiration_clicks'] as const),
		{ '0': [0], '12': [12, ' 12 '], '7': ['007'], '999999999': [999999999], '-5': [-5] },
		[
			...[1.5, '1.5', '1e3', '0x10', '1,000', 'many', 2 ** 60, 1e21, true, {}, [], [12]],
			...[NaN, Infinity, -Infinity, 'NaN'],
		],
		'enter digits only, such as 100',
	],
	[
		...(['spaceId', 'space_id'] as const),
		{ '4': [4, ' 4 ', { __rl: true, mode: 'id', value: '4' }], '0': [0], 'b6f1-x': ['b6f1-x'] },
		['.', '..', ' .. ', true, NaN, Infinity, 'NaN', {}, [], [4]],
		'enter the ID that the service shows',
	],
	[
		...(['alias', 'alias'] as const),
		// Services trim an alias, but not a password.
		{ ...texts, 'spring sale': [' spring sale ', '\tspring sale\n'], true: [true, 'true'] },
		...([noText, 'enter a single value'] as const),
	],
	[
		...(['password', 'password'] as const),
		{ ...texts, ' spring\n': [' spring\n'] },
		...([noText, 'enter a single value'] as const),
	],
];

it.each(tables)('%s is sent as %s, or refused', (param, key, good, bad, remedy) => {
	for (const [text, values] of Object.entries(good))
		for (const value of values)
			expect({ value, sent: sentFor({ [param]: value }) }).toEqual({ value, sent: [[key, text]] });
	const field = linkContract.fields.find(({ name }) => name === param)?.displayName;
	for (const value of bad)
		expect({ value, problems: updating({ [param]: value }) }).toEqual({
			value,
			problems: [{ field, key, reason: expect.stringContaining(remedy) }],
		});
});

describe('the pixels of a link', () => {
	it.each<[value: unknown, ids: string]>([
		['3,8,3', '3,8'],
		['3; 8\r\n9', '3,8,9'],
		['[3, "8"]', '3,8'],
		[3, '3'],
		[[{ __rl: true, mode: 'id', value: 5 }], '5'],
		[[{ id: 3, name: 'Spring', type: 'facebook' }, { id: ' 8 ' }, 3], '3,8'],
		...[['', null], new Array(2), '[ ]'].map((empty): [unknown, string] => [empty, '']),
	])('are read from %j', (value, ids) => {
		const sent = ids === '' ? [] : ids.split(',');
		expect(sentFor({ alias: 'a', pixelIds: value }).slice(1)).toEqual(
			sent.map((id) => ['pixel_ids[]', id]),
		);
	});

	const noId = 'is not an ID; enter the ID that the service shows, such as 42';
	const noList = 'is not a list of IDs; write it as 3,8 or as [3, 8]';

	it.each([
		['3,..', '".."', noId],
		[[3, null], 'null', noId],
		['["null"]', '"null"', noId],
		// A hole in the list.
		[Object.assign([3], { 2: 8 }), 'undefined', noId],
		[[{ id: { id: 3 } }], '{"id":{"id":3}}', noId],
		[[[3]], '[3]', noId],
		[{ id: 3 }, '{"id":3}', noList],
	])('are refused as %j, with a quote of the invalid part', (value, quoted, reason) => {
		expect(updating({ pixelIds: value })).toEqual([
			{ field: 'Pixels', key: 'pixel_ids', reason: `${quoted} ${reason}` },
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

	it('imply their target type, and are refused with another one, which is named', () => {
		const sent = sentFor(withRules([rule]));
		for (const same of [undefined, '', null, String(type)])
			expect(sentFor({ ...withRules([rule]), targetType: same })).toEqual(sent);
		for (const other of [0, 1, 2, 3, 4].filter((one) => one !== type)) {
			const reason = `contradicts Target Type ${typeNames[other]}; leave Target Type out, or remove this field`;
			expect(updating({ ...withRules([rule]), targetType: other })).toEqual([problem(reason)]);
		}
	});

	it.each(kinds.filter((other) => other.param !== param))(
		'are refused next to $label, unless Target Type says which counts',
		({ param: second, key: itsKey }) => {
			const its = { ...(itsKey === undefined ? {} : { key: itsKey }), value: address };
			const both = { [param]: { rules: [rule] }, [second]: { rules: [its] } };
			const [first, last] = kinds
				.filter((kind) => [param, second].includes(kind.param))
				.toSorted((a, b) => a.label.localeCompare(b.label));
			expect(updating(both)).toEqual([
				{
					field: last?.label,
					key: last?.param,
					reason: `cannot be combined with ${first?.label}; keep only one of them`,
				},
			]);
			expect(updating({ ...both, targetType: type })).toEqual([]);
		},
	);

	it('skip empty rules', () => {
		const empties = [{}, { key: '', value: '' }, { key: null, value: ' ' }, { value: undefined }];
		const expected = sentFor(withRules([rule]));
		expect(sentFor(withRules([...empties, rule, ...empties]))).toEqual(expected);
		for (const empty of empties) {
			expect(sentFor(withRules([empty]))).toEqual([['target_type', String(type)]]);
		}
		for (const none of [{}, { rules: [] }])
			expect(updating({ alias: 'a', targetType: 0, [param]: none })).toEqual([]);
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
					country:
						'write one rule per line, such as US=https://example.com/us, or JSON such as {"US": "',
					language:
						'write one rule per line, such as en=https://example.com/en, or JSON such as {"en": "',
					platform:
						'write one rule per line, such as Android=https://example.com/android, or JSON such as {"Android": "',
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
	const two = ['https://a.example/p;v=1?x=1,2', 'https://b.example/#y'] as const;
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

	it('are refused with the number of an incomplete rule, and once for each repeated key', () => {
		const [noUrl, noKey] = [`Destination URL ${missing}`, `${name} ${missing}`];
		for (const [rules, reason] of [
			[[rule, { ...rule, value: '', key: 'xx' }], `rule 2: ${noUrl}`],
			...['', null, undefined].map((none) => [[{ ...rule, key: none }], `rule 1: ${noKey}`]),
			[[rule, rule, rule], `contains several rules for "${key}"; keep only one of them`],
		])
			expect(updating(withRules(rules))).toContainEqual(problem(String(reason)));
	});
});

const nameOrCode = 'the English name or the ISO code, such as';

it.each([
	['country', 'Germny', `a known choice; use ${nameOrCode} Germany or DE`],
	['language', 'en-US', `a known choice; use ${nameOrCode} German or de`],
	['platform', 'Symbian', 'one of the allowed values; use Android, Chrome OS, iOS, Linux, OS X'],
])('the key of a rule is refused as the %s %j, with what to enter', (param, key, reason) => {
	const [problem] = updating({ [param]: { rules: [{ key, value: address }] } });
	expect(problem?.reason).toContain(`${JSON.stringify(key)} is not ${reason}`);
});

it.each([
	[`DE=${address}de\nGermny=${address}g`, '"Germny" is not a known choice; use the English name'],
	[`DE=${address}de; FR=${address}fr`, 'several rules; write one rule per line, such as US=https'],
	[`DE=${address}de,\nFR=${address}fr`, 'several rules; write one rule per line, such as US='],
	[`DE=${address}de\n${address}fr`, 'cannot be read as rules'],
	[`DE=${address}de\nFR=example.com/fr`, '"example.com/fr" must start with https'],
	[`{"DE":"${address}","DE":"${address}de"}`, 'repeats a key; write one rule per line'],
])('the rules %j are refused', (country, reason) => {
	expect(updating({ alias: 'a', country })[0]?.reason).toContain(reason);
});

it.each([
	// Half filled, in quotation marks or brackets, and with other names than key and value.
	...['[{"US":""}]', '["key"]', `"US=${address}"`, `(US=${address})`, `US="${address}us"`],
	[{ code: 'US', url: address }],
])('the rules %j are refused, too', (country) => {
	expect(updating({ alias: 'a', country })[0]?.field).toBe('Country Rules');
});

const fieldNamed = (name: string) => {
	const field = linkContract.fields.find((candidate) => candidate.name === name);
	if (!field) throw new Error(name);
	return field;
};

/** Cells that look filled and contain nothing. */
const hollow = [
	...[', ', ';', ' , ', ',;\r\n;', '\n', '\n,', '[""]', '[null]'],
	...['[{}]', '[{"key":"","value":""}]', '{"":""}', '{"rules": [{"value": ""}]}'],
];

it('a target type that is not allowed contradicts no rules', () => {
	const row = { country: `US=${address}us`, targetType: 'Country' };
	expect(updating(row)).toEqual([expect.objectContaining({ field: 'Target Type' })]);
	expect(sentFor({ country: `US=${address}a_(b)` })[1]?.[1]).toBe(`${address}a_(b)`);
});

it.each([...kinds.map(({ param }) => param), 'pixelIds'])(
	'hollow cells of %s are empty',
	(param) => {
		for (const cell of hollow) {
			const row = { linkId: '7', updateFields: { alias: 'a', [param]: cell } };
			expect(sentBy(linkContract, 'update', row)).toEqual([['alias', 'a']]);
			const options = { ...encodeOptions, emptyValues: 'clear' } as const;
			const cleared = told(
				encodeRow({ contract: linkContract, operation: 'update', options }, row),
			);
			const { empty = [], key } = fieldNamed(param).wire;
			expect('fields' in cleared && paramsOf(cleared.fields)).toEqual([
				['alias', 'a'],
				...empty.map((suffix) => [`${key}${suffix}`, '']),
			]);
		}
	},
);

it.each([
	[{ targetType: 1 }, 'Target Type', 'Country Rules'],
	[{ targetType: 3, language: { rules: [{}] } }, 'Target Type', 'Language Rules'],
	[{ privacy: 2 }, 'Statistics Privacy', 'Statistics Password'],
])('the incomplete fields %j are refused on create only', (fields, field, other) => {
	expect(problemsOf(linkContract, 'create', { url: address, additionalFields: fields })).toEqual([
		expect.objectContaining({ field, reason: expect.stringContaining(`needs ${other}`) }),
	]);
	expect(updating(fields)).toEqual([]);
});

describe('the id of a resource', () => {
	const bad = [' . ', '..', NaN, 'NaN', true, {}, ['7'], '12, 13', '12.5', '12 (old)', '12 000'];
	const missing = [undefined, null, ' \t'];
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
			for (const operation of operationsById) {
				const name = contract.id.name;
				const updateFields = contract === linkContract ? { alias: 'a' } : { name: 'a' };
				expect(problemsOf(contract, operation, { [name]: id, updateFields })).toEqual([
					{ field: label, key: name, reason: expect.stringContaining(reason) },
				]);
			}
		}
	});

	it('cannot be replaced by a field of the same name in a collection', () => {
		const row = { linkId: '7', updateFields: { alias: 'a', linkId: '8' } };
		expect(encoded(linkContract, 'update', row)).toMatchObject({ id: '7' });
		expect(sentBy(linkContract, 'update', row)).toEqual([['alias', 'a']]);
	});
});

describe('a required field', () => {
	it.each([undefined, ''])('is reported for %j, together with the others', (none) => {
		const missing = (contract: ResourceContract, row: Values) =>
			problemsOf(contract, 'create', row).map(({ field, reason }) => `${field} ${reason}`);
		expect(missing(linkContract, { url: none })).toEqual([
			'Destination URL is missing; enter a value',
		]);
		expect(missing(pixelContract, { name: none, type: none, value: none })).toEqual(
			['Name', 'Type', 'Tracking ID'].map((field) => `${field} is missing; enter a value`),
		);
	});

	it('is reported with its cell if columns are mapped', () => {
		const mapped = { ...encodeOptions, takesColumns: true };
		const missing = (contract: ResourceContract, operation: OperationName, row: Values) =>
			told(encodeRow({ contract, operation, options: mapped }, row));
		for (const operation of creations) {
			const link = { url: null, alias: '', syncScope: { domainId: 1 } };
			const fields = ['Destination URL', ...(operation === 'create' ? [] : ['Alias'])];
			const reason = 'is missing; fill in its cell, or the field in the form';
			expect(missing(linkContract, operation, link)).toMatchObject(
				fields.map((field) => ({ field, reason })),
			);
		}
		expect(missing(linkContract, 'update', { linkId: '' })).toMatchObject([{ field: 'Link' }]);
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
		...[undefined, {}, { alias: '' }, { domainId: '3' }, { rotation: { rules: [{ value: ' ' }] } }],
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
});

it('the limit of a list is a whole number from 1, 50 by default, and ignored with Return All', () => {
	const listing = (parameters: Values) => encoded(linkContract, 'getAll', parameters);
	for (const [limit, expected] of [
		[1, 1],
		['20', 20],
		[' 3 ', 3],
		[1000000, 1000000],
	])
		for (const row of [{ limit }, { limit, returnAll: false }])
			expect(listing(row)).toMatchObject({ limit: expected });
	for (const limit of [undefined, null, ''])
		expect(listing({ limit })).toMatchObject({ limit: 50 });
	for (const limit of [0, -1, '-5', 1.5, '1.5', 'all', '1e3', NaN, Infinity, 2 ** 60, true, {}, []])
		expect(listing({ limit })).toEqual([
			{
				field: 'Limit',
				key: 'limit',
				reason: expect.stringMatching(
					/^is less than 1; enter the max number of results$|is not a whole number; enter digits/,
				),
			},
		]);
	for (const returnAll of [true, 'true', 'True ', ' 1 '])
		for (const row of [{ returnAll, limit: 0 }, { returnAll }])
			expect(listing(row)).toMatchObject({ limit: Infinity });
});
