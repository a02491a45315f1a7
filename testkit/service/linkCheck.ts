import { addProblem, checkText, type Problems } from './checks.ts';
import { exists, type Database } from './database.ts';
import { isRecord, type Form } from './form.ts';
import { linkFields } from './linkFields.ts';
import { checkTargets, targetLists } from './targets.ts';

/**
 * A form as it is meant: on a create an empty text is an absent one, so that an empty alias is generated. Lists stay,
 * because emptying one is a request of its own.
 */
export function meantByCreate(form: Form): Form {
	const isList = (name: string) => name === 'pixel_ids' || Object.hasOwn(targetLists, name);
	return Object.fromEntries(
		Object.entries(form).filter(([name, value]) => value !== null || isList(name)),
	);
}

/** The domain of a create, and the name it came under: the contract's section 4.2 has both. */
export function domainOf(form: Form): { field: string; value: unknown } {
	const field = 'domain' in form && !('domain_id' in form) ? 'domain' : 'domain_id';
	return { field, value: form[field] };
}

/** The link that an update is about. */
interface StoredLink {
	id: number;
	domainId: number;
}

/** Every bad field of a form; `link` is the one to update (assumptions: link fields, partial update). */
export function checkLink(database: Database, form: Form, link?: StoredLink): Problems {
	const problems: Problems = new Map();
	const pixelIds = idsOf(form.pixel_ids, 'pixel_ids' in form);
	for (const [field, { check, clearable }] of Object.entries(linkFields))
		if (field in form && !(clearable && form[field] === null))
			checkText(problems, field, form[field], check);
	if (!link) checkDomainAndUrl(database, form, problems);
	checkAlias(database, form, problems, link);
	checkExpiry(form, problems);
	checkTargets(form, problems);
	if ((form.space_id ?? null) !== null && !exists(database, 'spaces', form.space_id))
		addProblem(problems, 'space_id', 'is invalid: there is no such space');
	if (!pixelIds.every((id) => exists(database, 'pixels', id)))
		addProblem(problems, 'pixel_ids', 'is invalid: there is no such pixel');
	return problems;
}

/**
 * The elements of `pixel_ids`, without the empty one that clears the list. Throws on anything but a list, as the
 * service breaks on it (assumption: pixel ids are an array).
 */
export function idsOf(sent: unknown, present: boolean): unknown[] {
	if (!present) return [];
	if (!isRecord(sent)) throw new TypeError('foreach() argument must be of type array|object');
	return Object.values(sent).filter((id) => id !== null);
}

function checkDomainAndUrl(database: Database, form: Form, problems: Problems): void {
	if (!('url' in form)) addProblem(problems, 'url', 'field is required');
	const { field, value } = domainOf(form);
	if (value === undefined) addProblem(problems, field, 'field is required');
	else if (!exists(database, 'domains', value))
		addProblem(problems, field, 'is invalid: there is no such domain');
}

function checkAlias(database: Database, form: Form, problems: Problems, link?: StoredLink): void {
	const domain = link?.domainId ?? domainOf(form).value;
	if (typeof form.alias !== 'string' || (typeof domain !== 'string' && !link)) return;
	const namesake = database
		.prepare('SELECT id FROM links WHERE domain_id = ? AND alias = ?')
		.get(Number(domain), form.alias);
	if (namesake && namesake.id !== link?.id) addProblem(problems, 'alias', 'has already been taken');
}

/** Date and time are both absent, both empty, or both there (assumption: link fields). */
function checkExpiry(form: Form, problems: Problems): void {
	const presence = (value: unknown) => (value === undefined ? 0 : value === null ? 1 : 2);
	const date = presence(form.expiration_date);
	const time = presence(form.expiration_time);
	if (date < time) addProblem(problems, 'expiration_date', 'is required with the time');
	if (time < date) addProblem(problems, 'expiration_time', 'is required with the date');
}
