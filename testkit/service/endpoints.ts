import { invalid, json, notFound, redirect, type Answer } from './answers.ts';
import { wantsJson, type Call } from './call.ts';
import { addProblem, type Problems } from './checks.ts';
import { wrap } from './envelope.ts';
import { isRecord, nullEmpty, type Form } from './form.ts';
import { choice, queryValue } from './listing.ts';
import { renamed, understood } from './renamedFields.ts';
import { names, type Known, type Representation, type Resource } from './resource.ts';
import type { Settings } from './settings.ts';

/** Responds to a call to an endpoint. Throws if the service fails. */
export type Endpoint = (call: Call, settings: Settings) => Answer;

const nothing = names();

/** The five endpoints of a resource (contract 4); `path` is the address of its list. */
export function endpointsOf(resource: Resource, path: () => string) {
	const shown = (row: Representation | undefined, { renamesFields }: Settings) =>
		renamesFields && row && resource.name === 'link' ? renamed(row) : row;

	const list: Endpoint = (call, settings) => {
		const problems = settings.strict
			? unknownNames(call.query, resource.knownFields.list)
			: undefined;
		if (problems?.size) return refuse(call, problems, settings);
		const size = Number(choice(call.query, 'per_page', ['10', '25', '50', '100']));
		const pageText = /^[1-9]\d{0,8}$/.exec(queryValue(call.query, 'page') ?? '')?.[0];
		const number = settings.ignorePage ? 1 : Number(pageText ?? 1);
		const window = { limit: size, offset: (number - 1) * size };
		const { total, rows } = resource.list(call.query, window);
		const page = {
			...{ rows: rows.map((row) => shown(row, settings)), total },
			...{ number, size, path: path() },
		};
		return json(200, wrap(page, settings.envelope));
	};

	const create: Endpoint = (call, settings) => {
		const form = formOf(call, settings);
		const problems = resource.check(form);
		if (settings.strict) addUnknown(problems, call, resource.knownFields.create);
		if (problems.size > 0) return refuse(call, problems, settings);
		// The body says 200 although the status line says 201 (assumption: create status).
		return json(201, { data: shown(resource.create(form), settings), status: 200 });
	};

	const update = withId(resource, (id, call, settings) => {
		const form = formOf(call, settings);
		const problems = resource.check(form, id);
		if (settings.strict) addUnknown(problems, call, resource.knownFields.update);
		if (problems.size > 0) return refuse(call, problems, settings);
		return json(200, { data: shown(resource.update(id, form), settings), status: 200 });
	});

	const read = withId(resource, (id, call, settings) => {
		const problems = settings.strict ? unknownNames(call.query, nothing) : undefined;
		if (problems?.size) return refuse(call, problems, settings);
		return json(200, { data: shown(resource.find(id), settings), status: 200 });
	});

	const remove = withId(resource, (id, call, settings) => {
		const problems: Problems = new Map();
		if (settings.strict) addUnknown(problems, call, nothing);
		if (problems.size > 0) return refuse(call, problems, settings);
		resource.remove(id);
		return json(200, { id, object: resource.name, deleted: true, status: 200 });
	});

	return { list, create, read, update, remove };
}

/** An endpoint under an id that exists; any other id is not found. */
function withId(
	resource: Resource,
	answer: (id: number, call: Call, settings: Settings) => Answer,
): Endpoint {
	return (call, settings) => {
		const id = /^[1-9]\d{0,14}$/.test(call.id ?? '') ? Number(call.id) : 0;
		return resource.find(id) ? answer(id, call, settings) : notFound();
	};
}

/** Assumption: Accept. Without it a bad form sends the caller back to the site. */
function refuse(call: Call, problems: Problems, { errorShape }: Settings): Answer {
	return wantsJson(call) ? invalid(problems, errorShape) : redirect('/');
}

function formOf({ form }: Call, { renamesFields }: Settings): Form {
	const nulled = nullEmpty(form);
	const sent = isRecord(nulled) ? nulled : {};
	return renamesFields ? understood(sent) : sent;
}

/** Strict mode: a write has the contract's form fields and no query (contract 4.2, 4.3, 4.5, 4.6). */
function addUnknown(problems: Problems, call: Call, knownFields: Known): void {
	const unknown = [...unknownNames(call.form, knownFields), ...unknownNames(call.query, nothing)];
	for (const [field, messages] of unknown)
		problems.set(field, [...(problems.get(field) ?? []), ...messages]);
}

/** The names that the contract does not know, down to the parts of list elements. */
function unknownNames(sent: Form, knownFields: Known): Problems {
	const problems: Problems = new Map();
	for (const [name, value] of Object.entries(sent)) {
		const parts = knownFields.get(name);
		if (!parts) addProblem(problems, name, 'is unknown');
		if (!parts?.length || !isRecord(value)) continue;
		for (const [index, element] of Object.entries(value))
			for (const part of isRecord(element) ? Object.keys(element) : [])
				if (!parts.includes(part)) addProblem(problems, `${name}.${index}.${part}`, 'is unknown');
	}
	return problems;
}
