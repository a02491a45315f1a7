import { Invalid, type FormParameter, type Reason } from './types';
import { quote } from './values';

/** A reason why a row cannot be sent, with the field that has it. */
export interface Problem extends Reason {
	/** Label of the field. */
	readonly field: string;
	/** Contract key of the field, or name of the parameter. */
	readonly key: string;
	/** The columns with the value, if it comes from cells. */
	readonly columns?: readonly string[];
	/** Whether the problem stops the whole run, because all rows share the value. */
	readonly isRunLevel?: true;
}

/**
 * Returns why a value cannot be sent.
 *
 * @param what continues the quoted value and ends with the remedy
 */
export const refused = (
	value: unknown,
	property: FormParameter,
	what: string,
	more: Partial<Reason> = {},
): Invalid => new Invalid([{ ...more, value: quote(value, property), what }]);

/** Returns a reason as a clause that continues the name of the field: `"x" is not a date; enter it as 2030-12-31`. */
export const reasonText = (reason: Reason | string): string =>
	typeof reason === 'string'
		? reason
		: [reason.before, reason.value, reason.what].filter((part) => part).join(' ');
