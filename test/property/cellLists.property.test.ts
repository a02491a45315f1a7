import fc, { type Arbitrary } from 'fast-check';
import { linkContract } from '../../nodes/Link/link.contract';
import { pixelNames } from '../../nodes/Pixel/pixel.contract';
import { nameLookup, NameListResolver } from '../../nodes/shared/contract/nameResolver';
import { Invalid, type Codec } from '../../nodes/shared/contract/types';
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

/** What people write between two entries. */
const separator = fc
	.tuple(
		fc.constantFrom('', ' ', '\u00a0'),
		fc.constantFrom(',', ';', '\n', '\r\n', ',\n', ';;', ', ;'),
		fc.constantFrom('', ' ', '\t'),
	)
	.map((parts) => parts.join(''));

/** The text of a cell: entries with any separators between them, and perhaps some around them. */
const cellOf = (entries: readonly string[]): Arbitrary<string> =>
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

/** Counts what is read as it was written, so that the test fails if all is refused. */
class Counter {
	read = 0;

	refused = 0;
}

describe('names in a cell, whatever separators they have', () => {
	const field = fieldNamed('pixelIds');

	const word = fc.constantFrom(
		'A',
		'b',
		'C d',
		'É',
		'7',
		'x_1',
		'E',
		'f',
		'G',
		'h',
		'I',
		'j',
		'K',
		'l',
	);
	const name = fc
		.tuple(
			word,
			fc.array(fc.tuple(fc.constantFrom(', ', ',', '; ', ';', ' '), word), { maxLength: 3 }),
		)
		.map(([first, more]) => [first, ...more.flat()].join(''))
		// Digits are always IDs.
		.filter((text) => !/^[\d\s,;]*$/.test(text));

	/** An account, some of its names, and a cell of them. */
	const cases = fc
		.uniqueArray(name, {
			minLength: 1,
			maxLength: 8,
			selector: (text) => text.toLowerCase().replace(/\s+/g, ' '),
		})
		.chain((account) =>
			fc
				.uniqueArray(fc.nat(account.length - 1), { minLength: 1 })
				.map((places) => places.map((at) => account[at] ?? ''))
				.chain((wanted) =>
					fc.record({
						account: fc.constant(account),
						wanted: fc.constant(wanted),
						cell: cellOf(wanted),
					}),
				),
		);

	const findIn = (account: readonly string[]) => {
		const named = account.map((text, at) => ({ id: 1000 + at, name: text }));
		const list = { named, ids: named.map(({ id }) => id) };
		const names = new NameListResolver(new Map([[pixelNames, list]]));
		return { names: nameLookup(field, { names }) };
	};

	const idsOf = (account: readonly string[], wanted: readonly string[]) =>
		wanted.map((text) => String(1000 + account.indexOf(text)));

	const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();

	/** The one case in which a list means another one: all of it is the name of a pixel. */
	const isOneName = (account: readonly string[], cell: string) =>
		account.some((text) => plain(text) === plain(cell));

	it('read as they are meant, or are refused', () => {
		const count = new Counter();
		fc.assert(
			fc.property(cases, ({ account, wanted, cell }) => {
				const texts = textsOf(field.wire.codec(cell, field, findIn(account)));
				if (wanted.length > 1 && isOneName(account, cell)) return;
				if (texts === undefined) count.refused += 1;
				else expect(texts).toEqual(idsOf(account, wanted));
				count.read += texts === undefined ? 0 : 1;
			}),
			{ numRuns },
		);
		expect(count.read).toBeGreaterThan(count.refused / 4);
	});

	it('read as they are meant as a list and as its JSON', () => {
		fc.assert(
			fc.property(cases, ({ account, wanted }) => {
				const context = findIn(account);
				for (const value of [wanted, JSON.stringify(wanted)]) {
					const texts = textsOf(field.wire.codec(value, field, context));
					expect(texts).toEqual(idsOf(account, wanted));
				}
			}),
			{ numRuns },
		);
	});
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
						.tuple(fc.constantFrom('=', ' = ', '= '), cellOf(rules.map((rule) => rule.join('='))))
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
			.chain((addresses) => cellOf(addresses).map((cell) => ({ addresses, cell })));
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
