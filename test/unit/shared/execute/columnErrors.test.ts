import { linkContract } from '../../../../nodes/Link/link.contract';
import { columnTargets } from '../../../../nodes/shared/contract/columnTargets';
import {
	columnText,
	conflictError,
	columnList,
	quotedList,
	pairError,
	passwordError,
	typoError,
	unknownError,
} from '../../../../nodes/shared/execute/columnErrors';
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
	expect(quotedList(columns)).toMatch(/^c0, c1, .*, c29 and 2 more$/);
	expect(columnList(['a'.repeat(600)]).length).toBeLessThanOrEqual(500);
});

const target = columnTargets(linkContract, 'create').exact.get('alias');

it.each<[columns: string[], quoted: string]>([
	[['a', 'b'], '"a" and "b"'],
	[['a', 'b', 'c', 'd', 'e', 'f'], '"a" and "b" and "c" and "d" and 2 more'],
])('names the columns %j that fill the same', (columns, quoted) => {
	if (!target) throw new Error('No target');
	expect(conflictError(node, { target, columns }).message).toBe(
		`The columns ${quoted} both fill Alias; keep one of them, or add the other to Inputs to Ignore`,
	);
});

it.each<[columns: string[], message: string]>([
	[
		['pw'],
		'The column pw contains passwords and is not mapped; add Map Passwords under Options, or add it to Inputs to Ignore',
	],
	[
		['a', 'b'],
		'The columns a, b contain passwords and are not mapped; add Map Passwords under Options, or add them to Inputs to Ignore',
	],
])('names the columns %j with passwords', (columns, message) => {
	expect(passwordError(node, columns)).toMatchObject({ message, description: 'Nothing was sent.' });
});

it.each<[columns: string[], hasPasswords: boolean, message: string]>([
	[['a'], false, 'The column a matches no field; correct its name, or add it to Inputs to Ignore'],
	[
		['a', 'b'],
		true,
		'The columns a, b match no field; correct their names, or add them to Inputs to Ignore, or add Map Passwords',
	],
])('names the columns %j that fill nothing', (columns, hasPasswords, message) => {
	expect(unknownError(node, columns, hasPasswords).message).toBe(message);
});

it('names likely typos', () => {
	const [one, two] = [
		{ column: 'Alais', target: ['Alias'] },
		{ column: 'expirs', target: ['A', 'B', 'C', 'D', 'E'] },
	];
	expect(typoError(node, [one]).message).toBe(
		'Column "Alais" is not used. Did you mean Alias? Rename it, map it with Column Names, or add it to Inputs to Ignore.',
	);
	expect(typoError(node, [one, two]).message).toBe(
		'Columns "Alais" (did you mean Alias?), "expirs" (did you mean A or B or C or D?) are not used. Rename them, map them with Column Names, or add them to Inputs to Ignore.',
	);
	if (!target) throw new Error('No target');
	const pair = { column: 'Kruz', meant: ['Kurz'], target };
	expect(pairError(node, pair).message).toBe(
		'Column Names has the column "Kruz", which no item has. Did you mean "Kurz"? Correct the pair, or rename the column.',
	);
});
