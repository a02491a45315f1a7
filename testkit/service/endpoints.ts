import { invalid, json, notFound, type Answer } from './answers.ts';
import type { Call } from './call.ts';
import { addProblem, type Problems } from './checks.ts';
import { wrap } from './envelope.ts';
import { isRecord, type Form } from './form.ts';
import { choice, queryValue } from './listing.ts';
import { renamed, understood } from './renamedFields.ts';
import type { Known, Representation, Resource } from './resource.ts';
import type { Settings } from './settings.ts';

/** Responds to a call. Throws if the service fails. */
export type Endpoint = (call: Call, settings: Settings) => Answer;

/** The names that the contract knows in the form and in the query of an endpoint; by default there are none. */
interface KnownNames {
	form?: Known;
	query?: Known;
}

/** Returns an endpoint that refuses what a check finds and, in strict mode, unknown names. */
const checked =
	(
		{ form, query }: KnownNames,
		respond: Endpoint,
		check: (call: Call) => Problems = () => new Map(),
	): Endpoint =>
	(call, settings) => {
		const problems = check(call);
		if (settings.strict) {
			addUnknownNames(problems, call.form, form);
			addUnknownNames(problems, call.query, query);
		}
		return problems.size > 0 ? invalid(problems, settings.errorShape) : respond(call, settings);
	};

/** Returns what responds to calls of the five endpoints of a resource (contract 4); `path` is the address of its list. */
export function endpointsOf(resource: Resource, path: () => string): Endpoint {
	const { knownFields, name } = resource;
	const shown = (row: Representation | undefined, { renamesFields }: Settings) =>
		renamesFields && row && name === 'link' ? renamed(row) : row;

	const list = checked({ query: knownFields.list }, ({ query }, settings) => {
		const size = Number(choice(query, 'per_page', ['10', '25', '50', '100']));
		const pageText = /^[1-9]\d{0,8}$/.exec(queryValue(query, 'page') ?? '')?.[0];
		const number = settings.ignorePage ? 1 : Number(pageText ?? 1);
		const { total, rows } = resource.list(query, { limit: size, offset: (number - 1) * size });
		const page = { rows: rows.map((row) => shown(row, settings)), total, number, size };
		return json(200, wrap({ ...page, path: path() }, settings.envelope));
	});

	// The body says 200 even if the status line says 201 (assumption: create status).
	const answer = (status: number, row: Representation | undefined, settings: Settings) =>
		json(status, { data: shown(row, settings), status: 200 });

	const create = checked(
		{ form: knownFields.create },
		({ form }, settings) => answer(201, resource.create(form), settings),
		({ form }) => resource.check(form),
	);

	const update = checked(
		{ form: knownFields.update },
		({ id = 0, form }, settings) => answer(200, resource.update(id, form), settings),
		({ id, form }) => resource.check(form, id),
	);

	const read = checked({}, ({ id = 0 }, settings) => answer(200, resource.find(id), settings));

	const remove = checked({}, ({ id = 0 }) => {
		resource.remove(id);
		return json(200, { id, object: name, deleted: true, status: 200 });
	});

	const onAll: Record<string, Endpoint> = { GET: list, POST: create };
	const onOne: Record<string, Endpoint> = { GET: read, PUT: update, DELETE: remove };
	return (call, settings) => {
		const { id, method } = call;
		const endpoint = (id === undefined ? onAll : onOne)[method];
		if (!endpoint || (id !== undefined && !resource.find(id))) return notFound();
		const form = settings.renamesFields ? understood(call.form) : call.form;
		return endpoint({ ...call, form }, settings);
	};
}

/** Adds the names that the contract does not know, down to the parts of list elements. */
function addUnknownNames(problems: Problems, sent: Form, known: Known = new Map()): void {
	for (const [name, value] of Object.entries(sent)) {
		const parts = known.get(name);
		if (!parts) addProblem(problems, name, 'is unknown');
		if (!parts?.length || !isRecord(value)) continue;
		for (const [index, element] of Object.entries(value))
			for (const part of isRecord(element) ? Object.keys(element) : [])
				if (!parts.includes(part)) addProblem(problems, `${name}.${index}.${part}`, 'is unknown');
	}
}
