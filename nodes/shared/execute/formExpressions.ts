import { isExpression, type INodeParameters } from 'n8n-workflow';
import type { ColumnTarget } from '../contract/columns';
import { inputsIn } from '../contract/columnValues';
import { isBlank, isRecord, unwrapLocator } from '../contract/values';

/** Returns the expressions in a value of the form, at any depth. */
export function expressionsOf(value: unknown): string[] {
	if (typeof value === 'string') return isExpression(value) ? [value] : [];
	if (Array.isArray(value)) return value.flatMap(expressionsOf);
	return isRecord(value) ? Object.values(value).flatMap(expressionsOf) : [];
}

/** Returns whether a value of the form contains an expression at any depth. */
export const hasExpression = (value: unknown): boolean => expressionsOf(value).length > 0;

/** Returns the value that the form has for the target of a column, or the expression for the whole collection. */
function formValueOf(form: INodeParameters, { property, place, inputName }: ColumnTarget): unknown {
	const { name } = property;
	const holder: unknown = place === 'top' ? form : form[place];
	const value = isRecord(holder) ? holder[name] : holder;
	const isWhole = inputName === undefined || !isRecord(value);
	return isWhole ? value : inputsIn(property, value)[inputName];
}

/** Returns a function that reports whether the form has an expression for the target of a column. */
export const expressionsIn =
	(form: INodeParameters) =>
	(target: ColumnTarget): boolean =>
		hasExpression(formValueOf(form, target));

/** Returns a function that reports whether the form has a value or an expression for the target of a column. */
export const valuesIn =
	(form: INodeParameters) =>
	(target: ColumnTarget): boolean =>
		!isBlank(unwrapLocator(formValueOf(form, target)));
