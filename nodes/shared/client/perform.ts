import type { IDataObject } from 'n8n-workflow';
import { pairsOf, type Merge, type PlannedRequest } from '../contract/plan';
import type { Task } from '../contract/types';
import { create } from './creation';
import { list } from './list';
import { agrees, find, located } from './lookup';
import { merged } from './merge';
import { ServiceError, settled } from './serviceError';
import type { Requester } from './session';
import { resourceIn, unwrap } from './unwrap';

/** What a row did at the service. */
export type Deed = 'created' | 'deleted' | 'missing' | 'read' | 'unchanged' | 'updated';

export interface Done {
	readonly found: readonly IDataObject[];
	readonly deed: Deed;
	/** The deed as the output tells it, where the operation leaves open which one it will be. */
	readonly told?: Deed;
}

type Perform = (requester: Requester, plan: PlannedRequest) => Promise<Done>;

async function change(requester: Requester, plan: PlannedRequest): Promise<IDataObject> {
	const resource = unwrap(await requester.request(plan), plan);
	if (resource instanceof ServiceError) throw resource;
	return resource;
}

/** Adds to a list of the resource or removes from it. Rows that touch the same one take turns, so none undoes another. */
const merging = async (requester: Requester, plan: PlannedRequest, merge: Merge): Promise<Done> => {
	const read = { ...plan, method: 'GET' as const, pairs: [] };
	const resource = await change(requester, read);
	const changed = merged(plan, merge, resource);
	return changed.pairs.length === 0
		? { found: [resource], deed: 'unchanged' }
		: { found: [await change(requester, changed)], deed: 'updated' };
};

const one: Perform = async (requester, plan) => {
	const target = await located(requester, plan);
	const { merge, method, path } = target;
	const mergeable = merge ?? target.fields.find(({ field }) => field.wire.merge);
	const carryOut = async (): Promise<Done> =>
		merge
			? await merging(requester, target, merge)
			: { found: [await change(requester, target)], deed: method === 'GET' ? 'read' : 'updated' };
	return mergeable && method === 'PUT'
		? await requester.session.inTurn(path, carryOut)
		: await carryOut();
};

const creation: Perform = async (requester, plan) => ({
	found: [await create(requester, plan)],
	deed: 'created',
});

const deleted = (id: IDataObject[string], deed: Deed): Done => ({
	found: [{ id, deleted: deed === 'deleted' }],
	deed,
});

/** The service confirms with an object of its own or with an empty body (assumption: delete answer). */
const deletion: Perform = async (requester, plan) => {
	let target = plan;
	let repeated = false;
	const request = async () => {
		target = await located(requester, plan);
		return await requester.request(target, () => {
			repeated = true;
		});
	};
	const body = await settled(request());
	if (!(body instanceof ServiceError)) return deleted(resourceIn(body)?.id ?? target.id, 'deleted');
	if (body.failure.statusCode !== 404) throw body;
	// Gone at the second try: the first one was carried out, and only its answer was lost.
	if (repeated) return deleted(target.id, 'deleted');
	if (requester.session.options.ignoreMissing) {
		return deleted(target.id ?? target.address?.text, 'missing');
	}
	throw body;
};

const ambiguous = (plan: PlannedRequest, count: number) =>
	new ServiceError({
		cause: 'refused',
		message: `${count} matches were found by ${plan.key.searchBy}, so it is not clear which one to update`,
		advice: 'Nothing was sent. Set the domain as well, or use Update with the ID.',
	});

const upsert: Perform = async (requester, plan) => {
	const [existing, ...others] = await find(requester, plan);
	if (others.length > 0) throw ambiguous(plan, others.length + 1);
	if (!existing) return await creation(requester, plan);
	const different = plan.fields.filter(
		(field) => !plan.key.identity.includes(field.field.wire.key) && !agrees(field, existing),
	);
	if (different.length === 0) return { found: [existing], deed: 'unchanged' };
	const path = `${plan.path}/${encodeURIComponent(String(existing.id))}`;
	const changed = { ...plan, method: 'PUT' as const, path, pairs: different.flatMap(pairsOf) };
	return { found: [await change(requester, changed)], deed: 'updated' };
};

const performers: Readonly<Record<Task, Perform>> = {
	creation,
	deletion,
	list: async (requester, plan) => ({ found: await list(requester, plan), deed: 'read' }),
	one,
	upsert: async (requester, plan) => {
		const done = await upsert(requester, plan);
		return { ...done, told: done.deed };
	},
};

/**
 * Carries out a planned request and returns what it yields: one resource, the resources of a list, or
 * `{ id, deleted: true }`, and what became of the resource.
 *
 * @throws ServiceError, the only error of its own; what the clock rejects with goes through
 */
export const perform: Perform = async (requester, plan) =>
	await performers[plan.task](requester, plan);
