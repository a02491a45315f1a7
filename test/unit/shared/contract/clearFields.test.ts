import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import {
	clearableFields,
	clearChoices,
	groupsOf,
} from '../../../../nodes/shared/contract/clearFields';

const named = (name: string) =>
	clearableFields(linkContract, 'update').find((clearable) => clearable.name === name);

it('clears a field by itself', () => {
	expect(named('password')).toEqual({
		...{ name: 'password', displayName: 'Password', isChoice: true },
		fields: ['password'],
	});
});

it('uses the column name of a field', () => {
	expect(named('pixelIds')?.displayName).toBe('Pixels');
});

it('clears a group of fields together', () => {
	const fields = ['expirationDate', 'expirationTime'];
	expect(groupsOf(linkContract).map(({ name }) => name)).toEqual(['expiration']);
	expect(named('expiration')).toMatchObject({ fields, isChoice: true });
	expect(named('expirationDate')).toMatchObject({ fields, isChoice: false });
});

it.each(['url', 'alias', 'disabled', 'domainId'])('cannot clear %s', (name) => {
	expect(named(name)).toBeUndefined();
});

it('clears only fields of the operation', () => {
	expect(clearableFields(linkContract, 'getAll').map(({ name }) => name)).toEqual(['spaceId']);
	expect(clearableFields(linkContract, 'get')).toEqual([]);
});

it('offers the clearable fields in alphabetical order', () => {
	const names = clearChoices(linkContract).map(({ name }) => name);
	expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
	expect(names).toEqual(expect.arrayContaining(['Expiration', 'Password', 'Pixels', 'Space']));
	expect(names).not.toContain('Expiration Date (Raw)');
	expect(clearChoices(pixelContract)).toEqual([]);
});
