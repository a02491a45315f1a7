import { isExpression, type INodeParameters } from 'n8n-workflow';
import { inputsIn, type ColumnTarget } from '../contract/columns';
import { isRecord } from '../contract/values';

/** Returns whether a value of the form contains an expression at any depth. */
export function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return isExpression(value);
	if (Array.isArray(value)) return value.some(hasExpression);
	return isRecord(value) && Object.values(value).some(hasExpression);
}

/** Returns a function that reports whether the form has an expression for the target of a column. */
export function expressionsIn(form: INodeParameters) {
	return ({ property, place, inputName }: ColumnTarget): boolean => {
		const { name } = property;
		const holder: unknown = place === 'top' ? form : form[place];
		const value = isRecord(holder) ? holder[name] : holder;
		const isWhole = inputName === undefined || !isRecord(value);
		return hasExpression(isWhole ? value : inputsIn(property, value)[inputName]);
	};
}

/** Returns the expressions in a value of the form. */
function expressionsOf(value: unknown): string[] {
	if (typeof value === 'string') return isExpression(value) ? [value] : [];
	const values = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
	return values.flatMap(expressionsOf);
}

/** Returns the code between the braces of an expression. */
function codeOf(expression: string): string[] {
	const [, ...opened] = expression.split('{{');
	return opened.map((text) => text.split('}}', 1)[0] ?? '');
}

/** Max number of words in the name of a column that can match. No field has a longer name. */
const maxWords = 5;

/** Max length of the code that is searched, in characters. */
const maxCode = 50_000;

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}_$]+/gu) ?? [];

/** Returns all groups of words that are next to each other. */
function phrasesOf(code: string): string[] {
	const words = wordsOf(code);
	return words.flatMap((_, at) =>
		Array.from({ length: maxWords }, (_unused, more) => words.slice(at, at + more + 1).join(' ')),
	);
}

/**
 * Returns a function that reports whether an expression of the form uses a column: its code contains the name of the column
 * as whole words. If the code is too long to search, the function returns true for all columns.
 */
export function expressionUse(form: INodeParameters): (column: string) => boolean {
	let phrases: ReadonlySet<string> | undefined;
	const codes = expressionsOf(form).flatMap(codeOf);
	const isTooLong = codes.reduce((sum, { length }) => sum + length, 0) > maxCode;
	return (column) => {
		if (isTooLong) return true;
		phrases ??= new Set(codes.flatMap(phrasesOf));
		const words = wordsOf(column.slice(0, maxCode));
		return words.length > maxWords || phrases.has(words.join(' '));
	};
}
