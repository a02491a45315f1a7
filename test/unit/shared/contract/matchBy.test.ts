import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import {
	defaultMatch,
	fixedKeys,
	isDefaultMatch,
	isIdentified,
	matchOf,
	needsField,
	placeOf,
	readsIdentifier,
} from '../../../../nodes/shared/contract/matchBy';
import type { Field } from '../../../../nodes/shared/contract/fieldTypes';
import type { OperationName } from '../../../../nodes/shared/contract/types';
import { matchesRows } from '../../../../nodes/shared/contract/operations';

const field = (name: string): Field => {
	const match = linkContract.fields.find((candidate) => candidate.name === name);
	if (!match) throw new Error(name);
	return match;
};

const choice = (value: string) => matchOf(linkContract, { matchBy: value });

it('finds resources by the unique key by default', () => {
	expect(defaultMatch(linkContract).value).toBe('alias');
	expect(defaultMatch(pixelContract).value).toBe('name');
	expect(defaultMatch({ ...linkContract, matchBy: [] })).toMatchObject({
		value: 'alias',
		fields: linkContract.key,
	});
	expect(choice('url').value).toBe('url');
	expect(matchOf(linkContract, {}).value).toBe('alias');
	expect(choice('nothing').value).toBe('alias');
	expect(isDefaultMatch({ contract: linkContract, match: choice('alias') })).toBe(true);
	expect(isDefaultMatch({ contract: linkContract, match: choice('id') })).toBe(false);
});

it.each<[name: string, operation: OperationName, matchBy: string, isNeeded: boolean]>([
	['url', 'upsert', 'id', true],
	['url', 'create', 'alias', true],
	['alias', 'create', 'alias', false],
	['alias', 'sync', 'alias', true],
	['alias', 'upsert', 'url', false],
	['alias', 'upsert', 'id', false],
])('%s is needed on %s to match by %s: %j', (name, operation, value, isNeeded) => {
	expect(needsField(linkContract, operation, choice(value), field(name))).toBe(isNeeded);
});

it.each<[operation: OperationName, matchBy: string | undefined, reads: boolean]>([
	['update', undefined, true],
	['get', undefined, true],
	['upsert', undefined, false],
	['update', 'alias', false],
	['update', 'id', true],
	['upsert', 'id', true],
])('%s by %s reads an identifier: %j', (operation, value, reads) => {
	expect(readsIdentifier(operation, linkContract, { matchBy: value })).toBe(reads);
});

it.each<[operation: OperationName, matchBy: string | undefined, linkId: unknown, isIt: boolean]>([
	['update', undefined, '7', true],
	['update', undefined, '', false],
	['upsert', 'id', '7', true],
	['upsert', 'alias', '7', false],
	['create', undefined, '7', false],
])('%s by %s with the ID %j is identified: %j', (operation, value, linkId, isIt) => {
	const row = { contract: linkContract, options: { matchBy: value }, parameters: { linkId } };
	expect(isIdentified({ ...row, operation })).toBe(isIt);
});

it.each<[matchBy: string, keys: string[]]>([
	['alias', ['alias', 'domain_id']],
	['url', ['url', 'domain_id']],
	['id', ['domain_id']],
])('does not write the fields of %s and fields that cannot be updated', (value, keys) => {
	const fixed = fixedKeys(linkContract, choice(value));
	expect(fixed).toEqual(expect.arrayContaining(keys));
	for (const key of ['url', 'alias']) expect(fixed.includes(key)).toBe(keys.includes(key));
});

it.each<[name: string, operation: OperationName, matchBy: string | undefined, place?: string]>([
	['domainId', 'update', undefined, undefined],
	['domainId', 'update', 'alias', 'top'],
	['domainId', 'update', 'id', 'top'],
	['domainId', 'sync', 'alias', 'additionalFields'],
	['url', 'update', 'url', 'updateFields'],
	['searchBy', 'update', 'alias', undefined],
])('returns the place of %s in %s by %s', (name, operation, value, place) => {
	expect(placeOf(field(name), operation, linkContract, { matchBy: value })).toBe(place);
});

it('knows the operations that match rows', () => {
	expect((['create', 'get', 'sync', 'update', 'upsert'] as const).filter(matchesRows)).toEqual([
		...['sync', 'update', 'upsert'],
	]);
});
