import { linkContract } from '../../../../nodes/Link/link.contract';
import {
	columnTargets,
	writableFields,
	fillableFields,
	identifierFields,
	overlap,
} from '../../../../nodes/shared/contract/columnTargets';
import type { ColumnTarget } from '../../../../nodes/shared/contract/columns';
import type { OperationName } from '../../../../nodes/shared/contract/types';

const targets = columnTargets(linkContract, 'create');

const exact = (name: string): ColumnTarget => {
	const target = targets.exact.get(name);
	if (!target) throw new Error(name);
	return target;
};

it.each<[heading: string, target: string | undefined]>([
	['url', 'Destination URL'],
	['destinationurl', 'Destination URL'],
	['domainid', 'Domain'],
	['utmsource', 'UTM Source'],
	['utmparameters', 'UTM Parameters'],
	['expiration', 'Expiration'],
	['pixels', 'Pixel Names or IDs'],
	['slug', undefined],
	['searchby', undefined],
	['id', undefined],
])('fills the target of the column %s', (heading, target) => {
	expect(targets.exact.get(heading)?.displayName).toBe(target);
});

it('returns the other column names', () => {
	expect(targets.synonyms.get('slug')?.displayName).toBe('Alias');
	expect(targets.synonyms.get('validuntil')?.displayName).toBe('Expiration');
	const possible = targets.ambiguous.get('keyword')?.map(({ displayName }) => displayName);
	expect(possible).toEqual(['Alias', 'UTM Term']);
	expect(targets.similarNames).toEqual(new Set(['county', 'languages', 'platforms', 'expired']));
});

it('marks the name that is used only if no other column fills the field', () => {
	expect(exact('pixels').isFallback).toBe(true);
	expect(exact('pixelids').isFallback).toBeUndefined();
});

it.each<[operation: OperationName, matchBy: string | undefined, name: string, has: boolean]>([
	['update', undefined, 'domainId', false],
	['update', 'alias', 'domainId', true],
	['update', undefined, 'id', false],
	['update', 'id', 'id', true],
	['upsert', 'alias', 'id', false],
	['delete', undefined, 'url', false],
	['create', undefined, 'expiration', true],
])('%s by %s can fill %s: %j', (operation, matchBy, name, has) => {
	const fields = fillableFields(linkContract, operation, { matchBy });
	expect(fields.some((field) => field.name === name)).toBe(has);
});

it('returns the identifiers', () => {
	expect(identifierFields(linkContract).map(({ names }) => names)).toEqual([['id', 'ID']]);
});

it('lists the fields of all writes without duplicates', () => {
	const names = writableFields(linkContract).map(({ name }) => name);
	expect(new Set(names).size).toBe(names.length);
	expect(names).toEqual(expect.arrayContaining(['url', 'domainId', 'utm_source', 'id']));
	expect(names).not.toContain('status');
});

it.each<[first: string, second: string, overlaps: boolean]>([
	['alias', 'alias', true],
	['alias', 'url', false],
	['utmsource', 'utmterm', false],
	['utmsource', 'utmsource', true],
	['utmsource', 'utmparameters', true],
	['expiration', 'expirationdate', true],
	['expirationdate', 'expirationtime', false],
])('%s and %s exclude each other: %j', (first, second, overlaps) => {
	expect(overlap(exact(first), exact(second))).toBe(overlaps);
	expect(overlap(exact(second), exact(first))).toBe(overlaps);
});
