/** Says what is wrong with a sent value, as the end of a sentence, or nothing. */
export type Check = (value: string) => string | undefined;

/** The bad fields of a request, each with its messages: the field's wire name, dotted inside lists (`country.0.key`). */
export type Problems = Map<string, string[]>;

/** Adds a message to a field, worded as the framework words them: "The expiration date must be a date." */
export function addProblem(problems: Problems, field: string, fault: string): void {
	const message = `The ${field.replaceAll('_', ' ')} ${fault}.`;
	problems.set(field, [...(problems.get(field) ?? []), message]);
}

/** Checks a field that must be there, be one text, and pass. */
export function checkText(problems: Problems, field: string, value: unknown, check: Check): void {
	const fault =
		(value ?? null) === null
			? 'field is required'
			: typeof value === 'string'
				? check(value)
				: 'must be a string';
	if (fault) addProblem(problems, field, fault);
}

/** Characters, not UTF-16 units: that is how the framework measures. */
export function atMost(characters: number): Check {
	return (value) =>
		[...value].length > characters
			? `must not be greater than ${characters} characters`
			: undefined;
}

/** Returns a check that accepts texts that match an expression. `fault` is the message for all others. */
export function fits(expression: RegExp, fault: string): Check {
	return (value) => (value.search(expression) < 0 ? fault : undefined);
}

/** Returns a check that accepts the texts of a list. Values are compared as text, because forms contain only text. */
export function oneOf(allowed: readonly string[]): Check {
	return (value) => (allowed.includes(value) ? undefined : 'is invalid: not one of the choices');
}

/** Returns a check that runs several checks and returns the first fault. */
export function all(...checks: Check[]): Check {
	return (value) => checks.map((check) => check(value)).find((fault) => fault !== undefined);
}

/** Letters, digits, `-`, `_` (assumptions: link fields, pixel fields). */
export const identifier = fits(/^[A-Za-z0-9_-]+$/, 'must only contain letters, numbers, - and _');

/**
 * A destination: a scheme and at most 2048 characters (assumption: link fields). A line break passes (assumption: line
 * break in a URL).
 */
export const address = all(
	fits(/^[a-z][a-z0-9+.-]*:\/\/[^\s/]/i, 'must be a valid URL with its scheme'),
	atMost(2048),
);

/** A day of the calendar as YYYY-MM-DD (contract 2.1). */
export const day: Check = (value) => {
	const moment = new Date(`${value}T00:00:00Z`);
	const exists = /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(moment.getTime());
	return exists && moment.toISOString().startsWith(value)
		? undefined
		: 'must be a date in the form YYYY-MM-DD';
};

/** A time of day as HH:MM (contract 2.1). */
export const timeOfDay = fits(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time in the form HH:MM');
