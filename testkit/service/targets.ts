import {
	addProblem,
	address,
	checkText,
	fits,
	oneOf,
	type Check,
	type Problems,
} from './checks.ts';
import { countries } from './countries.ts';
import { isRecord, type Form } from './form.ts';

/** Platforms by their names in contract 2.1. */
const platforms = ['iOS', 'Android', 'Windows', 'OS X', 'Linux', 'Ubuntu', 'Chrome OS'];

/** The parts of one element of each target list (contract 2.1), with what each part must be. */
export const targetLists: Record<string, Record<string, Check>> = {
	/** Assumption: country keys. */
	country: { key: oneOf(countries), value: address },
	platform: { key: oneOf(platforms), value: address },
	/** Assumption: language keys. */
	language: {
		key: fits(/^[a-z]{2}$/, 'must be a language code of two lower-case letters'),
		value: address,
	},
	rotation: { value: address },
};

/** Notes every bad part of the target lists in a form. A half-filled element is bad, a wholly empty one clears. */
export function checkTargets(form: Form, problems: Problems): void {
	for (const [list, parts] of Object.entries(targetLists)) {
		if (!(list in form)) continue;
		const sent = form[list];
		if (!isRecord(sent)) addProblem(problems, list, 'must be an array');
		else
			for (const [index, element] of Object.entries(sent))
				checkElement(`${list}.${index}`, element, parts, problems);
	}
}

function checkElement(
	field: string,
	element: unknown,
	parts: Record<string, Check>,
	problems: Problems,
): void {
	if (!isRecord(element)) {
		addProblem(problems, field, 'must be an array');
		return;
	}
	if (isEmpty(element, parts)) return;
	for (const [part, check] of Object.entries(parts))
		checkText(problems, `${field}.${part}`, element[part], check);
}

/** One target list of a form that passed {@link checkTargets}, as it is stored and answered; null when emptied. */
export function targetsOf(list: string, sent: unknown): Record<string, unknown>[] | null {
	const parts = targetLists[list] ?? {};
	const elements = (isRecord(sent) ? Object.values(sent) : [])
		.filter(isRecord)
		.filter((element) => !isEmpty(element, parts))
		.map((element) => Object.fromEntries(Object.keys(parts).map((part) => [part, element[part]])));
	return elements.length > 0 ? elements : null;
}

/** Assumption: clearing. An element of empty strings stands for no element. */
function isEmpty(element: Form, parts: Record<string, Check>): boolean {
	return Object.keys(parts).every((part) => (element[part] ?? null) === null);
}
