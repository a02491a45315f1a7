import fc, { type Arbitrary } from 'fast-check';
import { linkContract } from '../../nodes/Link/link.contract';
import { domainNames, spaceNames } from '../../nodes/Link/link.locators';
import { pixelNames } from '../../nodes/Pixel/pixel.contract';
import { finishRow } from '../../nodes/shared/contract/encode';
import { collectNames } from '../../nodes/shared/contract/names';
import { draftOf, encodeOptions } from '../support/encodeRow.ts';
import type { NamedResource, NameSource, Problem } from '../../nodes/shared/contract/types';
import { reasonText } from '../../nodes/shared/contract/values';
import { isEncoded, paramsOf, type EncodedRow } from '../../nodes/shared/contract/encodedRow';
import { nameFinder, type NameList, type RequestedNames } from '../../nodes/shared/contract/names';
import { casesOf, type Made } from '../support/randomTests.ts';

/** So many random rows are read. */
const cases = casesOf(300);

/** A value as a person writes it, and what it means: the texts to send; undefined where it must be refused. */
interface Written {
	readonly value: unknown;
	readonly means: readonly string[] | undefined;
}

/** What the account has. Names of several are none of one. */
const account = {
	domains: [
		{ id: 1, name: 'short.example' },
		{ id: 12, name: 'go.example' },
		{ id: 7, name: 'https://old.example' },
	],
	spaces: [
		{ id: 3, name: 'Support' },
		{ id: 4, name: 'Support, second level' },
		{ id: 5, name: 'Sales / "EMEA"' },
		{ id: 8, name: 'Twice' },
		{ id: 9, name: 'Twice' },
	],
	pixels: [
		{ id: 21, name: 'Spring visitors' },
		{ id: 22, name: "L'été [EU]" },
		{ id: 23, name: '春の訪問者' },
		{ id: 24, name: '77' },
		{ id: 25, name: 'SPRING' },
		{ id: 26, name: 'spring' },
	],
} as const;

const oneOf = <T>(...values: readonly T[]): Arbitrary<T> => fc.constantFrom(...values);

/** A name in the ways in which people write the same one. */
const asWritten = (name: string): Arbitrary<string> =>
	oneOf(name, ` ${name} `, name.toUpperCase(), name.toLowerCase(), `\t${name}\n`);

/** A known resource by ID, by name or whole, as expressions and columns have it. */
const known = ({ id, name }: NamedResource, more: readonly unknown[] = []): Arbitrary<Written> =>
	fc
		.oneof(
			asWritten(name),
			oneOf<unknown>(id, String(id), ` ${String(id)}`, { id, name }, { name }, ...more),
			asWritten(name).map((value) => ({ __rl: true, mode: 'id', value })),
			fc.constant({ __rl: true, mode: 'list', value: id, cachedResultName: 'old' }),
		)
		.map((value) => ({ value, means: [String(id)] }));

const refused = (...values: readonly unknown[]): Arbitrary<Written> =>
	oneOf(...values).map((value) => ({ value, means: undefined }));

const left: Arbitrary<Written> = oneOf<unknown>('', ' ', null, undefined, {
	__rl: true,
	mode: 'list',
	value: '',
}).map((value) => ({ value, means: [] }));

const domain: Arbitrary<Written> = fc.oneof(
	...account.domains.map(({ id, name }) => {
		const host = name.replace('https://', '');
		return known({ id, name }, [host, `https://${host}/`, `HTTP://${host}`]);
	}),
	// Digits are an ID, known or not.
	fc.constant({ value: '404', means: ['404'] }),
	refused('go.exampel', 'go.example/spring', 'https://go.example/a', {}, true, '.', [1]),
	left,
);

const space: Arbitrary<Written> = fc.oneof(
	...account.spaces.slice(0, 3).map((one) => known(one)),
	refused('Twice', 'twice', 'Suport', { name: 'Twice' }, NaN, '4.5'),
	left,
);

/** Whether a text can stand in a cell beside others. */
const isPlain = (text: string) => !/[,[{]/.test(text);

const onePixel: Arbitrary<Written> = fc.oneof(
	...account.pixels.slice(0, 3).map((one) => known(one)),
	// Digits are an ID; of two names that differ in case, each is that of one to the letter.
	oneOf(
		{ value: '77', means: ['77'] },
		{ value: ' SPRING', means: ['25'] },
		{ value: 'spring', means: ['26'] },
	),
);

const joined = (entries: readonly Written[]): readonly string[] | undefined =>
	entries.some(({ means }) => !means)
		? undefined
		: [...new Set(entries.flatMap(({ means }) => means ?? []))];

const pixels: Arbitrary<Written> = fc
	.array(fc.oneof({ weight: 8, arbitrary: onePixel }, refused('Spring', 'Spring visitor')), {
		maxLength: 4,
	})
	.chain((entries) => {
		const values = entries.map(({ value }) => value);
		const texts = values.filter((one) => typeof one === 'string');
		const isText = texts.length === values.length && texts.every(isPlain);
		const ways = [values, JSON.stringify(values), ...(isText ? [texts.join(',')] : [])];
		return oneOf<unknown>(...ways).map((value) => ({ value, means: joined(entries) }));
	});

/** Codes and what people write for them, by hand from ISO 3166-1, ISO 639 and the contract (2.1). */
const keys = {
	country: {
		DE: ['Germany', 'GERMANY', 'de', ' DE '],
		GB: ['United Kingdom', 'UK', 'uk', 'gb', 'Great Britain'],
		US: ['United States', 'usa', 'US', 'United States of America'],
		CI: ["Côte d'Ivoire", 'Cote d’Ivoire', 'Ivory Coast'],
		TR: ['Turkey', 'Türkiye'],
		KN: ['St. Kitts & Nevis', 'St Kitts and Nevis'],
		// Two letters that nobody knows are the service's to judge.
		XX: ['xx', 'XX'],
	},
	language: {
		de: ['German', 'DE', 'de'],
		en: ['English', 'en'],
		fr: ['french', 'fr'],
		zh: ['Chinese', 'zh', 'Mandarin'],
	},
	platform: {
		iOS: ['iOS', 'ios', 'IOS'],
		'OS X': ['OS X', 'macOS', 'os x', 'Mac OS X', 'osx'],
		'Chrome OS': ['chrome os', 'ChromeOS'],
		Windows: ['windows', 'Windows'],
	},
} as const;

const unknownKeys = ['Germny', 'DEU', 'ger', 'Klingon', 'Windos', '49', 'D E U T S C H'];

const address = fc.nat(99).map((number) => `https://example.com/${number}?a=1&b=ü`);

interface Rule {
	readonly key: string;
	readonly code: string | undefined;
	readonly address: string;
}

/** The form's rows, lists, objects and texts of the same rules. */
function notations(rules: readonly Rule[]): Arbitrary<unknown> {
	const rows = rules.map(({ key, address: value }) => ({ key, value }));
	const texts = rules.map(({ key, address: value }) => `${key}=${value}`);
	const isObject = new Set(rules.map(({ key }) => key.trim())).size === rules.length;
	const object = Object.fromEntries(rules.map(({ key, address: value }) => [key, value]));
	const asObjects = isObject ? [object, JSON.stringify(object)] : [];
	const form = { rules: [...rows, { key: '', value: '' }] };
	return oneOf<unknown>(
		...[form, rows, JSON.stringify(rows), texts, texts.join('\n'), ...asObjects],
	);
}

const keyed = (kind: keyof typeof keys): Arbitrary<Written> => {
	const rule = fc
		.tuple(
			fc.oneof(
				{
					weight: 12,
					arbitrary: oneOf(
						...Object.entries<readonly string[]>(keys[kind]).flatMap(([code, names]) =>
							names.map((key) => ({ key, code })),
						),
					),
				},
				oneOf(...unknownKeys.map((key) => ({ key, code: undefined }))),
			),
			address,
		)
		.map(([one, to]): Rule => ({ ...one, address: to }));
	return fc.array(rule, { minLength: 1, maxLength: 3 }).chain((rules) => {
		const codes = rules.map(({ code }) => code);
		const isWrong = codes.includes(undefined) || new Set(codes).size < codes.length;
		const means = isWrong ? undefined : rules.flatMap((one) => [String(one.code), one.address]);
		return notations(rules).map((value) => ({ value, means }));
	});
};

const rotation: Arbitrary<Written> = fc
	.array(address, { minLength: 1, maxLength: 3 })
	.chain((means) =>
		oneOf<unknown>(
			means,
			means.join('\r\n'),
			{ rules: means.map((value) => ({ value })) },
			JSON.stringify(means),
		).map((value) => ({ value, means })),
	);

/** The kinds of rules in the order of the form, and the numbers of the contract (2.1). */
const kinds = { country: '1', language: '3', platform: '2', rotation: '4' } as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

const labels: Record<Kind, string> = {
	country: 'Country Rules',
	language: 'Language Rules',
	platform: 'Platform Rules',
	rotation: 'Rotation Rules',
};

const seldom = <T>(arbitrary: Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

const rarely = <T>(arbitrary: Arbitrary<T>) =>
	fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, arbitrary);

const row = fc.record({
	operation: oneOf('create' as const, 'upsert' as const),
	domain,
	space: seldom(space),
	pixels: seldom(pixels),
	rules: fc.oneof(
		fc.record({ country: keyed('country') }),
		fc.record({ language: keyed('language') }),
		fc.record({ platform: keyed('platform') }),
		fc.record({ rotation }),
		fc.record({
			country: rarely(keyed('country')),
			language: rarely(keyed('language')),
			platform: rarely(keyed('platform')),
			rotation: rarely(rotation),
		}),
	),
	targetType: rarely(oneOf<number | string>('0', '1', '2', '3', '4', 1, 3, ' 4 ')),
});

type Case = Made<typeof row>;

/** What is to be sent, by the key of the contract, and the labels of the fields that are wrong. */
interface Expected {
	readonly sent: ReadonlyMap<string, readonly string[]>;
	readonly wrong: ReadonlySet<string>;
}

/** The rules of a row by their kind. */
const rulesOf = ({ rules }: Case): (readonly [Kind, Written])[] => {
	const given: Partial<Record<Kind, Written | undefined>> = rules;
	return kindNames.flatMap((kind) => {
		const written = given[kind];
		return written ? [[kind, written] as const] : [];
	});
};

/** What a row means, by the rules of the reference in plain words. */
function expectedOf(given: Case): Expected {
	const sent = new Map<string, readonly string[]>();
	const wrong = new Set<string>();
	const take = (key: string, label: string, written: Written | undefined) => {
		if (written?.means === undefined && written) wrong.add(label);
		else if (written?.means?.length) sent.set(key, written.means);
	};
	take('domain_id', 'Domain', given.domain);
	take('space_id', 'Space', given.space);
	take('pixel_ids', 'Pixels', given.pixels);
	const rules = rulesOf(given);
	for (const [kind, written] of rules) take(kind, labels[kind], written);
	const type = given.targetType === undefined ? undefined : String(given.targetType).trim();
	const [first, ...others] = rules;
	// Target Type says which of several kinds counts; without it there is one kind.
	const isOne = rules.some(([kind]) => kinds[kind] === type);
	if (type === undefined) for (const [kind] of others) wrong.add(labels[kind]);
	else if (!isOne) for (const [kind] of rules) wrong.add(labels[kind]);
	const inForce = type ?? (first && kinds[first[0]]);
	if (inForce !== undefined) sent.set('target_type', [inForce]);
	// A type without its rules is incomplete, which only a create refuses.
	if (given.operation === 'create' && type !== undefined && type !== '0' && !isOne) {
		wrong.add('Target Type');
	}
	return { sent, wrong };
}

/** The parameters of a row; what was not added is not there. */
function parametersOf(given: Case): Record<string, unknown> {
	const { domain: at, space: inSpace, pixels: withPixels, rules, ...others } = given;
	const rulesGiven = rulesOf({ ...given, rules }).map(([kind, { value }]) => [kind, value]);
	const added = {
		...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
		...Object.fromEntries(rulesGiven),
		...(inSpace ? { spaceId: inSpace.value } : {}),
		...(withPixels ? { pixelIds: withPixels.value } : {}),
	};
	const url = 'https://example.com/a';
	const top = { url, domainId: at.value };
	return { ...top, alias: 'one', additionalFields: added };
}

/** Reads a row as a run does: it collects the names of the row, and encodes the row after their lists are read. */
function read({ operation, ...given }: Case): {
	encoded: EncodedRow | readonly Problem[];
	names: RequestedNames;
} {
	const parameters = parametersOf({ operation, ...given });
	const run = { contract: linkContract, operation, options: encodeOptions };
	const draft = draftOf(run, parameters);
	const names: RequestedNames = new Map();
	collectNames([...draft.row.fields, ...draft.row.changes, ...draft.row.scope], names);
	const lists = new Map<NameSource, NameList>([
		[domainNames, { named: account.domains }],
		[spaceNames, { named: account.spaces }],
		[pixelNames, { named: account.pixels }],
	]);
	const read = new Map([...lists].filter(([source]) => names.has(source)));
	const { row, problems } = finishRow(draft, nameFinder(read));
	return { encoded: problems.length > 0 ? problems : row, names };
}

/** `country[0][key]=DE` … as `country: DE, …`: the values of each key in their order. */
function sentBy({ fields }: EncodedRow): Map<string, string[]> {
	const sent = new Map<string, string[]>();
	for (const [name, text] of paramsOf(fields)) {
		const key = name.replace(/\[.*$/, '');
		sent.set(key, [...(sent.get(key) ?? []), text]);
	}
	return sent;
}

it('rows with names, codes and rules are sent as they are meant, or refused for what is wrong', () => {
	fc.assert(
		fc.property(row, (given) => {
			const expected = expectedOf(given);
			const { encoded } = read(given);
			if (!isEncoded(encoded)) {
				expect(new Set(encoded.map(({ field }) => field))).toEqual(expected.wrong);
				const ofSeveral = encoded.map(reasonText).filter((text) => /^"\s*twice/i.test(text));
				for (const text of ofSeveral) expect(text).toContain('several spaces (IDs 8, 9)');
				return;
			}
			expect(expected.wrong).toEqual(new Set());
			const fixed = [
				['url', ['https://example.com/a']],
				['alias', ['one']],
			] as const;
			expect(sentBy(encoded)).toEqual(new Map([...fixed, ...expected.sent]));
		}),
		{ numRuns: cases },
	);
});
