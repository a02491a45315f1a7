import fc from 'fast-check';
import { messageOf, useColumns, type Cells } from '../support/columns.ts';
import { casesOf } from '../support/randomTests.ts';
import { apiKey, jsonOf } from '../support/service.ts';

/** Number of random sheets. */
const cases = casesOf(150);

jest.setTimeout(60 * 60_000);

const { current, mapped } = useColumns();

type Field = 'alias' | 'campaign' | 'clicks' | 'disabled' | 'id' | 'source' | 'url';
type Values = Partial<Record<Field, boolean | number | string>>;

interface StoredLink {
	readonly id: number;
	alias: string;
	url: string;
	disabled: number;
	clicks: number | null;
}

const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json' };

/** Returns what the service stores, the oldest link first. */
async function storedLinks(): Promise<StoredLink[]> {
	const response = await fetch(`${current().url}/api/v1/links?per_page=100&sort=asc`, { headers });
	const { data } = (await response.json()) as { data: Record<string, string | number | null>[] };
	return data.map((link) => ({
		id: Number(link.id),
		alias: String(link.alias),
		url: String(link.url),
		disabled: Number(link.disabled),
		clicks: link.expiration_clicks === null ? null : Number(link.expiration_clicks),
	}));
}

/** The links of the account before each run. */
const account = ['', '', '?utm_source=s', '?x=1#top'].map((query, at) => ({
	alias: `a${at}`,
	url: `https://example.com/l${at}${query}`,
	domain_id: '1',
	disabled: String(at % 2),
	...(at === 3 ? { expiration_clicks: '5' } : {}),
}));

async function createAccount(): Promise<StoredLink[]> {
	current().clear();
	for (const form of account) {
		const body = new URLSearchParams(form);
		await fetch(`${current().url}/api/v1/links`, { method: 'POST', headers, body });
	}
	return await storedLinks();
}

const headings: readonly Record<Field, string>[] = [
	{
		alias: 'alias',
		url: 'url',
		disabled: 'disabled',
		clicks: 'expiration_clicks',
		source: 'utm_source',
		campaign: 'utm_campaign',
		id: 'id',
	},
	{
		alias: '\ufeffSlug',
		url: 'Long\u00a0URL',
		disabled: 'DISABLED',
		clicks: 'Expiration Clicks',
		source: 'UTM Source',
		campaign: 'utm-campaign',
		id: 'ID',
	},
	{
		alias: 'short_code',
		url: 'destination',
		disabled: 'Disabled ',
		clicks: 'EXPIRATION-CLICKS',
		source: 'utmSource',
		campaign: 'UTM campaign',
		id: 'Id',
	},
];

const emptyCells = ['', null, ' ', '\u00a0', undefined, '\ufeff'];

const cellOf = (value: boolean | number | string | undefined, style: number): unknown =>
	value === undefined
		? emptyCells[style]
		: [value, String(value), ` ${value}\u00a0`, `\ufeff${value}`, `${value}\n`, value][style];

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const anyRow = fc.record({
	/** Position of the link in the account; no such position for a new link. */
	target: fc.nat(5),
	alias: maybe(fc.constantFrom('n1', 'n2', 'n3', '007')),
	url: fc.constantFrom(
		'https://example.com/n',
		'https://example.com/q?utm_source=o&x=1#top',
		'myapp://open?x=1',
	),
	hasUrl: fc.boolean(),
	disabled: maybe(fc.boolean()),
	clicks: maybe(fc.constantFrom(5, 12)),
	source: maybe(fc.constantFrom('s', 'new s')),
	campaign: maybe(fc.constant('c')),
	style: fc.nat(5),
});

const anyCase = fc.record({
	operation: fc.constantFrom('update' as const, 'upsert' as const),
	matchBy: fc.constantFrom('alias' as const, 'id' as const, 'url' as const),
	rows: fc.uniqueArray(anyRow, { minLength: 1, maxLength: 4, selector: ({ target }) => target }),
	/** Positions of rows that are repeated at the end. */
	repeated: fc.array(fc.nat(3), { maxLength: 2 }),
	/** A row that may contradict another one. */
	last: fc.option(anyRow, { nil: undefined, freq: 6 }),
	headings: fc.nat(headings.length - 1),
});

type Row = typeof anyRow extends fc.Arbitrary<infer T> ? T : never;
type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never;

/** Returns an address with a parameter: in the place of the same parameter, otherwise at the end of the query. */
function withParameter(address: string, name: string, value: unknown): string {
	if (value === undefined || !address.startsWith('http')) return address;
	const [front = '', hash] = address.split('#');
	const [path = '', query] = front.split('?');
	const pairs = query ? query.split('&') : [];
	const at = pairs.findIndex((one) => one.startsWith(`${name}=`));
	pairs.splice(
		at < 0 ? pairs.length : at,
		at < 0 ? 0 : 1,
		`${name}=${encodeURIComponent(String(value))}`,
	);
	return `${path}?${pairs.join('&')}${hash === undefined ? '' : `#${hash}`}`;
}

const tagged = (address: string, { source, campaign }: Values): string =>
	withParameter(withParameter(address, 'utm_source', source), 'utm_campaign', campaign);

/** Returns the values of a row; Match By has a value for the link that the row is about. */
function valuesOf(row: Row, { matchBy, operation }: Case, link: StoredLink | undefined): Values {
	const { target, alias, url, hasUrl, disabled, clicks, source, campaign } = row;
	const sendsUrl = hasUrl || operation === 'upsert' || matchBy === 'url';
	const values: Values = {
		alias,
		url: sendsUrl ? `${url}${url.includes('?') ? '' : target}` : undefined,
		disabled,
		clicks,
		// A row with UTM Parameters and no URL is refused.
		...(sendsUrl ? { source, campaign } : {}),
	};
	if (matchBy === 'alias') return { ...values, alias: link?.alias ?? `new${target}` };
	if (matchBy === 'url') return { ...values, url: link?.url ?? `https://example.com/new${target}` };
	return { ...values, [matchBy]: link?.[matchBy] ?? '' };
}

function change(link: Omit<StoredLink, 'id'>, values: Values): void {
	link.url = tagged(String(values.url ?? link.url), values);
	link.alias = String(values.alias ?? link.alias);
	link.disabled = Number(values.disabled ?? link.disabled);
	link.clicks = values.clicks === undefined ? link.clicks : Number(values.clicks);
}

const contentOf = ({ alias, url, disabled, clicks }: Omit<StoredLink, 'id'>) =>
	JSON.stringify({ alias, url, disabled, clicks });

/** Returns what the service must store after a run without an error: the old links, and the new ones, sorted. */
function expectedLinks(
	sheet: readonly Values[],
	rows: readonly Row[],
	before: readonly StoredLink[],
	{ matchBy }: Case,
) {
	const links = before.map((link) => ({ ...link }));
	const created = new Map<string, Omit<StoredLink, 'id'>>();
	for (const [at, values] of sheet.entries()) {
		const address = tagged(String(values.url), values);
		const position =
			matchBy === 'url' ? before.findIndex(({ url }) => url === address) : (rows[at]?.target ?? -1);
		const link = links[position];
		if (link) change(link, values);
		else {
			const fresh = { alias: 'any', url: '', disabled: 0, clicks: null };
			change(fresh, values);
			// Rows without what makes a link unique create one each.
			const key = matchBy === 'url' ? address : String(values.alias ?? `row ${at}`);
			created.set(key, fresh);
		}
	}
	return { old: links.map(contentOf), created: [...created.values()].map(contentOf).sort() };
}

const writes = () => current().requests.filter(({ method }) => method !== 'GET');

it('stores what random sheets say, whatever Match By, headings, UTM columns and repeated rows they have', async () => {
	const count = { stored: 0, created: 0, refused: 0, unchanged: 0 };
	await fc.assert(
		fc.asyncProperty(anyCase, async (given) => {
			const { operation, matchBy } = given;
			const before = await createAccount();
			const all = [
				...given.rows,
				...given.repeated.flatMap((at) => given.rows[at] ?? []),
				...(given.last ? [given.last] : []),
			];
			const rows =
				operation === 'update' ? all.map((row) => ({ ...row, target: row.target % 4 })) : all;
			const sheet = rows.map((row) => valuesOf(row, given, before[row.target]));
			const fields = Object.entries(headings[given.headings] ?? {}).filter(
				([field]) => field !== 'id' || matchBy === 'id',
			);
			const items = sheet.map(
				(values, at): Cells => ({
					...Object.fromEntries(
						fields.map(([field, heading]) => [
							heading,
							cellOf(values[field as Field], rows[at]?.style ?? 0),
						]),
					),
					...(matchBy === 'alias' ? { Domain: 1 } : {}),
				}),
			);
			const parameters = {
				matchBy,
				...(operation === 'update' ? { linkId: { __rl: true, mode: 'list', value: '' } } : {}),
			};

			current().requests.length = 0;
			const plan = await mapped(operation, items, {
				...parameters,
				options: { dryRun: true },
			});
			expect(writes()).toEqual([]);
			const result = await mapped(operation, items, parameters);
			const after = await storedLinks();
			if (result.error && writes().length === 0) {
				count.refused += 1;
				expect(after).toEqual(before);
				expect(messageOf(plan)).toBe(messageOf(result));
				return;
			}
			if (result.error) {
				expect(messageOf(result)).toContain('The alias has already been taken');
				return;
			}
			count.stored += 1;
			const expected = expectedLinks(sheet, rows, before, given);
			const created = after.slice(before.length);
			const aliases = new Set(sheet.map(({ alias }) => alias));
			expect(after.slice(0, before.length).map(contentOf)).toEqual(expected.old);
			expect(
				created
					.map((link) => contentOf(aliases.has(link.alias) ? link : { ...link, alias: 'any' }))
					.sort(),
			).toEqual(expected.created);
			count.created += created.length;
			const output = jsonOf(result);
			const ids = output.map(({ id }) => id);
			expect(ids).toHaveLength(rows.length);
			if (matchBy !== 'url')
				expect(ids).toEqual(rows.map(({ target }, at) => before[target]?.id ?? ids[at]));
			if (operation === 'update') return;
			if (new Set(ids).size === ids.length)
				expect(jsonOf(plan).map(({ outcome }) => outcome)).toEqual(
					output.map(({ outcome }) => outcome),
				);
			if (matchBy !== 'alias' && matchBy !== 'url') return;
			count.unchanged += 1;
			current().requests.length = 0;
			expect((await mapped('upsert', items, parameters)).error).toBeUndefined();
			expect(writes()).toEqual([]);
		}),
		{ numRuns: cases },
	);
	expect(count.stored).toBeGreaterThan(cases / 4);
	expect([count.created, count.refused, count.unchanged].every((one) => one > 0)).toBe(true);
});
