import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import {
	columnName,
	columnTargets,
	mapColumns,
	similarTargetFinder,
} from '../../../../nodes/shared/contract/columns';

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
	['custom slug', 'alias'],
	['customURL', 'alias'],
	['Custom_Short_Link (new)', 'alias'],
	['meta.validUntil', 'expiration'],
	['EndDate', 'expiration'],
	['Expiration redirect', 'expirationUrl'],
	['Stats password', 'privacyPassword'],
	['google utm_source', 'utm_source'],
	['Target', 'url'],
	['Target group', undefined],
	['Primary key', undefined],
	['Weekend', undefined],
	['Expired', undefined],
	['', undefined],
	[`${'x '.repeat(200)}alias`, undefined],
])('the heading %j looks like %s', (heading, field) => {
	expect(similarTargetFinder(create)(heading)?.name).toBe(field);
});
