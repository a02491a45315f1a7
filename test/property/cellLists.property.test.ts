import fc, { type Arbitrary } from 'fast-check';
import { linkContract } from '../../nodes/Link/link.contract';
import { pixelNames } from '../../nodes/Pixel/pixel.contract';
import { nameFinder, replaceNames } from '../../nodes/shared/contract/names';
import { Invalid, type Codec, type Reason } from '../../nodes/shared/contract/types';
import type { Field } from '../../nodes/shared/contract/fieldTypes';
import { casesOf } from '../support/randomTests.ts';

/** So many random lists are read. */
const numRuns = casesOf(1500);

function fieldNamed(name: string): Field {
	const field = linkContract.fields.find((one) => one.name === name);
	if (!field) throw new Error(`no field ${name}`);
	return field;
}

const textsOf = (encoded: ReturnType<Codec>): string[] | undefined =>
	encoded instanceof Invalid ? undefined : encoded.map(([, text]) => text);

/** The text of a cell: entries with separators between them, and perhaps some around them. */
const cellOf = (entries: readonly string[], separator: Arbitrary<string>): Arbitrary<string> =>
	fc
		.tuple(
			fc.constantFrom('', '\ufeff', ' ', '\n'),
			fc.array(separator, { minLength: entries.length, maxLength: entries.length }),
			fc.boolean(),
		)
		.map(([before, separators, isClosed]) => {
			const last = entries.length - 1;
			const texts = entries.map((entry, at) =>
				at < last || isClosed ? `${entry}${separators[at]}` : entry,
			);
			return `${before}${texts.join('')}`;
		});

/** What people write between two names. */
const nameSeparator = fc.constantFrom(',', ', ', ';', '; ', '\n', '\r\n', ' ,\u00a0', ',\n', ';;');

/** What people write between two rules: mostly line breaks, which are right. */
const ruleSeparator = fc.oneof(
	{ weight: 9, arbitrary: fc.constantFrom('\n', '\r\n', '\n\n', ' \n\t') },
	fc.constantFrom(',', ', ', ';', '; ', ',\n', ' '),
);

/** Counts what is read as it was written, so that the test fails if all is refused. */
class Counter {
	read = 0;

	refused = 0;
}

it('names in a cell or a list are read as they are meant', () => {
	const field = fieldNamed('pixelIds');
	const word = fc.constantFrom('A', 'b', 'C d', 'É', 'x_1', '[EU]', 'Spring, 2024', 'p;q');
	const cases = fc.uniqueArray(word, { minLength: 1 }).chain((account) =>
		fc.shuffledSubarray(account, { minLength: 1 }).chain((meant) =>
			fc.record({
				account: fc.constant(account),
				meant: fc.constant(meant),
				cell: cellOf(meant, nameSeparator),
			}),
		),
	);
	fc.assert(
		fc.property(cases, ({ account, meant, cell }) => {
			const named = account.map((name, at) => ({ id: 1000 + at, name }));
			const find = nameFinder(new Map([[pixelNames, { named }]]));
			const read = (value: unknown) => {
				const values = field.wire.codec(value, field);
				if (values instanceof Invalid) return textsOf(values);
				const reasons: Array<Reason | string> = [];
				const [encoded] = replaceNames([{ field, values }], find, (_, found) => {
					reasons.push(...found);
				});
				return textsOf(encoded?.values ?? new Invalid(reasons));
			};
			const ids = meant.map((name) => String(1000 + account.indexOf(name)));
			expect(read(meant)).toEqual(ids);
			expect(read(JSON.stringify(meant))).toEqual(ids);
			// A name with a separator is several names in a cell, which are unknown.
			const isSplit = meant.some((name) => /[,;]/.test(name));
			expect(read(cell)).toEqual(isSplit ? undefined : ids);
		}),
		{ numRuns },
	);
});

describe('rules in a cell, whatever separators their addresses have', () => {
	/** What addresses have in them that looks like the next rule, or like the end of one. */
	const part = fc.constantFrom(
		...['/p;v=2', '/a,b', '?a=1,2;b=3', ';id=5', ',de', '/@1.5,2.5', '&x=US', '#t=10:30,11:45'],
		...[
			';jsessionid=A1.node2',
			'/DE=1',
			';;',
			',;',
			'?u=https%3A%2F%2Fb.example',
			'/|x',
			',no=',
			'==',
		],
	);
	const address = fc
		.tuple(
			fc.constantFrom(
				'https://a.example',
				'http://b.example:8080/',
				'app://open',
				'https://ü.example',
			),
			fc.array(part, { maxLength: 4 }),
		)
		.map((parts) => parts.flat().join(''))
		// A separator at the end of a cell does not belong to the address.
		.filter((text) => !/[,;|]$/.test(text));

	const keys = {
		country: fc.uniqueArray(fc.constantFrom('US', 'DE', 'ID', 'FR', 'NO'), { minLength: 1 }),
		language: fc.uniqueArray(fc.constantFrom('de', 'id', 'no', 'fr', 'en'), { minLength: 1 }),
		platform: fc.uniqueArray(fc.constantFrom('iOS', 'OS X', 'Linux', 'Ubuntu'), { minLength: 1 }),
	};

	const read = (name: string, cell: unknown) => {
		const field = fieldNamed(name);
		return textsOf(field.wire.codec(cell, field));
	};

	const cases = fc
		.constantFrom('country' as const, 'language' as const, 'platform' as const)
		.chain((name) => keys[name].map((found) => ({ name, found })))
		.chain(({ name, found }) =>
			fc
				.array(address, { minLength: found.length, maxLength: found.length })
				.map((addresses) => found.map((key, at) => [key, addresses[at] ?? ''] as const))
				.chain((rules) =>
					fc
						.tuple(
							fc.constantFrom('=', ' = ', '= '),
							cellOf(
								rules.map((rule) => rule.join('=')),
								ruleSeparator,
							),
						)
						.map(([equals, cell]) => ({
							name,
							rules,
							cell: rules.reduce(
								(text, [key]) => text.replace(`${key}=http`, `${key}${equals}http`),
								cell,
							),
						})),
				),
		);

	it('read as they are meant, or are refused', () => {
		const count = new Counter();
		fc.assert(
			fc.property(cases, ({ name, rules, cell }) => {
				const texts = read(name, cell);
				if (texts === undefined) count.refused += 1;
				else expect(texts).toEqual(rules.flat());
				count.read += texts === undefined ? 0 : 1;
			}),
			{ numRuns },
		);
		expect(count.read).toBeGreaterThan(count.refused);
	});

	it('read as they are meant in an object', () => {
		fc.assert(
			fc.property(cases, ({ name, rules }) => {
				expect(read(name, Object.fromEntries(rules))).toEqual(rules.flat());
				expect(read(name, JSON.stringify(Object.fromEntries(rules)))).toEqual(rules.flat());
			}),
			{ numRuns },
		);
	});

	it('read as they are meant where they have no keys, or are refused', () => {
		const count = new Counter();
		const lists = fc
			.array(address, { minLength: 1, maxLength: 5 })
			.chain((addresses) => cellOf(addresses, ruleSeparator).map((cell) => ({ addresses, cell })));
		fc.assert(
			fc.property(lists, ({ addresses, cell }) => {
				const texts = read('rotation', cell);
				if (texts === undefined) count.refused += 1;
				else expect(texts).toEqual(addresses);
				count.read += texts === undefined ? 0 : 1;
			}),
			{ numRuns },
		);
		expect(count.read).toBeGreaterThan(count.refused);
	});
});
