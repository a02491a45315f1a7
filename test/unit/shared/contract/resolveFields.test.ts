import { collectionValues, resolveFields } from '../../../../nodes/shared/contract/resolveFields';
import type { EncodeOptions } from '../../../../nodes/shared/contract/types';
import type { EncodeContext } from '../../../../nodes/shared/contract/encodeContext';
import { isUnset } from '../../../../nodes/shared/contract/values';
import { contextOf } from '../../../support/encodeContext.ts';
import { encodeOptions } from '../../../support/encodeOptions.ts';

type More = Partial<EncodeContext>;

/** The resolved values, the names of cleared fields, and the reported problems. */
function resolve(more: More, options: Partial<EncodeOptions> = {}) {
	const { context, reported } = contextOf({ ...more, options: { ...encodeOptions, ...options } });
	const { values, cleared } = resolveFields(context, collectionValues(context));
	const set = Object.fromEntries(Object.entries(values).filter(([, value]) => !isUnset(value)));
	return { set, cleared: [...cleared], reported };
}

const update = (updateFields: object, more: object = {}): More => ({
	operation: 'update',
	parameters: { updateFields, ...more },
});

it.each<[what: string, more: More, set: object]>([
	[
		'the top and the collection',
		{ parameters: { url: 'u', additionalFields: { disabled: true } } },
		{ url: 'u', disabled: true },
	],
	['no other place', { parameters: { disabled: true, additionalFields: { url: 'u' } } }, {}],
	['no other collection', { parameters: { updateFields: { alias: 'a' } } }, {}],
	['an update', update({ url: 'u' }), { url: 'u' }],
	['no inherited name', update(Object.create({ url: 'u' }) as object), {}],
])('reads values from %s', (_what, more, set) => {
	expect(resolve(more)).toMatchObject({ set, reported: [] });
	expect(Object.keys(resolve(more).set)).toEqual(Object.keys(set));
});

it('reads a key of Match By that the form does not show', () => {
	const more = update({}, { domainId: 1 });
	expect(resolve(more).set).toEqual({});
	expect(resolve(more, { matchBy: 'alias' }).set).toEqual({ domainId: 1 });
});

it('reports an invalid collection', () => {
	expect(resolve(update(['url'])).reported).toEqual([
		'Update Fields is not a set of fields; add the fields one by one in the form',
	]);
});

it('adds implied values', () => {
	const country = [{ key: 'US', value: 'https://example.com/' }];
	expect(resolve(update({ country })).set).toMatchObject({ targetType: '1' });
});

it.each<[clearFields: unknown, cleared: string[], reported: string[]]>([
	[['password', 'expiration'], ['password', 'expiration'], []],
	['Password; Pixels', ['password', 'pixelIds'], []],
	['', [], []],
	[
		['url'],
		[],
		[
			expect.stringMatching(
				/^Clear Fields "url" cannot be cleared; use (\w+, )*country, expiration, /,
			),
		],
	],
])('clears the fields %j', (clearFields, cleared, reported) => {
	const resolved = resolve(update({}, { clearFields }));
	expect(resolved.cleared.toSorted()).toEqual(cleared.toSorted());
	expect(resolved.reported).toEqual(reported);
});

it('clears nothing on a create, and no field that is set', () => {
	expect(resolve({ parameters: { clearFields: ['password'] } }).cleared).toEqual([]);
	expect(resolve(update({ password: 'x' }, { clearFields: ['password'] })).reported).toEqual([
		'Password is both set and cleared; do only one of them',
	]);
});

it.each<[mode: EncodeOptions['emptyValues'], fields: object, cleared: string[], reasons: string[]]>(
	[
		['skip', { password: '', url: '' }, [], []],
		['clear', { password: '', expiration: '' }, ['expiration', 'password'], []],
		[
			'clear',
			{ alias: '' },
			[],
			['Alias is empty, and the service cannot clear it; fill it in, or leave it out'],
		],
		['clear', { utm: {}, targetType: '' }, [], []],
		['clear', { pixelIds: [] }, ['pixelIds'], []],
		['clear', { pixelIds: [], pixelMode: 'add' }, [], []],
		['clear', { pixelIds: [], pixelMode: 'replace' }, ['pixelIds'], []],
	],
)('treats empty values as %s: %j', (emptyValues, fields, cleared, reasons) => {
	const resolved = resolve(update(fields), { emptyValues });
	expect(resolved.cleared.toSorted()).toEqual(cleared);
	expect(resolved.reported).toEqual(reasons);
});

it('does not clear fields that Sync sets', () => {
	const sync = (scope: object, additionalFields: object): More => ({
		operation: 'sync',
		parameters: { syncScope: scope, additionalFields },
	});
	const fields = { spaceId: '', disabled: '' };
	const options = { emptyValues: 'clear', unmatchedAction: 'disable' } as const;
	expect(resolve(sync({ spaceId: 5 }, fields), options)).toMatchObject({
		cleared: [],
		reported: [],
	});
	expect(resolve(sync({ domainId: 1 }, { spaceId: '' }), options).cleared).toEqual(['spaceId']);
	expect(
		resolve(sync({ spaceId: 5 }, fields), { ...options, unmatchedAction: 'keep' }).reported,
	).toEqual(['Disabled is empty, and the service cannot clear it; fill it in, or leave it out']);
});
