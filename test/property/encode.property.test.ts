import fc, { type Arbitrary } from 'fast-check';
import qs from 'qs';
import { linkContract } from '../../nodes/Link/link.contract';
import { pixelContract } from '../../nodes/Pixel/pixel.contract';
import type { HttpRequest } from '../../nodes/shared/transport/exchange';
import { apiRequest } from '../../nodes/shared/contract/operations';
import { encodeOptions, encodeRow } from '../support/encodeRow.ts';
import { runRows } from '../support/operationRun.ts';
import { casesOf } from '../support/randomTests.ts';
import type { EncodeOptions, OperationName, Parameters } from '../../nodes/shared/contract/types';
import type { ResourceContract } from '../../nodes/shared/contract/resourceTypes';
import { paramsOf } from '../../nodes/shared/contract/encodedRow';
import { reasonText } from '../../nodes/shared/contract/values';
import * as spec from '../spec.ts';

const address = 'https://links.example/api/v1';

/** The request that the client makes of a row that can be sent. Problems fail the test. */
async function requestOf(
	contract: ResourceContract,
	operation: OperationName,
	parameters: Parameters,
): Promise<HttpRequest> {
	const row = encodeRow({ contract, operation, options: encodeOptions }, parameters);
	if (!('contract' in row)) throw new Error(JSON.stringify(row));
	const requests: HttpRequest[] = [];
	const { results } = await runRows([row], ({ method, path, request }) => {
		requests.push(request);
		const id = decodeURIComponent(path.replace(/^.*\//, ''));
		return { body: { data: [{ id: method === 'PUT' ? id : 1 }] } };
	});
	const [request] = requests;
	if (!request || results[0] instanceof Error) throw new Error('No request was made');
	return request;
}

/** Decodes a form or query as PHP does, with a library that shares nothing with our encoder. */
const decode = (text: string) =>
	qs.parse(text, { arrayLimit: 1000, parameterLimit: Infinity, depth: 5 });

/** What an unset parameter may hold. */
const unset = fc.constantFrom<unknown>(undefined, null, '', ' \n', {
	__rl: true,
	mode: 'id',
	value: '',
});

/** A value for a parameter, and what a decoder must find for it. */
interface Sample {
	readonly value: unknown;
	readonly found: unknown;
}

const asSent = (value: string): Sample => ({ value, found: value });

/** Any text that UTF-8 can carry, but an empty or blank one, which stands for "not set". */
const anyText = fc
	.oneof(
		fc.string({ unit: 'binary', minLength: 1 }),
		fc.string({ unit: 'grapheme', minLength: 1 }),
		fc.string({ unit: fc.constantFrom(...'&=+%[] ;#?"\'\\\0\n'), minLength: 1 }),
	)
	.filter((text) => text.trim() !== '');

const numberSample = fc.integer().map((value) => ({ value, found: String(value) }));

const textSample = fc.oneof(
	anyText.map(asSent),
	numberSample,
	fc.boolean().map((value) => ({ value, found: String(value) })),
);

const secretSample = fc.oneof(anyText.map(asSent), numberSample);

/** Any address, with any text behind its `#` but what is refused, and blanks at the end, which are lost. */
const anyUrl = fc
	.tuple(
		fc.webUrl({ withFragments: true, withQueryParameters: true }),
		fc
			.string({ unit: 'grapheme' })
			.map((text) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}<>\\]/gu, '')),
	)
	.map(([url, more]) => `${url}#${more}`.trim());

const anyId = fc.oneof(
	fc.nat().map(String),
	fc.uuid(),
	fc.string({ unit: 'grapheme', minLength: 1 }).filter((id) => {
		return id.trim() === id && !['.', '..'].includes(id);
	}),
);

/** The ids of a list hold nothing of what stands around and between them. */
const anyListedId = anyId.filter((id) => !/[\s,;"'{}[\]]/.test(id));

const idSample = fc.oneof(
	anyId.map(asSent),
	fc.nat().map((id) => ({ value: id, found: String(id) })),
	anyId.map((id) => ({ value: { __rl: true, mode: 'id', value: ` ${id} ` }, found: id })),
);

const idsSample = fc.oneof(
	fc
		.array(anyListedId, { minLength: 1, maxLength: 30 })
		.map((ids) => ({ value: ids, found: [...new Set(ids)] })),
	fc
		.array(fc.nat().map(String), { minLength: 1, maxLength: 30 })
		.map((ids) => ({ value: ids.join(', '), found: [...new Set(ids)] })),
);

const choiceSample = (values: readonly string[]) =>
	fc
		.constantFrom(...values)
		.chain((found) =>
			fc.constantFrom<Sample>(
				asSent(found),
				...(/^\d+$/.test(found) ? [{ value: Number(found), found }] : []),
			),
		);

/** A moment as text, and the date and time that it sends. */
const expirationSample = fc
	.date({
		min: new Date('2027-01-01T00:00:00Z'),
		max: new Date('9999-12-31T00:00:00Z'),
		noInvalidDate: true,
	})
	.map((moment): Sample => {
		const [date = '', time = ''] = moment.toISOString().slice(0, 16).split('T');
		return { value: `${date} ${time}`, found: [date, time] };
	});

const clicksSample = fc.maxSafeInteger().chain((clicks) => {
	const found = String(clicks);
	return fc.constantFrom<Sample>({ value: clicks, found }, { value: ` ${found} `, found });
});

const flagSample = fc.constantFrom<Sample>(
	{ value: true, found: '1' },
	{ value: false, found: '0' },
	{ value: 'true', found: '1' },
	{ value: '0', found: '0' },
);

const twoLetters = fc.string({
	unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
	minLength: 2,
	maxLength: 2,
});

/** Codes that are sent as they are: of those that are not known, no other is known to be meant, as with UK. */
const codes: Record<string, Arbitrary<string>> = {
	country: twoLetters.filter((code) => code !== 'UK'),
	language: twoLetters.map((code) => code.toLowerCase()),
};

/** Rules as the form gives them, keys distinct; a decoder must find the same list. */
function rulesSample(
	param: string,
	{ parts, keys }: NonNullable<spec.SpecField['rule']>,
): Arbitrary<Sample> {
	const key = keys ? fc.constantFrom(...keys) : (codes[param] ?? anyText);
	const rule = parts.includes('key')
		? fc.record({ key, value: anyUrl })
		: fc.record({ value: anyUrl });
	return fc
		.uniqueArray(rule, {
			minLength: 1,
			maxLength: 30,
			selector: (one) => ('key' in one ? one.key : {}),
		})
		.chain((rules) =>
			fc.constantFrom<Sample>({ value: { rules }, found: rules }, { value: rules, found: rules }),
		);
}

const byParam: Record<string, Arbitrary<Sample>> = {
	...{ url: anyUrl.map(asSent), expirationUrl: anyUrl.map(asSent), disabled: flagSample },
	...{ domainId: idSample, spaceId: idSample, pixelId: idSample, pixelIds: idsSample },
	...{ expiration: expirationSample, expirationClicks: clicksSample },
	...{ password: secretSample, privacyPassword: secretSample },
};

const blanks = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\u00a0'), maxLength: 2 });

/** A text that arrives without what is blank around it. */
const trimmedSample = fc
	.oneof(
		textSample,
		fc.tuple(blanks, anyText, blanks).map((parts) => asSent(parts.join(''))),
	)
	.map(({ value, found }): Sample => ({ value, found: String(found).trim() }));

function sampleOf({ param, values, rule, isTrimmed }: spec.SpecField): Arbitrary<Sample> {
	if (rule) return rulesSample(param, rule);
	const text = isTrimmed ? trimmedSample : textSample;
	return byParam[param] ?? (values ? choiceSample(values) : text);
}

/** One field in a row: what its parameter holds, and what a decoder must find; nothing of it where it is unset. */
interface Cell {
	readonly field: spec.SpecField;
	readonly value: unknown;
	readonly found?: unknown;
}

function cellOf(field: spec.SpecField, operation: spec.SpecOperation): Arbitrary<Cell> {
	const set = sampleOf(field).map((sample): Cell => ({ field, ...sample }));
	if (operation === 'create' && field.requiredOnCreate) return set;
	return fc.oneof(
		set,
		unset.map((value): Cell => ({ field, value })),
	);
}

const isSet = ({ found }: Cell) => found !== undefined;

/** What a decoder must find of a cell, by name. Expiration sends date and time. */
function foundIn({ field: { key, empty = [''] }, found }: Cell): (readonly [string, unknown])[] {
	if (key !== 'expiration' || !Array.isArray(found)) return [[key, found]];
	return empty.map((suffix, index) => [`${key}${suffix}`, found[index]]);
}

/** What a created link needs beside a value of a field, where it needs something. */
const needed: Record<string, (found: unknown) => string | undefined> = {
	privacy: (found) => (found === '2' ? 'privacyPassword' : undefined),
	targetType: (found) =>
		spec.link.fields.find(({ rule }) => rule !== undefined && rule.targetType === found)?.param,
};

/** At most one kind of rules is set, and then the type is its own; a field that would need another one is left alone. */
function withCompanions(cells: readonly Cell[]): Cell[] {
	const rules = cells.find((cell) => cell.field.rule && isSet(cell));
	const typed = cells.map((cell): Cell => {
		const { field } = cell;
		if (!rules) return cell;
		if (field.rule && cell !== rules) return { field, value: '' };
		const found = rules.field.rule?.targetType;
		return field.param === 'targetType' ? { field, value: Number(found), found } : cell;
	});
	return typed.map((cell): Cell => {
		const { field, found } = cell;
		const param = found === undefined ? undefined : needed[field.param]?.(found);
		const isAlone = param && !typed.some((other) => other.field.param === param && isSet(other));
		return isAlone ? { field, value: '' } : cell;
	});
}

/** The parameters of a row, each cell where the node has it. */
function parametersOf(cells: readonly Cell[], operation: spec.SpecOperation): Parameters {
	const row: Record<string, unknown> = {};
	const nested: Record<string, unknown> = {};
	const places = new Set(cells.map(({ field }) => field.on[operation]));
	for (const { field, value } of cells) {
		(field.on[operation] === 'top' ? row : nested)[field.param] = value;
	}
	for (const place of places) if (place && place !== 'top') row[place] = nested;
	return row;
}

const rows: [string, spec.SpecOperation, spec.SpecResource, ResourceContract][] = (
	['create', 'update', 'getAll'] as const
).flatMap((operation) => [
	['link', operation, spec.link, linkContract],
	['pixel', operation, spec.pixel, pixelContract],
]);

describe.each(rows)('a row of %s %s', (_name, operation, resource, contract) => {
	const row = fc
		.tuple(...spec.fieldsOn(resource, operation).map((field) => cellOf(field, operation)))
		.map(withCompanions)
		// An update that changes nothing is refused.
		.filter((cells) => operation !== 'update' || cells.some(isSet));

	it('arrives as it was given, and nothing else does', async () => {
		await fc.assert(
			fc.asyncProperty(row, async (cells) => {
				const parameters = { ...parametersOf(cells, operation), [resource.idParam]: 7, limit: 10 };
				// A filter of links has the name of the pixel's id, so it may only stand in its collection.
				const request = await requestOf(contract, operation, parameters);
				const { search } = new URL(request.url);
				const text = operation === 'getAll' ? search.slice(1) : String(request.form);
				const found = cells.filter(isSet).flatMap(foundIn);
				const pages = operation === 'getAll' ? { per_page: '10', page: '1' } : {};
				const fields = new Map(found);
				// Search without Search By searches aliases.
				if (contract === linkContract && fields.has('search') && !fields.has('search_by'))
					fields.set('search_by', 'alias');
				expect(decode(text)).toEqual({ ...Object.fromEntries(fields), ...pages });
			}),
		);
	});
});

/** Any string of JavaScript, also one with half a surrogate pair. */
const anyString = fc.oneof(
	anyText,
	fc.string({ unit: fc.constantFrom(...'./%?#&$ \t\\') }),
	fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
);

it('an id in a path decodes back to exactly the id, blanks around it aside, or is refused', () => {
	fc.assert(
		fc.property(anyString, (id) => {
			const row = encodeRow(
				{ contract: linkContract, operation: 'get', options: encodeOptions },
				{ linkId: id },
			);
			if (!('contract' in row)) {
				const speakable = id.isWellFormed() && !['', '.', '..'].includes(id.trim());
				expect(speakable).toBe(false);
				return;
			}
			const { path } = apiRequest(linkContract, 'get', [], row.id);
			// As a server sees it: after the URL was parsed, in which a step such as `..` would be taken.
			const { pathname } = new URL(`${address}${path}`);
			const [prefix, segment = ''] = pathname.split(/(?<=\/links\/)/);
			expect(prefix).toBe('/api/v1/links/');
			expect(segment).not.toContain('/');
			expect(decodeURIComponent(segment)).toBe(id.trim());
			expect(row.id).toBe(id.trim());
		}),
		{ examples: [['\ud800'], ['a\udc00'], ['..'], ['%2e%2e'], ['$&'], ['../1']] },
	);
});

describe('a row of arbitrary JSON', () => {
	/** What JSON can hold, with the values that break careless code more often than chance would give them. */
	const json = fc.oneof(
		fc.jsonValue({ maxDepth: 3 }),
		fc.constantFrom<unknown>(
			{ toString: 1 },
			[{ toString: 'x', valueOf: 'y' }],
			{ toJSON: 1 },
			{ __rl: true },
			{ __rl: true, value: { __rl: true, value: { toString: 1 } } },
			{ rules: [{ key: { toString: 1 }, value: { toString: 1 } }] },
			{ rules: [null, [], 'x'] },
			{ rules: { length: 3 } },
			JSON.parse('{"__proto__": {"rules": [1]}, "constructor": null}'),
			'\ud800',
			1e308,
			-0,
			'https://example.com/page',
			7,
		),
	);

	/** Rows that can be sent, whatever the operation. */
	const good: Record<string, Parameters> = {
		link: {
			url: 'https://example.com/page',
			alias: 'a',
			syncScope: { domainId: 7, aliasStartsWith: 'a' },
			linkId: 7,
			updateFields: { alias: 'a' },
		},
		pixel: {
			name: 'a',
			type: 'facebook',
			value: 'a',
			syncScope: { type: 'facebook' },
			pixelId: 7,
			updateFields: { name: 'a' },
		},
	};

	const collections = ['additionalFields', 'filters', 'sorting', 'updateFields'] as const;

	/** Any of the ways in which the values of a run can be read. */
	const reading = fc.record<EncodeOptions>({
		...{ timeZone: fc.constant('UTC'), now: fc.constant(encodeOptions.now) },
		refusesPast: fc.boolean(),
		emptyValues: fc.constantFrom('clear', 'skip'),
		unmatchedAction: fc.constantFrom('delete', 'disable', 'keep', undefined),
		takesColumns: fc.boolean(),
		resourceOptions: fc.constantFrom<EncodeOptions['resourceOptions']>({}, { generateAlias: '8' }),
	});

	/** Some or none of the values under these names. */
	const someOf = (names: readonly string[]) =>
		fc.record(Object.fromEntries(names.map((name) => [name, json])), { requiredKeys: [] });

	const cases = [linkContract, pixelContract].flatMap((contract) =>
		contract.operations.map(({ value }) => [contract.value, value, contract] as const),
	);

	it.each(cases)(
		'%s %s is a request or problems, never an exception',
		(name, operation, contract) => {
			const names = contract.fields.map((field) => field.name);
			const fields = someOf(names);
			const top = [...names, contract.id.name, 'returnAll', 'limit'];
			const scope = someOf(contract.sync.scope.map(({ name }) => name));
			const parameters = fc.record(
				{
					...Object.fromEntries(top.map((one) => [one, json])),
					...Object.fromEntries(collections.map((one) => [one, fc.oneof(fields, fields, json)])),
					syncScope: fc.oneof(scope, scope, json),
				},
				{ requiredKeys: [] },
			);
			const known = new Map([
				...contract.fields.map((field) => [field.displayName, field.wire.key] as const),
				[contract.id.displayName, contract.id.name],
				['Limit', 'limit'],
				['Additional Fields', 'additionalFields'],
				['Filters', 'filters'],
				['Sort', 'sorting'],
				['Update Fields', 'updateFields'],
				['Return All', 'returnAll'],
			]);
			// What is wrong with the scope is wrong with all rows, also where a field has its name.
			const knownOfScope = new Map([
				['Sync Scope', 'syncScope'],
				...contract.sync.scope.map(({ displayName, name }) => [displayName, name] as const),
			]);
			let requests = 0;
			fc.assert(
				fc.property(parameters, reading, (values, options) => {
					const row = encodeRow({ contract, operation, options }, values);
					if ('contract' in row) {
						requests += 1;
						expect(row.scope.length > 0).toBe(operation === 'sync');
						for (const param of paramsOf([...row.fields, ...row.changes])) {
							expect(param.map((part) => typeof part)).toEqual(['string', 'string']);
						}
						expect(row.limit).toBeGreaterThan(0);
						return;
					}
					expect(row).not.toEqual([]);
					for (const { field, key, isRunLevel, ...reason } of row) {
						expect((isRunLevel ? knownOfScope : known).get(field)).toBe(key);
						expect(isRunLevel && operation !== 'sync').toBeFalsy();
						expect(reasonText(reason).trim()).not.toBe('');
					}
				}),
				{
					numRuns: casesOf(60),
					examples: [good[name], { ...good[name], syncScope: { other: 1 } }].map(
						(values = {}): [Parameters, EncodeOptions] => [values, encodeOptions],
					),
				},
			);
			expect(requests).toBeGreaterThan(0);
		},
	);

	it.each(['password', 'privacyPassword'])('never shows what the masked %s holds', (param) => {
		const secret = 'correct-horse';
		const hidden = json.map((other) => ({ [secret]: other, deep: [secret, { __rl: secret }] }));
		fc.assert(
			fc.property(
				fc.oneof(
					hidden,
					hidden.map((one) => [one, secret]),
				),
				(value) => {
					const parameters = { linkId: 7, updateFields: { [param]: value } };
					const row = encodeRow(
						{ contract: linkContract, operation: 'update', options: encodeOptions },
						parameters,
					);
					expect(row).toHaveLength(1);
					expect(JSON.stringify(row)).not.toContain(secret);
				},
			),
		);
	});
});
