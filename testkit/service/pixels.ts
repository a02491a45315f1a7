import {
	addProblem,
	all,
	atMost,
	checkText,
	identifier,
	oneOf,
	type Check,
	type Problems,
} from './checks.ts';
import { change, insert, remove, type Database } from './database.ts';
import type { Form } from './form.ts';
import { addFilter, addSearch, orderOf, readWindow, type Filters } from './listing.ts';
import { names, type Representation, type Resource } from './resource.ts';

/** Contract 2.2. Newer services say `x` for `twitter` (assumption: pixel type x); this one does not. */
const types =
	'adroll bing facebook google-ads google-analytics google-tag-manager linkedin pinterest quora twitter'.split(
		' ',
	);

/** Contract 2.2, with the bounds of the assumption "pixel fields". */
const fields: Record<string, Check> = {
	name: atMost(32),
	type: oneOf(types),
	value: all(identifier, atMost(255)),
};

const knownNames = names(...Object.keys(fields));
const select = `SELECT id, ${Object.keys(fields).join()}, created_at, updated_at FROM pixels`;

/** The pixels of a database (contract 2.2, 4.4, 4.5). */
export function pixelResource(database: Database): Resource {
	const find = (id: number): Representation | undefined =>
		database.prepare(`${select} WHERE id = ?`).get(id);

	return {
		name: 'pixel',
		knownFields: {
			create: knownNames,
			update: knownNames,
			list: names('search', 'search_by', 'type', 'sort_by', 'sort', 'per_page', 'page'),
		},
		list(query, window) {
			const filters: Filters = { conditions: [], values: [] };
			addSearch(filters, query, ['name'], 'pixels');
			addFilter(filters, query, 'type', 'type = ?');
			const order = orderOf(query, ['id', 'name'], 'pixels');
			return readWindow(database, select, 'pixels', filters, order, window);
		},
		find,
		check: (form, id) => checkPixel(database, form, id),
		create(form) {
			return { ...find(insert(database, 'pixels', sentColumns(form))) };
		},
		update(id, form) {
			change(database, 'pixels', id, sentColumns(form));
			return { ...find(id) };
		},
		remove: (id) => remove(database, 'pixels', id),
	};
}

/** All three fields are required on create, none may be emptied by an update (assumption: pixel fields). */
function checkPixel(database: Database, form: Form, id?: number): Problems {
	const problems: Problems = new Map();
	for (const [field, check] of Object.entries(fields))
		if (id === undefined || field in form) checkText(problems, field, form[field], check);
	const { name } = form;
	if (typeof name === 'string') {
		const namesake = database.prepare('SELECT id FROM pixels WHERE name = ?').get(name);
		if (namesake && namesake.id !== id) addProblem(problems, 'name', 'has already been taken');
	}
	return problems;
}

function sentColumns(form: Form): Record<string, string> {
	const sent = Object.keys(fields).filter((field) => field in form);
	return Object.fromEntries(sent.map((field) => [field, String(form[field])]));
}
