import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import {
	columnsHint,
	columnTargets,
	columnsToIgnore,
	mapColumns,
	readColumns,
	similarTargetFinder,
	withColumnNames,
	withColumnValues,
} from '../../../../nodes/shared/contract/columns';
import { rowRunOf } from '../../../../nodes/shared/contract/layout';
import { columnName } from '../../../../nodes/shared/contract/text';
import { encodeOptions } from '../../../support/encodeRow.ts';

it.each<[names: string[], normalized: string]>([
	[['expirationDate', 'Expiration Date', 'expiration_date', 'EXPIRATION-date'], 'expirationdate'],
	[['Größe', 'größe'], 'größe'],
	[['\uFEFFUTM\u00A0Source\u200B'], 'utmsource'],
	[['Expiry:'], 'expiry:'],
	[['', ' ', '_-'], ''],
])('normalizes the names %j to %j', (names, normalized) => {
	expect(names.map(columnName)).toEqual(names.map(() => normalized));
});

const create = columnTargets(linkContract, 'create');

it.each([linkContract, pixelContract])('gives each heading one field ($value)', (contract) => {
	const headings = columnTargets(contract, 'upsert', 'id').flatMap(({ ranks }) => [
		...new Set(ranks.flat().map(columnName)),
	]);
	expect(headings).toEqual([...new Set(headings)]);
});

/** Returns `column > Field` for each column that is mapped. */
const mapped = (columns: string[]) =>
	[...mapColumns(create, columns).map].map(
		([column, { displayName }]) => `${column} > ${displayName}`,
	);

it.each<[columns: string[], targets: string[]]>([
	[['destination', 'Destination URL', 'url'], ['url > Destination URL']],
	[['destination', 'Destination URL'], ['Destination URL > Destination URL']],
	[
		['slug', 'DESTINATION'],
		['slug > Alias', 'DESTINATION > Destination URL'],
	],
	[['Domain', 'domain_id'], ['domain_id > Domain']],
	[['pixel'], ['pixel > Pixels']],
	[['country', 'language', 'Country rules'], ['Country rules > Country Rules']],
	[['UTM Source', 'source'], ['UTM Source > UTM Source']],
	[['Alias (new)', 'id', 'linkId', 'ID'], []],
	[['expiresAt', 'Expiration Date'], ['expiresAt > Expiration']],
	[
		['expiration_time', 'Expiration Date'],
		['expiration_time > Expiration Time', 'Expiration Date > Expiration Date'],
	],
])('maps %j to %j', (columns, targets) => {
	expect(mapped(columns)).toEqual(targets);
});

it.each<[columns: string[], conflicts: string[][]]>([
	[['alias', 'Alias', 'slug'], [['alias', 'Alias']]],
	[['slug', 'Short code'], [['slug', 'Short code']]],
	[['expires', 'Expires At'], [['expires', 'Expires At']]],
	[['UTM Parameters', 'utm_source'], [['UTM Parameters', 'utm_source']]],
	[['utm_source', 'utm_medium', 'expiresAt', 'Expiration Date'], []],
])('finds the columns of %j that fill the same field', (columns, conflicts) => {
	const found = mapColumns(create, columns).conflicts;
	expect(found.map(({ columns: same }) => same)).toEqual(conflicts);
});

it.each<[heading: string, field: string | undefined]>([
	['customURL', 'alias'],
	['EndDate', 'expiration'],
	['Expiration redirect', 'expirationUrl'],
	['google utm_source', 'utm_source'],
	['Target group', undefined],
	['Primary key', undefined],
	['Weekend', undefined],
	['Expired', undefined],
	['', undefined],
	[`${'x '.repeat(200)}alias`, undefined],
])('the heading %j looks like %s', (heading, field) => {
	expect(similarTargetFinder(create)(heading)?.name).toBe(field);
});

/** What headings of real exports do to an update if nothing else fills their field. */
const exported: [source: string, effects: Record<string, string[]>][] = [
	[
		'Bitly, Rebrandly and Short.io',
		{
			'fills url': ['long_url', 'destination', 'originalURL', 'Original URL'],
			'fills expiration': ['expiresAt'],
			'stops alias': ['custom_bitlinks', 'Custom back-half', 'slashtag', 'path'],
			ignored: ['title', 'created', 'domain.fullName', 'favourite', 'Short link'],
		},
	],
	[
		'Dub, Shlink, Kutt, YOURLS and TinyURL',
		{
			'fills url': ['url', 'longUrl', 'long url'],
			'fills alias': ['alias'],
			'fills expiration': ['validUntil', 'expires_at'],
			'fills password': ['password'],
			'stops url': ['target'],
			'stops alias': ['key', 'customSlug', 'customurl', 'keyword'],
			'stops expiration': ['meta.validUntil', 'expire_in'],
			'stops expirationUrl': ['expiredUrl'],
			'stops expirationClicks': ['maxVisits'],
			ignored: ['comments', 'visit_count', 'timestamp', 'clicks'],
		},
	],
	[
		'HubSpot, Salesforce and Google Ads',
		{
			'fills utm_campaign': ['UTM Campaign'],
			'stops url': ['Landing page', 'Landing Page URL', 'Final URL'],
			'stops utm_source': ['hs_utm_source (contact)'],
			'stops expiration': ['End Date'],
			ignored: ['StartDate', 'Id', 'Tracking template', 'Custom parameter'],
		},
	],
	[
		'a plain sheet',
		{
			'fills alias': ['Slug'],
			'stops url': ['Target URL'],
			'stops alias': ['custom slug', 'Short name', 'Custom short link', 'Alias (new)'],
			'stops expiration': ['Valid To', 'ends_at', 'Expires on', 'Stop date'],
			'stops expirationDate': ['expiry date'],
			'stops expirationTime': ['Expiry Time', 'Valid until (time)'],
			'stops expirationUrl': ['Expired redirect'],
			'stops password': ['Link password', 'Passcode', 'Passphrase'],
			'stops pixelIds': ['Facebook pixels', 'pixel_name', 'Pixel Names'],
			'stops spaceId': ['Space Name'],
			'stops targetType': ['Target Type (optional)'],
			'stops Country Rules': ['Country Rules (optional)'],
			'stops privacyPassword': ['Stats password'],
			ignored: ['Link', 'Medium'],
		},
	],
];

const update = columnTargets(linkContract, 'update');

it.each(exported)('headings of %s', (_source, effects) => {
	const effectOf = (heading: string) => {
		const [target] = mapColumns(update, [heading]).map.values();
		if (target) return `fills ${target.inputName ?? target.property.name}`;
		const field = similarTargetFinder(update)(heading);
		return field ? `stops ${field.name}` : 'ignored';
	};
	for (const [effect, headings] of Object.entries(effects))
		for (const heading of headings)
			expect({ heading, effect: effectOf(heading) }).toEqual({ heading, effect });
});

it.each([
	['Tracking code', 'value'],
	['GA measurement ID', 'value'],
	['Pixel type', 'type'],
])('the heading %s of a pixel looks like the field %s', (heading, field) => {
	const targets = columnTargets(pixelContract, 'update');
	expect(mapColumns(targets, [heading]).map.size).toBe(0);
	expect(similarTargetFinder(targets)(heading)?.name).toBe(field);
});

it('reads the columns of a row, and names them', () => {
	const cells = { url: 'a', slug: 'b c', 'Pixel Names or IDs': '1', domain: '' };
	const run = rowRunOf(linkContract, 'create', { ...encodeOptions, emptyValues: 'clear' });
	const columns = readColumns(run, {
		...{ form: {}, rows: [cells], columns: Object.keys(cells), leftOut: new Set() },
		...{ isExpression: () => false, isUnfilled: () => true },
		...{ mapsPasswords: false, hasRows: true },
	});
	expect(columnsHint(linkContract, columns)).toBe(
		'Mapped columns: url, slug (Alias), Pixel Names or IDs (Pixels), domain.',
	);
	expect(withColumnValues(run, columns, { domainId: '1' }, cells).domainId).toBe('1');
	const problem = { field: 'Alias', key: 'alias', what: 'is wrong' };
	expect(withColumnNames([problem], columns, cells)).toEqual([
		{ ...problem, columns: ['slug'], isNeeded: false },
	]);
	const replaced = { ...columns, isExpression: () => true };
	expect(withColumnNames([problem], replaced, cells)).toEqual([problem]);
});

const long = ['a', 'b'].map((end) => `<Custom> slug ${'x'.repeat(99)}${end}`);
const odd = ['[old] x', '12" Price', '\ufefftag', 'a,b', String.raw`c\nd`, ...long];
const headings = ['Disabled', 'Space_Id', 'notes', ' owner', 'alias ', 'alias', 'Alias', ...odd];

it.each<[value: unknown, ignored: string[]]>([
	['Disabled, SPACE ID', ['Disabled', 'Space_Id']],
	[' space_id ,disabled,', ['Disabled', 'Space_Id']],
	[' Notes ,Owner,, URLs;x', ['notes', ' owner']],
	[
		['disabled', 'Notes', 'a,b'],
		['Disabled', 'notes', 'a,b'],
	],
	[String.raw`"a,b", c\nd`, ['a,b', String.raw`c\nd`]],
	[String.raw`[old] X, 12" PRICE,\ufeffTag`, odd.slice(0, 3)],
	[`"‹Custom› slug ${'x'.repeat(65)}…"`, long],
	[['alias '], ['alias ']],
	// Only the column of exactly this name, if there is one.
	['Alias', ['Alias']],
	...['', ' ', [], null].map((none): [unknown, string[]] => [none, []]),
])('ignores by %j the columns %j', (value, ignored) => {
	expect(columnsToIgnore(value, new Set(headings))).toEqual(new Set(ignored));
});
