import { hasMark, trimInvisible, plainName } from '../text';
import {
	refused,
	choicesOf,
	formulaError,
	isUnread,
	isFormulaError,
	isTextual,
	isUnset,
	unwrapLocator,
} from '../values';
import { Invalid, type Codec, type CodecContext, type FormParameter } from '../types';
import { flagOf, isRounded } from '../readers';

/** The reason for a number that JSON has rounded. */
export const tooLarge =
	'is a number above 9007199254740991, which n8n has rounded; enter it as text instead';

/** The reason for a text that is not well-formed Unicode, which a form cannot contain. */
export const loneSurrogate =
	'contains an incomplete character, such as a cut emoji; enter the whole text';

/**
 * Builds a codec for a field with a single text. Refuses formula errors, except in responses.
 *
 * @param read returns the text to send for a text; undefined if it is invalid
 * @param remedy returns the reason for an invalid value; continues the quoted value
 */
export function scalar(
	read: (written: string, property: FormParameter, context: CodecContext) => string | undefined,
	remedy: (property: FormParameter) => string,
): Codec {
	return (value, property, context = {}) => {
		const inner = unwrapLocator(value);
		if (isFormulaError(inner) && !context.isAnswer) {
			return refused(inner, property, formulaError);
		}
		const text = isTextual(inner) ? read(String(inner), property, context) : undefined;
		const wrong = text === undefined ? remedy(property) : loneSurrogate;
		return text?.isWellFormed() ? [['', text]] : refused(inner, property, wrong);
	};
}

/**
 * Returns the encoded text of a value, or of the parameter's default if the value is unset.
 *
 * @param codec returns a single text
 */
export function textOf(codec: Codec, value: unknown, property: FormParameter): Invalid | string {
	const encoded = codec(isUnset(value) ? property.default : value, property);
	return encoded instanceof Invalid ? encoded : (encoded[0]?.[1] ?? '');
}

/** Builds a codec for a text. Refuses a number that JSON has rounded, because its digits are wrong. */
function plainText(read: (written: string, context: CodecContext) => string): Codec {
	const codec = scalar(
		(written, _property, context) =>
			!context.isAnswer && isUnread(trimInvisible(written)) ? undefined : read(written, context),
		() => 'is not text; enter a single value',
	);
	return (value, property, context) => {
		const inner = unwrapLocator(value);
		return isRounded(inner) ? refused(inner, property, tooLarge) : codec(value, property, context);
	};
}

/** Any text. The service limits its length and characters. */
export const text = plainText((written) => written);

/** Returns whether a value is no password: a flag that shows whether a password is set, or a formula error. */
export const isNoPassword = (value: unknown): boolean =>
	typeof value === 'boolean' ||
	isFormulaError(value) ||
	(typeof value === 'string' && /^\s*(?:true|false)\s*$/i.test(value));

/** A password. Refuses a flag: services respond with one in place of a password (assumption: one resource). */
export const secret: Codec = (value, property) => {
	const inner = unwrapLocator(value);
	if (!isNoPassword(inner) || isFormulaError(inner)) return text(value, property);
	const what =
		'shows only whether a password is set; enter the password itself, or leave the field out';
	return refused(value, property, what);
};

/** The reason for a text with an invisible character, whose look-alike another text may be. */
export const invisibleMark = 'contains an invisible character; delete it, or type the text again';

const trimmedText = plainText((written, { isAnswer }) =>
	isAnswer ? written.trim() : trimInvisible(written),
);

/**
 * A text that identifies something. Services trim it too, so the untrimmed text could not be found again (assumption: spaces).
 * Refuses an invisible character inside, and a text of invisible characters only.
 */
export const line: Codec = (value, property, context = {}) => {
	const encoded = trimmedText(value, property, context);
	if (encoded instanceof Invalid || context.isAnswer) return encoded;
	const text = encoded[0]?.[1] ?? '';
	return text === '' || hasMark(text) ? refused(value, property, invisibleMark) : encoded;
};

/** A whole number in decimal digits, with an optional sign (contract 2.1, `expiration_clicks`). */
export const integer = scalar(
	(written) => {
		const isWhole = /^[+-]?\d{1,99}$/.test(written.trim()) && Number.isSafeInteger(Number(written));
		return isWhole ? String(Number(written)) : undefined;
	},
	() => 'is not a whole number; enter digits only, such as 100',
);

/** Returns the range of a number, as the property limits it. */
function rangeOf({ typeOptions }: FormParameter): string {
	const { minValue = 0, maxValue } = typeOptions ?? {};
	return maxValue === undefined ? `of at least ${minValue}` : `from ${minValue} to ${maxValue}`;
}

/** Matches a decimal number. `Number` also accepts "Infinity" and hexadecimal digits. */
const decimal = /^[+-]?(\d{1,20}(\.\d{0,20})?|\.\d{1,20})(e[+-]?\d{1,2})?$/i;

/** A number within the limits of its property. */
export const bounded = scalar(
	(written, { typeOptions }) => {
		const { minValue = 0, maxValue = Infinity } = typeOptions ?? {};
		const number = decimal.test(written.trim()) ? Number(written) : NaN;
		return number >= minValue && number <= maxValue ? String(number) : undefined;
	},
	(property) => `is not a number ${rangeOf(property)}`,
);

/** Other spellings of a boolean in a cell. */
const flagWords = new Map(Object.entries({ yes: true, on: true, no: false, off: false }));

/** A boolean, sent as 1 or 0 (contract 2.1, `disabled`). Accepts `yes`, `no`, `on` and `off` from a cell. */
export const flag = scalar(
	(written, _property, { isAnswer }) => {
		const word = written.trim().toLowerCase();
		const value = flagOf(word) ?? (isAnswer ? undefined : flagWords.get(word));
		return value === undefined ? undefined : String(Number(value));
	},
	() => 'is neither true nor false; enter true or false',
);

const allowedValues = (property: FormParameter) =>
	choicesOf(property)
		.map(({ name, value }) => (String(value) === name ? name : `${value} (${name})`))
		.join(', ');

/** Max length of the label or name of a choice, in characters. */
const maxLabelLength = 200;

const hasLetter = /\p{L}/u;

/**
 * Returns the value of the choice that a text matches: by its value, or by its label or value without regard to case,
 * accents and punctuation. A number must match exactly: -1 is not 1.
 */
export function choiceMatching(property: FormParameter, written: string): string | undefined {
	const text = written.trim();
	const choices = choicesOf(property).map(({ name, value }) => ({ name, value: String(value) }));
	const exact = choices.find(({ value }) => value === text);
	if (exact || text.length > maxLabelLength || !hasLetter.test(text)) return exact?.value;
	const plain = plainName(text);
	const named =
		choices.find(({ name }) => plainName(name) === plain) ??
		choices.find(({ value }) => plainName(value) === plain);
	return named?.value;
}

/** Returns values by their other names, as `plainName` writes them. The names of a value are separated by commas. */
export const valuesByName = (names: Readonly<Record<string, string>>): Map<string, string> =>
	new Map(
		Object.entries(names).flatMap(([value, list]) =>
			list.split(', ').map((name) => [plainName(name), value] as const),
		),
	);

/**
 * A choice of the property, also if an expression sets it (contract 2.1, 2.2, 4.1, 4.4).
 *
 * @param otherNames other names of the choices by value, separated by commas
 */
export function choiceByName(otherNames: Readonly<Record<string, string>>): Codec {
	const values = valuesByName(otherNames);
	return scalar(
		(written, property, { isAnswer }) => {
			const value =
				choiceMatching(property, written) ??
				values.get(plainName(written.slice(0, maxLabelLength + 1)));
			return isAnswer && value !== written.trim() ? undefined : value;
		},
		(property) => `is not one of the allowed values; use ${allowedValues(property)}`,
	);
}

/** A choice of the property, by its value or label. */
export const choice = choiceByName({});

/**
 * A choice from a list, by name or code.
 *
 * @param codeOf returns the text to send for a text; undefined if it matches no choice
 * @param choices what to enter; continues "use"
 */
export const named = (codeOf: (written: string) => string | undefined, choices: string): Codec =>
	scalar(
		(written) => (written.length > maxLabelLength ? undefined : codeOf(written.trim())),
		() => `is not a known choice; use ${choices}`,
	);
