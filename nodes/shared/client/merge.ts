import type { IDataObject } from 'n8n-workflow';
import { pairsOf, type Merge, type PlannedRequest } from '../contract/plan';
import { Invalid, type WireValue } from '../contract/types';
import { ServiceError } from './serviceError';

const unreadable = ({ field }: Merge) =>
	new ServiceError({
		cause: 'refused',
		message: `The service does not tell which ${field.wire.key} the resource has, so none can be added or removed`,
		advice: `Nothing was changed. Set ${field.wire.merge?.displayName ?? 'the mode'} to Replace, and give all values that it shall have.`,
	});

/** The values that a resource has of a field. */
function heldOf(merge: Merge, resource: IDataObject): readonly WireValue[] {
	const { wire } = merge.field;
	const held = wire.held?.(resource);
	const encoded = Array.isArray(held) ? wire.codec(held, merge.field) : undefined;
	if (encoded === undefined || encoded instanceof Invalid) throw unreadable(merge);
	return encoded;
}

/**
 * A plan that sends the whole list: what the resource has, with the row's values added or removed. Where that changes
 * nothing, the list is left out.
 *
 * @param resource as the service just described it
 * @throws ServiceError where it does not tell what it has
 */
export function merged(plan: PlannedRequest, merge: Merge, resource: IDataObject): PlannedRequest {
	const held = heldOf(merge, resource);
	const named = new Set(merge.values.map(([, text]) => text));
	const kept = held.filter(([, text]) => !named.has(text));
	const values =
		merge.mode === 'remove'
			? kept
			: [...held, ...merge.values.filter(([, text]) => !held.some(([, has]) => has === text))];
	if (values.length === held.length) return plan;
	const { field } = merge;
	const encoded = { field, values: values.length > 0 ? values : (field.wire.empty ?? []) };
	return { ...plan, pairs: [...plan.pairs, ...pairsOf(encoded)] };
}
