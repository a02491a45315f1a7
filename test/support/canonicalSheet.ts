import fc, { type Arbitrary } from 'fast-check';

/** An address in parts, so that parameters can be added to its query. */
export interface Address {
	readonly base: string;
	readonly query?: string;
	readonly fragment?: string;
}

/** Targeting rules of one kind; a rotation has no keys. */
export interface Rules {
	readonly kind: 'country' | 'language' | 'platform' | 'rotation';
	readonly entries: readonly (readonly [key: string, address: Address])[];
}

/** What a row means, whatever its spelling. An undefined value is an empty cell. */
export interface CanonicalRow {
	readonly alias: string;
	readonly domain: 1 | 2;
	readonly url: Address;
	readonly space?: 1 | 2;
	/** Places in `pixelNames`. */
	readonly pixels?: readonly number[];
	readonly disabled?: boolean;
	readonly privacy?: 0 | 1;
	readonly rules?: Rules;
	/** Milliseconds since 1970, whole minutes. */
	readonly expiration?: number;
	readonly expirationClicks?: number;
	readonly expirationUrl?: Address;
	readonly utm?: Readonly<Record<string, string>>;
}

/** Names of pixels as accounts have them; some contain a separator. */
export const pixelNames = [
	'Spring visitors',
	'Retargeting, EU',
	'Shop; checkout',
	'Été 2030',
	'77 days',
] as const;

export const timeZones = [
	...['America/New_York', 'Asia/Tokyo', 'Europe/Berlin', 'Pacific/Auckland', 'Asia/Kolkata'],
	'UTC',
] as const;
export type TimeZone = (typeof timeZones)[number];

const minute = 60_000;
const day = 24 * 60 * minute;

/** The clock of each time zone. The Swedish format is that of ISO 8601. */
const clocks = new Map(
	timeZones.map((timeZone) => [
		timeZone,
		new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
	]),
);

/** Returns what the clock of a time zone shows at a moment. */
export function wallTime(instant: number, timeZone: TimeZone): { date: string; time: string } {
	const [date = '', time = ''] = clocks.get(timeZone)?.format(instant).split(' ') ?? [];
	return { date, time };
}

const maybe = <T>(value: Arbitrary<T>) => fc.option(value, { nil: undefined });

const address: Arbitrary<Address> = fc.record({
	base: fc
		.tuple(
			fc.constantFrom('https://example.com', 'http://shop.example:8080', 'https://ü.example'),
			fc.constantFrom('/', '/p', '/p;v=2', '/a%20b', '/ä', '/1,5'),
			fc.nat(9),
		)
		.map((parts) => parts.join('')),
	query: maybe(fc.constantFrom('a=1', 'q=x+y&b=ü', 'list=1;2', 'flag')),
	fragment: maybe(fc.constantFrom('top', 't=10:30')),
});

const appAddress: Arbitrary<Address> = fc
	.nat(9)
	.map((number) => ({ base: `myapp://open/${number}` }));

const keys = {
	country: ['DE', 'US', 'GB', 'CI'],
	language: ['de', 'en', 'fr'],
	platform: ['iOS', 'OS X', 'Windows', 'Chrome OS'],
	rotation: ['0', '1', '2'],
} as const;

const rulesOf = (kind: Rules['kind']): Arbitrary<Rules> =>
	fc
		.shuffledSubarray([...keys[kind]], { minLength: 1 })
		.chain((some) =>
			fc.tuple(
				...some.map((key) =>
					fc.tuple(
						fc.constant(key),
						fc.oneof({ weight: 4, arbitrary: address }, { weight: 1, arbitrary: appAddress }),
					),
				),
			),
		)
		.map((entries) => ({ kind, entries }));

/** A moment, often near midnight in UTC or in the time zone. */
const expirationIn = (timeZone: TimeZone): Arbitrary<number> =>
	fc
		.record({
			days: fc.nat(3000),
			minutes: fc.constantFrom(0, 1, 29, 150, 723, 1410, 1439),
			isLocal: fc.boolean(),
		})
		.map(({ days, minutes, isLocal }) => {
			const moment = Date.UTC(2031, 0, 1) + days * day + minutes * minute;
			const { date, time } = wallTime(moment, timeZone);
			return isLocal ? 2 * moment - Date.parse(`${date}T${time}Z`) : moment;
		});

export const utmNames = [
	'utm_source',
	'utm_medium',
	'utm_campaign',
	'utm_term',
	'utm_content',
	'utm_id',
];
const utmValue = fc.constantFrom('mail', 'a b', 'ü&=#', '50%', 'x+y', 'Spring Sale');

const utm = fc
	.subarray(utmNames, { minLength: 1 })
	.chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, utmValue]))));

/** The values of the optional fields. */
const optional = (timeZone: TimeZone) => ({
	space: fc.constantFrom(1 as const, 2 as const),
	pixels: fc.subarray(
		pixelNames.map((_, at) => at),
		{ minLength: 1 },
	),
	disabled: fc.boolean(),
	privacy: fc.constantFrom(0 as const, 1 as const),
	rules: fc
		.constantFrom<Rules['kind']>('country', 'language', 'platform', 'rotation')
		.chain(rulesOf),
	expiration: expirationIn(timeZone),
	expirationClicks: fc.constantFrom(0, 1, 250, 1000),
	expirationUrl: address,
	utm: utm as Arbitrary<Record<string, string>>,
});

/** The rows of a sheet, with a key and a destination of their own each. */
export const sheetIn = (timeZone: TimeZone): Arbitrary<CanonicalRow[]> => {
	const { space, pixels, disabled, privacy, rules, ...others } = optional(timeZone);
	const { expiration, expirationClicks, expirationUrl, utm: tags } = others;
	const row = fc.record({
		domain: fc.constantFrom(1 as const, 1 as const, 2 as const),
		name: fc.nat(20),
		url: address,
		space: maybe(space),
		pixels: maybe(pixels),
		disabled: maybe(disabled),
		privacy: maybe(privacy),
		rules: maybe(rules),
		expiration: maybe(expiration),
		expirationClicks: maybe(expirationClicks),
		expirationUrl: maybe(expirationUrl),
		utm: maybe(tags),
	});
	return fc
		.uniqueArray(row, {
			minLength: 1,
			maxLength: 8,
			selector: ({ domain, name }) => `${domain}/${name}`,
		})
		.map((rows) =>
			rows.map(({ name, url, ...one }) => ({
				...one,
				// Some aliases look like numbers; all of them begin with the same character.
				alias: name > 15 ? `20${name}` : `2c-${name}`,
				url: { ...url, base: `${url.base}/${one.domain}-${name}` },
			})),
		);
};

/** The fields whose cells can change. */
export const changeable = [
	'url',
	'space',
	'pixels',
	'disabled',
	'privacy',
	'rules',
	'expiration',
	'expirationClicks',
	'expirationUrl',
	'utm',
	'alias',
] as const;
export type Changeable = (typeof changeable)[number];

const changedRules = ({ rules }: CanonicalRow): Rules => {
	const { kind, entries } = rules ?? { kind: 'country', entries: [] };
	const [first, ...more] = entries;
	const key = first?.[0] ?? 'US';
	return { kind, entries: [[key, { base: 'https://new.example/rule' }], ...more] };
};

/** Returns a row with another value of a field. The value is never empty, because an empty cell changes nothing. */
export function changed(row: CanonicalRow, field: Changeable): CanonicalRow {
	const { pixels = [], utm: tags = {} } = row;
	const values: Record<Changeable, () => Partial<CanonicalRow>> = {
		alias: () => ({ alias: `${row.alias}x` }),
		url: () => ({ url: { ...row.url, base: `${row.url.base}/new` } }),
		space: () => ({ space: row.space === 1 ? 2 : 1 }),
		pixels: () => ({
			pixels: pixels.length > 1 ? pixels.slice(1) : [...new Set([...pixels, 0, 1])],
		}),
		disabled: () => ({ disabled: !row.disabled }),
		privacy: () => ({ privacy: row.privacy === 1 ? 0 : 1 }),
		rules: () => ({ rules: changedRules(row) }),
		expiration: () => ({ expiration: (row.expiration ?? Date.UTC(2040, 0, 1)) + 7 * day }),
		expirationClicks: () => ({ expirationClicks: (row.expirationClicks ?? 0) + 7 }),
		expirationUrl: () => ({ expirationUrl: { base: 'https://new.example/over' } }),
		utm: () => ({ utm: { ...tags, utm_medium: 'changed' } }),
	};
	return { ...row, ...values[field]() };
}

/** Returns the text of an address. */
export const addressText = ({ base, query, fragment }: Address): string =>
	`${base}${query === undefined ? '' : `?${query}`}${fragment === undefined ? '' : `#${fragment}`}`;
