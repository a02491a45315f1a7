import type { IDataObject } from 'n8n-workflow';
import { flagOf } from '../contract/readers';
import type { ResourceContract } from '../contract/resourceTypes';
import type { OperationHandler, Result } from './types';
import { update } from './update';

/** Returns a response to a write with the flag that was sent, if the response lacks it. */
export function withFlag(
	{ fields, disabledField }: ResourceContract,
	answer: IDataObject,
	disables: boolean,
): IDataObject {
	const key = fields.find(({ name }) => name === disabledField)?.wire.key;
	if (key === undefined || flagOf(answer[key]) !== null) return answer;
	return { ...answer, [key]: Number(disables) };
}

/** Returns an operation that disables or enables resources: an update of one field. */
export const switchDisabled =
	(outcome: 'disabled' | 'enabled'): OperationHandler =>
	(run) => {
		const { execute, plan, ...updating } = update(run);
		const outcomeOf = (result: Result) => (result.outcome === 'updated' ? outcome : result.outcome);
		return {
			...updating,
			execute: async (requests, row) => {
				const result = await execute(requests, row);
				const resources = result.resources.map((resource) =>
					withFlag(row.contract, resource, outcome === 'disabled'),
				);
				return { outcome: outcomeOf(result), resources, reportOutcome: true };
			},
			plan:
				plan &&
				(async (requests, row) => {
					const planned = await plan(requests, row);
					const shown = outcomeOf(planned);
					const resources = planned.resources.map((item) => ({ ...item, outcome: shown }));
					return { outcome: shown, resources };
				}),
		};
	};
