import { textOf } from './codecs/scalar';
import type { Field } from './fieldTypes';
import { isOfScope, type RowRun } from './layout';
import {
	type Problem,
	Invalid,
	type ReportProblem,
	type Codec,
	type EncodeOptions,
	type FormParameter,
	type Parameters,
} from './types';
import { shorten } from './values';

/** The context of a row while it is encoded. */
export interface EncodeContext extends RowRun {
	readonly parameters: Parameters;
	/** Reports a problem of the row. */
	readonly report: ReportProblem;
}

/** Returns a function that adds what it reports to a list of problems. */
export const reporterTo =
	(problems: Problem[]): ReportProblem =>
	(property, reasons) => {
		const { displayName: field, name } = property;
		const key = 'wire' in property ? (property as Field).wire.key : name;
		const scope = isOfScope(property) ? ({ isRunLevel: true } as const) : {};
		for (const reason of new Invalid(reasons).reasons) {
			problems.push({ field, key, ...reason, ...scope });
		}
	};

/** Max length of an exception's message in a reason, in characters. */
const maxMessageLength = 200;

/** Encodes a value. An exception, such as of a date at the end of the calendar, makes it invalid. */
export function encodeValue(
	codec: Codec,
	value: unknown,
	property: FormParameter,
	options?: EncodeOptions,
): ReturnType<Codec> {
	try {
		return codec(value, property, { options });
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		const what = `contains a value that cannot be read (${shorten(message, maxMessageLength)})`;
		return new Invalid([`${what}; enter another value`]);
	}
}

/** Returns the encoded text of a parameter, or of its default. Reports an invalid value and returns undefined. */
export function encodeParameter(
	{ report }: Pick<EncodeContext, 'report'>,
	codec: Codec,
	property: FormParameter,
	parameters: Parameters,
): string | undefined {
	const text = textOf(codec, parameters[property.name], property);
	if (!(text instanceof Invalid)) return text;
	report(property, text.reasons);
	return undefined;
}
