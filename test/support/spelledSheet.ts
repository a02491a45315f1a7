import fc, { type Arbitrary } from 'fast-check';
import type { Cells } from './columns.ts';
import type { StoredLink } from './simulatedService.ts';

export const timeZones = [
	...['America/New_York', 'Asia/Tokyo', 'Europe/Berlin', 'Pacific/Auckland', 'Asia/Kolkata'],
	'UTC',
] as const;
export type TimeZone = (typeof timeZones)[number];

/** The nodes that a sheet may come from. */
export const sources = ['googleSheets', 'airtable', 'csv', 'database'] as const;

/** Names of pixels as accounts have them; some contain a separator. */
export const pixelNames = [
	...['Spring visitors', 'Retargeting, EU', 'Shop; checkout', 'Été 2030', '77 days'],
] as const;

/** The fields whose cells are optional, apart from the URL. */
const fieldNames = [
	...(['url', 'spaceId', 'pixelIds', 'disabled', 'privacy', 'rules'] as const),
	...(['expiration', 'expirationClicks', 'expirationUrl', 'utm'] as const),
] as const;
type FieldName = (typeof fieldNames)[number];

/** The fields whose cells can change. */
export const changeable = [...fieldNames, 'alias'] as const;
export type Changeable = (typeof changeable)[number];

/** What a row means, whatever its spelling. A field without a choice is an empty cell. */
export interface CanonicalRow {
	readonly alias: string;
	readonly domain: 1 | 2;
	/** The end of its URL, which no other row of the domain has. */
	readonly name: number;
	/** The choice of each field among its values, see `valuesOf`. */
	readonly choices: Readonly<Partial<Record<FieldName, number>>>;
}

/** How a sheet is written. */
export interface SpellingSpec {
	readonly seed: number;
	readonly source: (typeof sources)[number];
	/** Time zone of expiries. */
	readonly timeZone: TimeZone;
	readonly pixelIds: readonly number[];
	/** Whether each row has a domain; otherwise, that of domain 1 may be left out. */
	readonly hasDomains: boolean;
	/** The cells of the column id; undefined if a field of the row finds the link. */
	readonly ids?: readonly string[];
}

type Account = Pick<SpellingSpec, 'pixelIds' | 'timeZone'>;

/** The stored link by the parameters that write it. Keys of rules are sorted, because their order means nothing. */
export type Stored = Record<string, unknown>;

/** One meaning of a cell: what the service stores, and how sheets write it. */
interface Value {
	readonly stored: unknown;
	readonly texts: readonly string[];
	/** Values that are no text. Only some sources have them. */
	readonly others?: readonly unknown[];
}

type Rules = readonly (readonly [key: string, url: string])[];

/** Rules of one kind: their field, and their Target Type with its spellings. */
const kinds = [
	{ field: 'country', type: 1, typeTexts: ['1', 'Geographic', 'geographic'] },
	{ field: 'platform', type: 2, typeTexts: ['2', 'Platform', 'PLATFORM'] },
	{ field: 'language', type: 3, typeTexts: ['3', 'Language', 'language'] },
	{ field: 'rotation', type: 4, typeTexts: ['4', 'Rotation', ' rotation'] },
] as const;

/** The keys of rules with their spellings, for two rows of each kind. A rotation has no keys. */
const ruleKeys: readonly Readonly<Record<string, readonly string[]>>[] = [
	{ DE: ['Germany', 'DE', 'de'], CI: ["Côte d'Ivoire", 'Ivory Coast', 'CI'] },
	{ iOS: ['iOS', 'ios', 'iPhone'], 'OS X': ['OS X', 'macOS', 'osx'] },
	{ de: ['de', 'German', 'DE'], fr: ['fr', 'French', 'FR'], en: ['en', 'English', 'EN'] },
	{ 0: ['0'], 1: ['1'] },
	{ US: ['United States', 'usa', 'us'], GB: ['GB', 'United Kingdom', 'UK'] },
	{ Windows: ['Windows', 'win', 'windows'], 'Chrome OS': ['Chrome OS', 'chromeos', 'CHROMEOS'] },
	{ en: ['English', 'en', 'EN'] },
	{ 0: ['0'], 1: ['1'], 2: ['2'] },
];

/** Destinations; a row's own name takes the place of `*`. */
const urls = [
	...['https://example.com/*', 'http://shop.example:8080/p;v=2/*?a=1#top'],
	...['https://ü.example/a%20b/*?q=x+y&b=ü', 'https://example.com/1,5/*?list=1;2'],
	...['https://example.com/ä/*?flag#t=10:30', 'https://example.com/*#top'],
];

/** Returns the value of rules: one rule or URL for each line, JSON, objects and lists. */
function rulesValue(keys: Readonly<Record<string, readonly string[]>>, index: number): Value {
	const isRotation = kinds[index % 4]?.field === 'rotation';
	const rules: Rules = Object.keys(keys).map((key, at) => [
		key,
		at === 1 ? `myapp://open/${index}` : (urls[at] ?? '').replace('*', `${key.slice(0, 1)}`),
	]);
	const spellings = [0, 1, 2].map((spelling) => {
		const pairs = rules.map(([key, url]) => [keys[key]?.[spelling] ?? key, url] as const);
		return spelling === 1 && !isRotation ? pairs.toReversed() : pairs;
	});
	const separators = ['\n', '\r\n', ' \n\n'];
	const equals = ['=', ' = ', '= '];
	const texts = spellings.flatMap((pairs, spelling) => {
		const list = pairs.map(([, url]) => url);
		const lines = isRotation ? list : pairs.map((pair) => pair.join(equals[spelling]));
		const json = JSON.stringify(isRotation ? list : Object.fromEntries(pairs));
		return [`${lines.join(separators[spelling])}${['', '\n', ' '][spelling] ?? ''}`, json];
	});
	const others = spellings.flatMap((pairs) => {
		const list = pairs.map(([key, value]) => (isRotation ? { value } : { key, value }));
		const plain = isRotation ? pairs.map(([, url]) => url) : Object.fromEntries(pairs);
		return [plain, list, { rules: list }];
	});
	return { stored: rules, texts, others };
}

/** The clock of each time zone. The Swedish format is that of ISO 8601. */
const clocks = new Map(
	timeZones.map((timeZone) => [
		timeZone,
		new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
	]),
);

/** Returns what the clock of a time zone shows at a moment, as `2031-01-01 12:00`. */
const wallTime = (moment: number, timeZone: TimeZone) => clocks.get(timeZone)?.format(moment) ?? '';

/** Returns the value of an expiry that is at a time of the clock in the time zone. */
function expirationValue(local: string, timeZone: TimeZone): Value {
	const asUtc = Date.parse(`${local.replace(' ', 'T')}Z`);
	const moment = 2 * asUtc - Date.parse(`${wallTime(asUtc, timeZone).replace(' ', 'T')}Z`);
	const wall = wallTime(moment, timeZone);
	const withOffset = (hours: number) =>
		new Date(moment + hours * 3_600_000).toISOString().slice(0, 16);
	const texts = [
		...[wall, `${wall.replace(' ', 'T')}:00`, new Date(moment).toISOString()],
		...[`${withOffset(5.5)}+05:30`, `${withOffset(-1)}:00.000-0100`],
		...(wall.endsWith('23:59') ? [wall.slice(0, 10), ` ${wall.slice(0, 10)}`] : []),
	];
	return { stored: wall, texts, others: [new Date(moment), new Date(moment)] };
}

/** Returns the value of a list of pixels, by their places in `pixelNames`. */
function pixelsValue(places: readonly number[], pixelIds: readonly number[]): Value {
	const names = places.map((at) => pixelNames[at] ?? '');
	const ids = places.map((at) => pixelIds[at] ?? 0);
	const hasSeparator = names.some((name) => /[,;]/.test(name));
	const joined = hasSeparator ? [] : [',', '; ', '\r\n', ' ,'].map((text) => names.join(text));
	return {
		stored: ids.toSorted((one, other) => one - other),
		texts: [...joined, JSON.stringify(names), ids.join()],
		others: [
			names,
			ids,
			ids.map((id, at) => ({ id, name: names[at] })),
			...(ids.length > 1 ? [] : ids),
		],
	};
}

const relatedValue = (id: number, name: string): Value => ({
	stored: id,
	texts: [String(id), name, name.toUpperCase(), ` ${name}`, `${name}\u00a0`],
	others: [id, { id, name }],
});

const numberValue = (value: number): Value => ({
	stored: value,
	texts: [String(value), ` ${value}`],
	others: [value, value],
});

const textValue = (text: string): Value => ({
	stored: text,
	texts: [text, text, text, ` ${text}`, `${text}\u00a0`, `${text} `],
});

const domainValues = [relatedValue(1, 'short.example'), relatedValue(2, 'go.example')];

/** The values that each field chooses from. */
const valuesOf = ({
	timeZone,
	pixelIds,
}: Account): Readonly<Record<FieldName, readonly Value[]>> => ({
	url: urls.map(textValue),
	spaceId: [relatedValue(1, 'Marketing'), relatedValue(2, 'Support')],
	pixelIds: [[0], [1, 2], [3, 0], [4], [0, 1, 2, 3, 4], [0, 3, 4]].map((places) =>
		pixelsValue(places, pixelIds),
	),
	disabled: [
		{ stored: 1, texts: ['TRUE', 'true', 'yes', 'Yes', 'ON', '1', ' on'], others: [true, 1] },
		{ stored: 0, texts: ['FALSE', 'false', 'no', 'No', 'OFF', '0'], others: [false, 0] },
	],
	privacy: [
		{ stored: 1, texts: ['1', 'Private', 'PRIVATE', 'Private '], others: [1] },
		{ stored: 0, texts: ['0', 'Public', 'PUBLIC', 'Public '], others: [0] },
	],
	rules: ruleKeys.map(rulesValue),
	expiration: [
		...['2031-01-01 00:00', '2031-07-01 23:59', '2032-02-29 00:01', '2033-03-31 02:30'],
		...['2034-10-29 12:03', '2035-12-31 23:59', '2036-06-30 23:30'],
	].map((local) => expirationValue(local, timeZone)),
	expirationClicks: [250, 0, 1, 1000].map(numberValue),
	expirationUrl: urls.slice(0, 4).map((url) => textValue(url.replace('*', 'over'))),
	// The stored value is the text of each parameter. It becomes part of the row's URLs.
	utm: [
		{ utm_source: 'mail', utm_campaign: 'Spring Sale' },
		{ utm_medium: 'a b', utm_term: 'ü&=#', utm_id: '50%' },
		{ utm_content: 'x+y', utm_source: 'mail' },
	].map((stored) => ({ stored, texts: [], others: [stored] })),
});

/** Returns the values of a row by their fields. */
function meaningOf({ name: ending, domain, choices }: CanonicalRow, account: Account) {
	const all = valuesOf(account);
	const value = (name: FieldName) => {
		const choice = choices[name];
		return choice === undefined ? undefined : all[name][choice % all[name].length];
	};
	const url = value('url')?.texts[0]?.replace('*', `${domain}-${ending}`) ?? '';
	const kind = choices.rules === undefined ? undefined : kinds[choices.rules % kinds.length];
	return { value, url, kind, tags: (value('utm')?.stored ?? {}) as Record<string, string> };
}

/** The rows of a sheet, with a key and a destination of their own each. */
export const anySheet: Arbitrary<CanonicalRow[]> = fc
	.uniqueArray(
		fc.record({
			domain: fc.constantFrom(1 as const, 1 as const, 2 as const),
			name: fc.nat(20),
			choices: fc.record(
				Object.fromEntries(fieldNames.map((name) => [name, fc.nat(839)])) as Record<
					FieldName,
					Arbitrary<number>
				>,
				{ requiredKeys: ['url'] },
			),
		}),
		{ minLength: 1, maxLength: 8, selector: ({ domain, name }) => `${domain}/${name}` },
	)
	// Some aliases look like numbers; all of them begin with the same character.
	.map((rows) =>
		rows.map((row) => ({ ...row, alias: row.name > 15 ? `20${row.name}` : `2c-${row.name}` })),
	);

/** Returns a row with another value of a field. The value is never empty, because an empty cell changes nothing. */
export function changed(row: CanonicalRow, field: Changeable): CanonicalRow {
	if (field === 'alias') return { ...row, alias: `${row.alias}x` };
	// Rules keep their kind.
	const step = field === 'rules' ? kinds.length : 1;
	return { ...row, choices: { ...row.choices, [field]: (row.choices[field] ?? -step) + step } };
}

/** Returns a URL with parameters at the end of its query. Addresses of apps have none. */
function tagged(url: string, tags: Readonly<Record<string, string>>): string {
	const names = ['source', 'medium', 'campaign', 'term', 'content', 'id'];
	const pairs = names.flatMap((name) => {
		const text = tags[`utm_${name}`];
		return text === undefined ? [] : [`utm_${name}=${encodeURIComponent(text)}`];
	});
	if (!/^https?:/.test(url) || pairs.length === 0) return url;
	const [address = '', ...fragment] = url.split(/(?=#)/);
	return `${address}${address.includes('?') ? '&' : '?'}${pairs.join('&')}${fragment.join('')}`;
}

const sortedRules = (rules: Rules) => [...rules].sort(([one], [other]) => (one < other ? -1 : 1));

/** Returns what the service has to store for a row. */
export function expectedOf(row: CanonicalRow, account: Account): Stored {
	const { value, url, kind, tags } = meaningOf(row, account);
	const rules = ((value('rules')?.stored ?? []) as Rules).map(
		([key, each]) => [key, tagged(each, tags)] as const,
	);
	const rulesOf = (field: string) => {
		if (kind?.field !== field) return null;
		return field === 'rotation' ? rules.map(([, each]) => each) : sortedRules(rules);
	};
	return {
		alias: row.alias,
		domain_id: row.domain,
		url: tagged(url, tags),
		space_id: value('spaceId')?.stored ?? null,
		pixel_ids: value('pixelIds')?.stored ?? [],
		disabled: value('disabled')?.stored ?? 0,
		privacy: value('privacy')?.stored ?? 0,
		target_type: kind?.type ?? 0,
		...Object.fromEntries(kinds.map(({ field }) => [field, rulesOf(field)])),
		expiration: value('expiration')?.stored ?? null,
		expiration_clicks: value('expirationClicks')?.stored ?? null,
		expiration_url: value('expirationUrl')?.stored ?? null,
	};
}

/** Returns what the service stores, in the form of `expectedOf`. */
export function storedOf({ alias, domain, space, pixels, ends_at, ...link }: StoredLink): Stored {
	const rulesOf = (field: string) => {
		const list = link[`${field}_target`] as { key?: string; value: string }[] | null;
		if (!list) return null;
		if (field === 'rotation') return list.map(({ value }) => value);
		return sortedRules(list.map(({ key = '', value }) => [key, value]));
	};
	const { url, disabled, privacy, target_type, expiration_clicks, expiration_url } = link;
	return {
		...{ alias, url, disabled, privacy, target_type, expiration_clicks, expiration_url },
		domain_id: domain.id,
		space_id: space?.id ?? null,
		pixel_ids: pixels.map(({ id }) => id).sort((one, other) => one - other),
		...Object.fromEntries(kinds.map(({ field }) => [field, rulesOf(field)])),
		expiration: ends_at && ends_at.replace('T', ' ').slice(0, 16),
	};
}

/** Returns the parameters that change one stored link into another; date and time of an expiry go together. */
export const changedParameters = (before: Stored, after: Stored): string[] =>
	Object.keys(after)
		.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
		.flatMap((key) => (key === 'expiration' ? ['expiration_date', 'expiration_time'] : [key]))
		.sort();

/** Names of the fields, their synonyms, and the keys of the API. */
const headings: Readonly<Record<string, readonly string[]>> = {
	alias: ['alias', 'Alias', 'ALIAS', 'slug', 'Back-half', 'short_code', 'Custom alias'],
	url: ['url', 'URL', 'Destination URL', 'destination_url', 'long_url', 'Original URL'],
	domainId: ['domain', 'Domain', 'domain_id', 'domainId'],
	spaceId: ['space', 'Space', 'space_id', 'spaceId'],
	pixelIds: ['pixels', 'Pixels', 'pixel_ids', 'pixelIds', 'Pixel Names or IDs', 'Pixel'],
	disabled: ['disabled', 'Disabled', 'DISABLED'],
	privacy: ['privacy', 'Privacy', 'Statistics Privacy', 'statistics_privacy'],
	country: ['Country Rules', 'country_rules', 'countryRules'],
	language: ['Language Rules', 'language_rules'],
	platform: ['Platform Rules', 'platform_rules'],
	rotation: ['Rotation Rules', 'rotation_rules'],
	targetType: ['target_type', 'Target Type', 'targetType'],
	expiration: ['expiration', 'Expiration', 'expires', 'Expiry', 'valid_until', 'Valid until'],
	expirationDate: ['expiration_date', 'Expiration Date', 'expirationDate'],
	expirationTime: ['expiration_time', 'Expiration Time', 'EXPIRATION TIME'],
	expirationClicks: ['expiration_clicks', 'Expiration Clicks', 'expirationClicks'],
	expirationUrl: ['expiration_url', 'Expiration Redirect URL', 'expirationUrl'],
	utm: ['utm', 'UTM Parameters', 'utm_parameters'],
	utm_source: ['utm_source', 'UTM Source', 'utm source'],
	utm_medium: ['utm_medium', 'UTM Medium', 'utmMedium'],
	utm_campaign: ['utm_campaign', 'UTM Campaign'],
	utm_term: ['utm_term', 'UTM Term'],
	utm_content: ['utm_content', 'UTM Content'],
	utm_id: ['utm_id', 'UTM ID'],
	id: ['id', 'ID', 'Id'],
};

/** Columns that fill nothing; some look like fields that each row fills. */
const extras = [
	...['Notes', 'Owner', 'Clicks', 'Date', 'Type', 'Description', 'Created At', 'Medium'],
	...['Country', 'Language', 'Alias (old)', 'Custom slug', 'Landing Page URL', 'Title'],
];

/** Returns a number that a text always gives, so that a choice does not depend on the other choices. */
function hash(text: string): number {
	let sum = 2166136261;
	for (const character of text) sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 16777619);
	sum = Math.imul(sum ^ (sum >>> 15), 2246822507);
	return (sum ^ (sum >>> 13)) >>> 0;
}

/** Returns a function that picks one of some choices. It depends on the seed and the name of the choice alone. */
const pickerOf =
	({ seed }: SpellingSpec) =>
	<T>(place: string, ...choices: readonly T[]): T =>
		choices[hash(`${seed}:${place}`) % choices.length] as T;

const isTextOnly = ({ source }: SpellingSpec) => source === 'csv' || source === 'googleSheets';

/** Returns the cells of an expiry in two columns. */
function splitExpiration(spec: SpellingSpec, place: string, wall: string): Cells {
	const pick = pickerOf(spec);
	const [date = '', time = ''] = wall.split(' ');
	const expirationDate = pick(`${place}.date`, date, `${date}\u00a0`, `${date}T00:00:00.000Z`);
	if (time === '23:59' && pick(`${place}.hour`, true, false)) return { expirationDate };
	return {
		expirationDate,
		expirationTime: pick(`${place}.time`, time, `${time}:00`, time.replace(/^0/, '')),
	};
}

/** Returns the cells of a row by the names of their fields. An empty cell is left out. */
function cellsOf(spec: SpellingSpec, row: CanonicalRow, index: number): Cells {
	const pick = pickerOf(spec);
	const { value, url, kind, tags } = meaningOf(row, spec);
	const cells: Cells = {};
	const write = (field: string, { texts, others = [] }: Value) => {
		const choices: unknown[] = [...texts, ...(isTextOnly(spec) ? [] : others)];
		cells[field] = pick(`${index}.${field}`, ...choices);
	};
	write('alias', /^\d+$/.test(row.alias) ? numberValue(Number(row.alias)) : textValue(row.alias));
	write('url', textValue(url));
	const isBlank = !spec.hasDomains && row.domain === 1 && pick(`${index}.domain?`, true, false);
	const domain = domainValues[row.domain - 1];
	if (domain && !isBlank) write('domainId', domain);
	for (const field of fieldNames) {
		const each = value(field);
		if (each && !['url', 'rules', 'expiration', 'utm'].includes(field)) write(field, each);
	}
	const [expiration, rules] = [value('expiration'), value('rules')];
	if (expiration && pick('expiration', true, false)) write('expiration', expiration);
	else if (expiration) {
		Object.assign(cells, splitExpiration(spec, `${index}`, String(expiration.stored)));
	}
	if (rules && kind) {
		write(kind.field, rules);
		if (pick('rules', true, false)) {
			write('targetType', { stored: kind.type, texts: kind.typeTexts, others: [kind.type] });
		}
	}
	const isSet = !isTextOnly(spec) && pick('utm', true, false);
	if (isSet && value('utm')) cells.utm = tags;
	else Object.assign(cells, tags);
	const id = spec.ids?.[index];
	if (id !== undefined) write('id', numberValue(Number(id)));
	return cells;
}

/** Returns the headings of fields: their names, labels, keys and synonyms. */
function headingsOf(spec: SpellingSpec, fields: readonly string[]): ReadonlyMap<string, string> {
	const pick = pickerOf(spec);
	const headingOf = (field: string): string => {
		const all = headings[field] ?? [field];
		const names = spec.source === 'database' ? all.filter((name) => /^[a-z_]+$/.test(name)) : all;
		const name = pick(`${field}.heading`, ...names);
		if (spec.source !== 'googleSheets') return name;
		return pick(`${field}.blanks`, name, name.replaceAll(' ', '\u00a0'), `${name} `);
	};
	return new Map(fields.map((field) => [field, headingOf(field)]));
}

/** Returns a sheet as its source gives it. */
export function writeSheet(spec: SpellingSpec, rows: readonly CanonicalRow[]): Cells[] {
	const pick = pickerOf(spec);
	const cells = rows.map((row, index) => cellsOf(spec, row, index));
	const filled = new Set(cells.flatMap((row) => Object.keys(row)));
	const fields = Object.keys(headings).filter((field) => filled.has(field));
	const own = headingsOf(spec, fields);
	const taken = new Set([...own.values()].map((name) => name.toLowerCase().trim()));
	// A synonym fills nothing if another column has the name of the field.
	const more = [...extras, ...(taken.has('alias') ? ['Slug'] : [])].filter(
		(name) => !taken.has(name.toLowerCase()) && pick(`extra.${name}`, true, false, false),
	);
	const empty = spec.source === 'database' ? null : '';
	// Some files begin with a byte order mark.
	const mark = isTextOnly(spec) && pick('mark', true, false) ? '\ufeff' : '';
	const others = isTextOnly(spec) ? [] : [5, null, ['a']];
	const blanks = isTextOnly(spec) ? pick('blank rows', 0, 1, 3) : 0;
	const all = [...cells, ...Array.from({ length: blanks }, (): Cells => ({}))];
	return all.map((row, index) => {
		const written: Cells = spec.source === 'googleSheets' ? { row_number: index + 2 } : {};
		for (const [at, field] of fields.entries()) {
			const heading = `${at === 0 ? mark : ''}${own.get(field) ?? field}`;
			if (Object.hasOwn(row, field)) written[heading] = row[field];
			else if (spec.source !== 'airtable') written[heading] = empty;
		}
		for (const name of more) {
			const choices: unknown[] = ['x', '5', 'https://example.com', '', ...others];
			written[name] = index < rows.length ? pick(`${index}.${name}`, ...choices) : empty;
		}
		return written;
	});
}
