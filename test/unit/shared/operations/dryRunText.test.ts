import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import type { Field } from '../../../../nodes/shared/contract/fieldTypes';
import { blank, mask, textAfter, textBefore } from '../../../../nodes/shared/operations/dryRunText';
import { linkLike, rowOf } from '../../../support/operationRun.ts';

const field = (name: string) => linkContract.fields.find((one) => one.name === name) as Field;

const row = rowOf('update', { linkId: '1', updateFields: { alias: 'b' } });

it('has a text for nothing and for a secret', () => {
	expect([blank, mask]).toEqual(['–', '••••••']);
});

it.each<[name: string, link: IDataObject, text: string]>([
	['alias', { alias: 'a' }, 'Alias: a'],
	['alias', { alias: null }, 'Alias: (empty)'],
	['alias', { alias: 'two\nlines' }, 'Alias: two lines'],
	['disabled', { disabled: 1 }, 'Disabled: true'],
	['disabled', { disabled: 0 }, 'Disabled: false'],
	['password', { password: true }, 'Password: ••••••'],
	['password', { password: false }, 'Password: (empty)'],
	['spaceId', { space: { id: 3 } }, 'Space: 3'],
	['spaceId', { space: null }, 'Space: (empty)'],
	['pixelIds', { pixels: [{ id: 2 }, { id: 1 }] }, 'Pixels: 2, 1'],
	['pixelIds', { pixels: [] }, 'Pixels: (empty)'],
	['privacy', { privacy: 1 }, 'Statistics Privacy: Private'],
])('shows %s of %j', (name, link, text) => {
	expect(textBefore([field(name)], linkLike(link), row)).toBe(text);
});

it.each<[parameters: object, text: string]>([
	[{ alias: 'b' }, 'Alias: b'],
	[{ disabled: true, alias: 'b' }, 'Alias: b; Disabled: true'],
	[{ password: 'secret' }, 'Password: ••••••'],
	[{ clearFields: ['password', 'spaceId'] }, 'Password: (empty); Space: (empty)'],
	[{ clearFields: ['pixelIds'] }, 'Pixels: (empty)'],
])('shows what is written: %j', (updateFields, text) => {
	const { clearFields, ...fields } = updateFields as { clearFields?: string[] };
	const given = { linkId: '1', updateFields: fields, ...(clearFields ? { clearFields } : {}) };
	const parts = textAfter(rowOf('update', given as never).fields).split('; ');
	expect(parts.toSorted()).toEqual(text.split('; ').toSorted());
});

it('separates fields by a semicolon and a space', () => {
	const fields = [field('alias'), field('disabled')];
	expect(textBefore(fields, linkLike(), row)).toBe('Alias: a; Disabled: false');
	expect(textBefore([], linkLike(), row)).toBe('');
});
