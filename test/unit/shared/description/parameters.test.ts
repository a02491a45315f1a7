import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import {
	clearFields,
	matchBy,
	scopeCollection,
	scopeNotice,
} from '../../../../nodes/shared/description/parameters';

it('offers the choices without internal properties', () => {
	const { options, default: value } = matchBy(linkContract);
	expect(value).toBe('alias');
	expect(options?.map((option) => Object.keys(option))).toEqual(
		linkContract.matchBy.map(() => ['name', 'value', 'description']),
	);
});

it('describes the scope in the form', () => {
	const { options } = scopeCollection(linkContract);
	expect(options?.map((option) => 'scope' in option)).toEqual([false, false, false]);
	expect(scopeNotice(linkContract).displayName).toMatch(/^Set at least one field of Sync Scope\./);
});

it('shows Clear Fields only for a resource with clearable fields', () => {
	expect(clearFields(linkContract)?.name).toBe('clearFields');
	expect(clearFields(pixelContract)).toBeUndefined();
});
