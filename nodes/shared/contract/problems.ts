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

/** Returns why a value cannot be sent. */
export const refused = (value: unknown, property: FormParameter, reason: Reason): Invalid =>
	new Invalid([{ ...reason, value: quote(value, property) }]);

/** Returns the words of a reason, without its remedy. */
export const faultText = ({ before, value, what }: Reason): string =>
	[before, value, what].filter((part) => part).join(' ');

/** Returns a reason as a clause that continues the name of the field: `"x" is not a date; enter it as 2030-12-31`. */
export const reasonText = (reason: Reason): string =>
	[faultText(reason), reason.remedy].filter((part) => part).join('; ');
