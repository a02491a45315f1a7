import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import type { OperationName } from '../../../../nodes/shared/contract/types';
import { readOptions } from '../../../../nodes/shared/execute/options';
import {
	columnsHint,
	ignoredNames,
	readColumns,
	withColumnsKnown,
} from '../../../../nodes/shared/execute/readColumns';
import { errorOf, executionLike } from '../../../support/execution.ts';

/** The columns of a mapped run. */
function read(items: IDataObject[], parameters: object = {}, operation: OperationName = 'upsert') {
	const mapped = { operation, mappingColumnMode: 'autoMapInputData', ...parameters };
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
		[{ alias: 'a', source: 'b' }],
		{},
		'Mapped columns: alias. Ignored columns: source (perhaps UTM Source).',
	],
	[
		[{ alias: 'a', password: '' }],
		{},
		'Mapped columns: alias. Ignored columns: password (only with Map Passwords).',
	],
	[
		[{ Kurz: 'a' }],
		{ options: { columnNames: { alias: 'Kurz', url: 'Ziel' } } },
		'Mapped columns: Kurz (Alias). In Column Names, but in no item: Ziel (Destination URL).',
	],
	[
		[{ alias: 'a', notes: 'b' }],
		{ inputsToIgnore: 'notes, owner' },
		'Mapped columns: alias. Ignored columns: notes. In Inputs to Ignore, but in no item: owner.',
	],
	// Numbers that increase are those of rows.
	[
		[
			{ alias: 'a', row_number: 2 },
			{ alias: 'b', row_number: 3 },
		],
		{},
		'Mapped columns: alias.',
	],
	[
		[
			{ alias: 'a', row_number: 3 },
			{ alias: 'b', row_number: 3 },
		],
		{},
		'Mapped columns: alias. Ignored columns: row_number.',
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
		'a typo',
		[{ url: 'a', Expiratoin: 'b' }],
		{},
		/^Column "Expiratoin" is not used\. Did you mean Exp/,
	],
	[
		'an unknown column',
		[{ alias: 'a', notes: 'b' }],
		{ options: { unknownColumns: 'fail' } },
		/^The column notes matches no field;/,
	],
	[
		'a missing ID',
		[{ alias: 'a' }],
		{ matchBy: 'id' },
		/^Match By is ID, but no column is named id; add the column, map it with Column Names,/,
	],
	[
		'a column that is mapped and ignored',
		[{ Kurz: 'a' }],
		{ options: { columnNames: { alias: 'Kurz' } }, inputsToIgnore: 'Kurz' },
		/^The column Kurz is in Column Names and in Inputs to Ignore; remove it from one of them$/,
	],
	[
		'pairs that cannot be read',
		[{ Kurz: 'a' }],
		{ options: { columnNames: 'Kurz' } },
		/^Column Names cannot be read as pairs/,
	],
	[
		'a misspelled pair',
		[{ Kurzer: 'a' }],
		{ options: { columnNames: { alias: 'Kurzre' } } },
		/^Column Names has the column "Kurzre", which no item has\. Did you mean "Kurzer"\?/,
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
	['what an expression uses', [{ password: 'x' }], { url: '={{ $json.password }}' }],
	['what is taken', [{ password: 'x' }], { options: { mapPasswords: true } }],
	['what is ignored', [{ password: 'x' }], { inputsToIgnore: 'password' }],
])('accepts a column for passwords that has %s', (_what, items, parameters) => {
	expect(errorOf(() => read(items, parameters))).toBeUndefined();
});

it('leaves out unknown columns and typos if an option says so', () => {
	const parameters = { options: { unknownColumns: 'ignore' } };
	expect(hint([{ alias: 'a', Expiratoin: 'b' }], parameters)).toMatch(
		/Ignored columns: Expiratoin/,
	);
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

it('reads the columns to ignore', () => {
	const execution = executionLike({ parameters: { inputsToIgnore: 'a, b' } });
	expect(ignoredNames(execution, new Set())).toEqual(['a', 'b']);
});
