import fc, { type Arbitrary } from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { jsonOf } from '../support/service.ts';
import { useColumns, type Cells, type Write } from '../support/columns.ts';
import { casesOf, type Made } from '../support/randomTests.ts';

const { current, mapped, madeLink, held } = useColumns();

/** Number of random cases, of up to two runs each. */
const cases = casesOf(12);

jest.setTimeout(10 * 60_000);

const names = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'utm_id'];

const pair = fc.oneof(
	fc.stringMatching(/^[a-z%+[\]-]{1,6}(=[a-z%+=[\]-]{0,6})?$/),
	fc.constantFrom('', 'utm_source=old', 'utm%5Fsource=a', 'utm_source', 'UTM_source=x', 'utm_id='),
);

/** Addresses as sheets have them: with and without a query, with parameters already, and of other schemes. */
const address: Arbitrary<string> = fc
	.tuple(
		fc.constantFrom(
			'https://example.com',
			'http://EXAMPLE.com:80/ä',
			'HTTPS://example.org/a;b,c',
			'myapp://open/',
		),
		fc.option(fc.array(pair, { maxLength: 4 })),
		fc.option(fc.stringMatching(/^[a-z?&=/]{0,5}$/)),
	)
	.map(
		([base, pairs, fragment]) =>
			`${base}${pairs ? `?${pairs.join('&')}` : ''}${fragment === null ? '' : `#${fragment}`}`,
	);

const value = fc.constantFrom('mail', 'a b', 'ü&=#?', '50%', 'x+y', '😀', '=utm_id');

const parameters = fc
	.subarray(names, { minLength: 1 })
	.chain((some) => fc.record(Object.fromEntries(some.map((name) => [name, value]))));

const keys = { country: ['DE', 'FR', 'AT'], platform: ['iOS', 'OS X', 'Linux'], rotation: [] };

const anyCase = fc.record({
	operation: fc.constantFrom<Write>('create', 'update', 'upsert', 'sync'),
	url: address,
	kind: fc.constantFrom<keyof typeof keys>('country', 'platform', 'rotation'),
	addresses: fc.array(address, { maxLength: 3 }),
	utm: parameters as Arbitrary<Record<string, string>>,
});

type Case = Made<typeof anyCase>;

/** An address in its parts: before the query, the pairs of the query, and from the fragment on. */
function partsOf(text: string) {
	const [, base, , query = '', fragment] = text.match(/^([^?#]*)(\?([^#]*))?(#.*)?$/s) ?? [];
	return { base, pairs: query.split('&').filter((one) => one !== ''), fragment };
}

const decoded = (text: string) => {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
};

const nameOf = (text: string) => decoded(text.split('=')[0] ?? '');

/** Checks that an address has each parameter once, and is otherwise what was given. */
function checkTagged(stored: string, given: string, utm: Case['utm']): void {
	const [after, before] = [partsOf(stored), partsOf(given)];
	const isOther = (one: string) => !Object.hasOwn(utm, nameOf(one));
	expect(after.base).toBe(before.base);
	expect(after.fragment).toBe(before.fragment);
	expect(after.pairs.filter(isOther)).toEqual(before.pairs.filter(isOther));
	const own = after.pairs.filter((one) => !isOther(one));
	const values = own.map((one) => [nameOf(one), decoded(one.slice(one.indexOf('=') + 1))]);
	expect(values.sort()).toEqual(Object.entries(utm).sort());
}

const isWeb = (text: string) => /^https?:/i.test(text);

let count = 0;

async function tryOut(one: Case): Promise<void> {
	const { operation, url, kind, addresses, utm } = one;
	count += 1;
	const alias = `a-${count}`;
	const rules = addresses.map((text, index) =>
		kind === 'rotation' ? { value: text } : { key: keys[kind][index], value: text },
	);
	const given: Cells = { url, ...(rules.length > 0 ? { [`${kind} rules`]: rules } : {}) };
	const run = async (row: Cells) => {
		current().requests.length = 0;
		const result = await mapped(operation, [row]);
		expect(result.error).toBeUndefined();
		return Number(jsonOf(result)[0]?.id);
	};
	const key = operation === 'update' ? { id: await madeLink(alias) } : { alias };
	const row = { ...key, ...given, ...utm };
	const id = await run(row);

	const stored = await held(id);
	const list = (stored?.[`${kind}_target`] ?? []) as IDataObject[];
	if (isWeb(url)) checkTagged(String(stored?.url), url, utm);
	else expect(stored?.url).toBe(url);
	expect(list).toHaveLength(addresses.length);
	for (const [index, text] of addresses.entries()) {
		const address = String(list[index]?.value);
		if (isWeb(text)) checkTagged(address, text, utm);
		else expect(address).toBe(text);
	}
	// The same row again finds nothing to change.
	if (operation === 'create' || operation === 'update') return;
	await run(row);
	expect(current().requests.map(({ method }) => method)).not.toContain('PUT');
}

it('every web address that is stored has each parameter once, and nothing else of it changes', async () => {
	await fc.assert(fc.asyncProperty(anyCase, tryOut), { numRuns: cases });
});
