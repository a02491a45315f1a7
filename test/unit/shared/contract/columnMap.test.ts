import { linkContract } from '../../../../nodes/Link/link.contract';
import { mapColumns, type ColumnChoice } from '../../../../nodes/shared/contract/columnMap';
import { columnTargets } from '../../../../nodes/shared/contract/columnTargets';
import type { ColumnNamePair } from '../../../../nodes/shared/contract/columns';

const map = (headings: string[], choice: Partial<ColumnChoice> = {}) =>
	mapColumns(linkContract, 'upsert', headings, {
		...{ ignored: [], used: [], mapPasswords: false, matchBy: 'alias' },
		...choice,
	});

const targetsOf = ({ targets: columns }: ReturnType<typeof map>) =>
	[...columns].map(([column, { displayName }]) => `${column} > ${displayName}`);

/** A pair of Column Names. */
function pair(field: string, column: string): ColumnNamePair {
	const target = columnTargets(linkContract, 'upsert').exact.get(field);
	if (!target) throw new Error(field);
	return { target, column };
}

it.each<[headings: string[], fills: string[], renamed: string[]]>([
	[['alias', 'URL'], ['alias > Alias', 'URL > Destination URL'], []],
	[['slug'], ['slug > Alias'], ['slug']],
	[['slug', 'Alias'], ['Alias > Alias'], []],
	[['UTM Source'], ['UTM Source > UTM Source'], []],
	[['pixelIds', 'Pixels'], ['Pixels > Pixel Names or IDs', 'pixelIds > Pixel Names or IDs'], []],
	[['id'], [], []],
])('uses the columns %j', (headings, fills, renamed) => {
	const columns = map(headings);
	expect(targetsOf(columns)).toEqual(fills);
	expect([...columns.renamed]).toEqual(renamed);
});

it.each<[headings: string[], choice: Partial<ColumnChoice>, ignored: object[], unknown: string[]]>([
	[['notes'], {}, [{ column: 'notes' }], ['notes']],
	[['notes'], { ignored: ['Notes'] }, [{ column: 'notes' }], []],
	[['alias'], { ignored: ['alias'] }, [{ column: 'alias' }], []],
	[['notes'], { used: ['Notes'] }, [], []],
	[['id'], {}, [{ column: 'id' }], []],
	[['slug', 'alias'], {}, [{ column: 'slug', reason: 'another column fills Alias' }], ['slug']],
	[
		['slug'],
		{ isInExpression: () => true },
		[{ column: 'slug', reason: 'an expression uses it' }],
		['slug'],
	],
	[['keyword'], {}, [{ column: 'keyword', reason: 'perhaps Alias or UTM Term' }], ['keyword']],
	[['keyword'], { isInExpression: () => true }, [{ column: 'keyword' }], ['keyword']],
	[
		['alias', 'Kurz'],
		{ named: [pair('alias', 'Kurz')] },
		[{ column: 'alias', reason: 'Column Names fills Alias' }],
		[],
	],
	[
		['slug', 'Kurz'],
		{ named: [pair('alias', 'Kurz')] },
		[{ column: 'slug', reason: 'another column fills Alias' }],
		['slug'],
	],
])('ignores columns of %j', (headings, choice, ignored, unknown) => {
	const columns = map(headings, choice);
	expect(columns.ignored.map((column) => JSON.parse(JSON.stringify(column)))).toEqual(ignored);
	expect(columns.unknown).toEqual(unknown);
});

it('reads an ID only for Match By', () => {
	expect(targetsOf(map(['ID'], { matchBy: 'id' }))).toEqual(['ID > ID']);
});

it('uses a password column only if the option is on', () => {
	const columns = map(['password']);
	expect(targetsOf(columns)).toEqual([]);
	expect([...columns.secret.keys()]).toEqual(['password']);
	expect(columns.ignored).toEqual([{ column: 'password' }]);
	expect(targetsOf(map(['password'], { mapPasswords: true }))).toEqual(['password > Password']);
	expect(targetsOf(map(['PW'], { named: [pair('password', 'PW')] }))).toEqual(['PW > Password']);
});

it.each<[headings: string[], conflicts: string[][]]>([
	[['alias', 'Alias'], [['alias', 'Alias']]],
	[['slug', 'back-half'], [['slug', 'back-half']]],
	[['utm', 'utm_source', 'utm_term'], [['utm', 'utm_source', 'utm_term']]],
	[['utm_source', 'utm_term'], []],
	[['pixelIds', 'Pixels'], []],
])('finds the columns of %j with the same target', (headings, conflicts) => {
	expect(map(headings).conflicts.map(({ columns }) => columns)).toEqual(conflicts);
});

it('maps the columns in Column Names', () => {
	const named = [pair('alias', 'Kurz'), pair('url', 'Ziel')];
	const columns = map(['kurz', 'Alias'], { named });
	expect(targetsOf(columns)).toEqual(['kurz > Alias']);
	expect([...columns.renamed]).toEqual(['kurz']);
	expect(columns.unusedNamed.map(({ column }) => column)).toEqual(['Ziel']);
	// An exact name takes precedence.
	expect(targetsOf(map(['kurz', 'Kurz'], { named }))).toEqual(['Kurz > Alias']);
});

it('reports contradictory and unused settings', () => {
	const named = [pair('alias', 'Kurz'), pair('url', 'Ziel')];
	const columns = map(['Kurz'], { named, ignored: ['Kurz', 'Ziel', 'Other'] });
	expect(columns.ignoredPairs.map(({ column }) => column)).toEqual(['Kurz', 'Ziel']);
	expect(columns.unusedIgnored).toEqual(['Ziel', 'Other']);
});
