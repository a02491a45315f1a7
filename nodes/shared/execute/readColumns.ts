import { NodeOperationError, type IExecuteFunctions, type NodeExecutionHint } from 'n8n-workflow';
import { inputsToIgnore, mapColumns, type ColumnMap } from '../contract/columns';
import type { OperationName, ResourceContract } from '../contract/types';
import { isTextual, isUnset, listOf, quote, shorten } from '../contract/values';
import type { RunOptions } from './options';

/** So many columns are named in an error or a hint. */
const maxNamed = 30;

/** So many columns that fill the same are named. */
const maxConflicting = 5;

/** A column as people write it, shortened; in quotes where it would be misread, as an empty one is. */
function columnText(column: string): string {
	const text = shorten(column);
	const isPlain = /^[\p{L}\p{N}_]([\p{L}\p{N} _.()-]*[\p{L}\p{N}_)])?$/u.test(text);
	return isPlain ? text : JSON.stringify(text);
}

const named = (columns: readonly string[]): string => {
	const more = columns.length > maxNamed ? ` and ${columns.length - maxNamed} more` : '';
	return `${columns.slice(0, maxNamed).map(columnText).join(', ')}${more}`;
};

/** The names that Inputs to Ignore holds. */
function ignoredNames(context: IExecuteFunctions): string[] {
	const given: unknown = context.getNodeParameter(inputsToIgnore.name, 0, '');
	if (isUnset(given)) return [];
	const names = listOf(given);
	if (names?.every(isTextual)) return names.map((name) => String(name).trim());
	const message = `${inputsToIgnore.displayName} ${quote(given, inputsToIgnore)} is not a list of columns; write it as notes, owner`;
	throw new NodeOperationError(context.getNode(), message, { description: 'Nothing was sent.' });
}

/**
 * Finds out which columns of the input fill which fields: those of all items, since a first row may lack some.
 *
 * @throws NodeOperationError where two columns fill the same field, or where a column is unknown and may not be
 */
export function readColumns(
	context: IExecuteFunctions,
	contract: ResourceContract,
	operation: OperationName,
	{ encode, mapPasswords, failsOnUnknownColumns }: RunOptions,
): ColumnMap {
	const columns = new Set(context.getInputData().flatMap(({ json }) => Object.keys(json)));
	const map = mapColumns(contract, operation, columns, {
		ignored: ignoredNames(context),
		used: contract.usedColumns?.(encode.own) ?? [],
		mapPasswords,
	});
	const refuse = (message: string) =>
		new NodeOperationError(context.getNode(), message, { description: 'Nothing was sent.' });
	const [conflict] = map.conflicts;
	if (conflict) {
		const shown = conflict.columns.slice(0, maxConflicting);
		const quoted = shown.map((column) => JSON.stringify(shorten(column))).join(' and ');
		throw refuse(
			`The columns ${quoted} both fill ${conflict.target.property.displayName}; keep one of them, or name the other in ${inputsToIgnore.displayName}`,
		);
	}
	const unwanted = [...map.unknown, ...map.secret];
	if (failsOnUnknownColumns && unwanted.length > 0) {
		const passwords = map.secret.length > 0 ? ', or turn on Map Passwords' : '';
		const one = unwanted.length === 1;
		const fill = one ? 'The column' : 'The columns';
		const correct = one
			? 'fills no field; correct its name, or name it'
			: 'fill no field; correct their names, or name them';
		throw refuse(
			`${fill} ${named(unwanted)} ${correct} in ${inputsToIgnore.displayName}${passwords}`,
		);
	}
	return map;
}

/** `Columns taken: url, alias. Left out: notes.` */
export function columnsHint({ taken, left, secret }: ColumnMap): NodeExecutionHint {
	const takenText = taken.size > 0 ? named([...taken.keys()]) : 'none';
	const leftText = left.length > 0 ? `. Left out: ${named(left)}` : '';
	const secretText = secret.length > 0 ? ' (passwords only with Map Passwords)' : '';
	const message = `Columns taken: ${takenText}${leftText}${secretText}.`;
	return { message, location: 'outputPane' };
}
