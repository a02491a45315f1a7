import { linkContract } from '../../../../nodes/Link/link.contract';
import { fillableFields } from '../../../../nodes/shared/contract/columns';
import {
	conflictError,
	columnList,
	leftOverText,
	missingText,
	passwordText,
	type MissingField,
} from '../../../../nodes/shared/execute/columnErrors';
import { columnText } from '../../../../nodes/shared/execute/cellProblems';
import { nodeLike } from '../../../support/execution.ts';

const node = nodeLike();

it.each<[column: string, text: string]>([
	['Long URL (new)', 'Long URL (new)'],
	['a', 'a'],
	['', '""'],
	[' a', '" a"'],
	['a, b', '"a, b"'],
	['a\u200b', String.raw`"a\u200b"`],
])('writes the column %j', (column, text) => {
	expect(columnText(column)).toBe(text);
});

it('cuts long lists', () => {
	const columns = Array.from({ length: 32 }, (_, index) => `c${index}`);
	expect(columnList(columns)).toMatch(/^c0, c1, .*, c29 and 2 more$/);
	expect(columnList(['a'.repeat(600)]).length).toBeLessThanOrEqual(500);
});

it.each<[columns: string[], quoted: string]>([
	[['a', 'b'], '"a" and "b"'],
	[['a', 'b', 'c', 'd', 'e', 'f'], '"a", "b", "c", "d" and 2 more'],
])('names the columns %j that fill the same', (columns, quoted) => {
	expect(conflictError(node, { displayName: 'Alias', columns }).message).toBe(
		`The columns ${quoted} both fill Alias; keep one of them, or add the other to Inputs to Ignore`,
	);
});

const url = { displayName: 'Destination URL', name: 'url', remedy: 'set the field in the form' };
const id = { displayName: 'ID', name: 'id', remedy: 'choose another Match By' };
const alias = { displayName: 'Alias', name: 'alias', remedy: 'set the field in the form' };

it.each<[fields: MissingField[], columns: string[], text: string]>([
	[[], ['a'], ''],
	[
		[url],
		['Landing page', 'Notes'],
		'No column fills Destination URL. Columns that came: Landing page, Notes. Rename one to url, or set the field in the form.',
	],
	[
		[id],
		['a;b'],
		'No column fills ID. Columns that came: "a;b". Rename one to id, or choose another Match By.',
	],
	[
		[url, alias],
		[],
		'No column fills Destination URL and Alias. Columns that came: none. Add the columns url and alias, or set the field in the form.',
	],
])('names the fields that no column fills, %#', (fields, columns, text) => {
	expect(missingText(fields, columns)).toBe(text);
});

const fields = fillableFields(linkContract, 'create');

it.each<[pairs: [column: string, field: string][], text: string]>([
	[[], ''],
	[
		[['Custom slug', 'alias']],
		'Column "Custom slug" is not used. Add it to Inputs to Ignore, or rename it to alias.',
	],
	[
		[
			['Custom slug', 'alias'],
			['Valid To', 'expiration'],
		],
		'Columns "Custom slug" and "Valid To" are not used. Add them to Inputs to Ignore, or rename them to alias and expiration.',
	],
	[
		[
			['Custom slug', 'alias'],
			['slashtag', 'alias'],
		],
		'Columns "Custom slug" and "slashtag" are not used. Add them to Inputs to Ignore, or rename one of them to alias.',
	],
	[
		[
			['Custom slug', 'alias'],
			['slashtag', 'alias'],
			['Valid To', 'expiration'],
		],
		'Columns "Custom slug", "slashtag" and "Valid To" are not used. Add them to Inputs to Ignore, or rename one each to alias and expiration.',
	],
])('names the left-over columns, %#', (pairs, text) => {
	const leftOver = pairs.flatMap(([column, name]) => {
		const field = fields.find((candidate) => candidate.name === name);
		return field ? [{ column, field }] : [];
	});
	expect(leftOverText(leftOver)).toBe(text);
});

it.each<[columns: string[], text: string]>([
	[[], ''],
	[
		['pw'],
		'The column pw contains passwords and is not mapped. Add Map Passwords under Options, or add it to Inputs to Ignore.',
	],
	[
		['a', 'b'],
		'The columns a, b contain passwords and are not mapped. Add Map Passwords under Options, or add them to Inputs to Ignore.',
	],
])('names the columns %j with passwords', (columns, text) => {
	expect(passwordText(columns)).toBe(text);
});
