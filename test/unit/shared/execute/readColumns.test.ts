import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import type { OperationName } from '../../../../nodes/shared/contract/types';
import { readOptions } from '../../../../nodes/shared/execute/options';
import {
	columnsHint,
	readColumns,
	withColumnsKnown,
} from '../../../../nodes/shared/execute/readColumns';
import { errorOf, executionLike } from '../../../support/execution.ts';

/** The columns of a mapped run, with the required fields in the form. */
function read(items: IDataObject[], parameters: object = {}, operation: OperationName = 'upsert') {
	const form = { operation, mappingColumnMode: 'autoMapInputData', url: 'a', alias: 'a' };
	const mapped = { ...form, ...parameters };
	const execution = executionLike({ items, parameters: mapped });
	const options = readOptions(execution, linkContract, operation, { first: 0, timeZone: 'UTC' });
	return { options, columns: readColumns(execution, linkContract, operation, options) };
}

const hint = (items: IDataObject[], parameters: object = {}) =>
	columnsHint(read(items, parameters).columns).message;

it.each<[items: IDataObject[], parameters: object, message: string]>([
	[[{ url: 'a' }, { alias: 'b' }], {}, 'Mapped columns: url, alias.'],
	[[{ slug: 'a', notes: 'b' }], {}, 'Mapped columns: slug (Alias). Ignored columns: notes.'],
	[[{ notes: 'b' }], {}, 'Mapped columns: none. Ignored columns: notes.'],
	[
		[{ alias: 'a', password: '' }],
		{},
		'Mapped columns: alias. Ignored columns: password (only with Map Passwords).',
	],
	[
		[{ alias: 'a', notes: 'b' }],
		{ inputsToIgnore: 'notes, owner' },
		'Mapped columns: alias. Ignored columns: notes. In Inputs to Ignore, but in no item: owner.',
	],
	[[{ alias: 'a', row_number: 'x' }], {}, 'Mapped columns: alias.'],
	[
		[{ slashtag: 'a', 'Custom url': 'b' }],
		{ alias: '', matchBy: 'url', inputsToIgnore: 'slashtag, Custom url' },
		'Mapped columns: none. Ignored columns: slashtag, Custom url. New links get a generated alias, because nothing fills Alias and slashtag, Custom url are ignored.',
	],
])('reads the columns of %j with %j', (items, parameters, message) => {
	expect(hint(items, parameters)).toBe(message);
});

it.each<[what: string, items: IDataObject[], parameters: object, message: RegExp]>([
	[
		'a conflict',
		[{ alias: 'a', Alias: 'b' }],
		{},
		/^The columns "alias" and "Alias" both fill Alias;/,
	],
	[
		'passwords',
		[{ alias: 'a', password: 'x' }],
		{},
		/^The column password contains passwords and is/,
	],
	[
		'a left-over column that looks like an empty field',
		[{ alias: 'a', expiration: '', 'Valid to': 'b' }],
		{},
		/^Column "Valid to" is not used\. Add it to/,
	],
	[
		'all problems at once',
		[{ link: 'a', 'Custom slug': 'b', password: 'x', deadline: 'expires' }],
		{ url: '', alias: '' },
		/^No column fills Destination URL and Alias\. Columns that came: link, Custom slug, password, deadline\. Rename .* The column password contains/,
	],
	[
		'a missing ID',
		[{ alias: 'a' }],
		{ matchBy: 'id' },
		/^No column fills ID\. Columns that came: alias\. Rename one to id, or choose another Match By\.$/,
	],
	[
		'columns to ignore that are no list',
		[{ alias: 'a' }],
		{ inputsToIgnore: { a: 1 } },
		/^Inputs to Ignore \{"a":1\} is not a list of columns; write it as notes, owner$/,
	],
])('refuses %s', (_what, items, parameters, message) => {
	expect(errorOf(() => read(items, parameters))).toMatch(message);
});

it.each<[what: string, items: IDataObject[], parameters: object]>([
	['whether there is one', [{ password: true }, { password: 'false' }], {}],
	['nothing', [{ password: '' }, { password: null }], {}],
	['what an expression replaces', [{ password: 'x' }], { additionalFields: { password: '=a' } }],
	['formula errors', [{ password: '#N/A' }], {}],
	['what is taken', [{ password: 'x' }], { options: { mapPasswords: true } }],
	['what is ignored', [{ password: 'x' }], { inputsToIgnore: 'password' }],
])('accepts a column for passwords that has %s', (_what, items, parameters) => {
	expect(errorOf(() => read(items, parameters))).toBeUndefined();
});

it.each<[columns: IDataObject, matchBy: string, has: boolean]>([
	[{ alias: 'a' }, 'alias', false],
	[{ alias: 'a', url: 'b' }, 'alias', true],
	[{ id: 7 }, 'id', false],
	[{ id: 7, alias: 'a' }, 'id', true],
	[{ alias: 'a', utm_source: 'b' }, 'alias', true],
])('knows whether the columns %j have values to write, matched by %s', (cells, matchBy, has) => {
	const { options, columns } = read([cells], { matchBy }, 'update');
	const known = withColumnsKnown(options.encode, linkContract, columns);
	expect(known.hasValueColumns).toBe(has);
	expect(withColumnsKnown(options.encode, linkContract, undefined)).toBe(options.encode);
});
