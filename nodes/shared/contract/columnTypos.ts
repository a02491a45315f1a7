import { columnName, type ColumnMap, type ColumnNamePair } from './columns';
import type { ColumnChoice } from './columnMap';
import { columnTargets } from './columnTargets';
import type { OperationName } from './types';
import type { ResourceContract } from './resourceTypes';

/** A column whose name is probably misspelled. */
export interface Typo {
	readonly column: string;
	/** Display names of the fields that the name may mean. */
	readonly target: readonly string[];
}

/** Shorter names are similar to too many ordinary words. */
const minLetters = 5;

/** Max length of a name to compare, in characters. */
const maxComparedName = 200;

/** Returns a normalized name; empty if the name is too long. */
function comparedName(column: string): string {
	const name = columnName(column);
	return name.length > maxComparedName ? '' : name;
}

const countLetters = (name: string) => Array.from(name.matchAll(/\p{L}/gu)).length;

/** Names of output properties that are not fields of the resource. */
const outputNames = [
	...['outcome', 'error', 'errorDetails', 'message', 'retryable', 'statusCode', 'fieldErrors'],
	...['request', 'before', 'after', 'row', 'row_number'],
];

const isDigit = (character: string | undefined) => /^\p{N}$/u.test(character ?? '');

/** Returns the index of the first character that differs. */
function firstDifference(a: string, b: string): number {
	let at = 0;
	while (at < a.length && a[at] === b[at]) at += 1;
	return at;
}

/**
 * Returns whether one edit turns a name into the other: inserting, deleting or replacing a character, or swapping two
 * neighbors. A digit is not a typo, because digits number columns: `Alias 2` is not `Alias`.
 */
export function isOneEdit(a: string, b: string): boolean {
	if (a.length > b.length) return isOneEdit(b, a);
	if (b.length - a.length > 1 || a === b) return false;
	const at = firstDifference(a, b);
	if (isDigit(b[at]) || isDigit(a[at])) return false;
	const rest = b.slice(at + 1);
	if (a.length < b.length) return a.slice(at) === rest;
	const isSwapped = a[at] === b[at + 1] && a[at + 1] === b[at];
	return a.slice(at + 1) === rest || (isSwapped && a.slice(at + 2) === b.slice(at + 2));
}

/** A pair of Column Names whose column probably has another name in the input. */
export interface MisspelledPair extends ColumnNamePair {
	readonly meant: readonly string[];
}

/** Returns the pairs of Column Names whose column is missing, if an unused column differs from it by one edit. */
export function misspelledPairs(
	{ unusedNamed, ignored, unknown }: Pick<ColumnMap, 'ignored' | 'unknown' | 'unusedNamed'>,
	isInExpression: (column: string) => boolean,
): MisspelledPair[] {
	const displaced = ignored.flatMap(({ column, reason }) => (reason === undefined ? [] : [column]));
	const unused = [...new Set([...unknown, ...displaced])].map((column) => ({
		column,
		name: comparedName(column),
	}));
	return unusedNamed.flatMap((pair): MisspelledPair[] => {
		const pairName = comparedName(pair.column);
		const near = unused.filter(
			({ name }) =>
				isOneEdit(pairName, name) &&
				Math.max(countLetters(pairName), countLetters(name)) >= minLetters,
		);
		const meant = near.map(({ column }) => column).filter((column) => !isInExpression(column));
		return meant.length > 0 ? [{ ...pair, meant }] : [];
	});
}

/** Returns the columns whose name differs from a field's name by one edit. */
export function likelyTypos(
	contract: ResourceContract,
	operation: OperationName,
	{ unknown }: Pick<ColumnMap, 'unknown'>,
	{ matchBy, isInExpression = () => false }: Pick<ColumnChoice, 'isInExpression' | 'matchBy'>,
): Typo[] {
	const { exact, synonyms, ambiguous, similarNames } = columnTargets(contract, operation, {
		matchBy,
	});
	const names = [...exact, ...synonyms]
		.filter(([name]) => countLetters(name) >= minLetters)
		.map(([name, { displayName }]) => ({ name, displayName }));
	const output = contract.output.flatMap(({ name, displayName }) => [name, displayName]);
	const exempt = new Set([
		...[...output, ...outputNames].map(columnName),
		...[...synonyms.keys(), ...ambiguous.keys(), ...similarNames],
	]);
	return unknown.flatMap((column): Typo[] => {
		const name = comparedName(column);
		if (exempt.has(name)) return [];
		const near = names.filter((candidate) => isOneEdit(name, candidate.name));
		if (near.length === 0 || isInExpression(column)) return [];
		return [{ column, target: [...new Set(near.map(({ displayName }) => displayName))] }];
	});
}
