import type { IDataObject } from 'n8n-workflow';
import type { NodeResult } from './n8n.ts';
import { byId, type Run } from './service.ts';

/** Runs an operation of a node. */
type RunNode = (operation: string, run?: Run) => Promise<NodeResult>;

const noLimits = { maxRemovals: 1000, maxRemovalPercentage: 100 };

/**
 * Returns what runs an operation on a sheet with mapped columns, in domain 1, and with limits that let Sync remove all.
 *
 * @param options that hold unless a run has its own
 * @param limits of Sync that hold unless a run has its own
 */
export const sheetOn =
	(node: RunNode, options: IDataObject = {}, limits: IDataObject = noLimits) =>
	async (operation: string, items: IDataObject[], run: Run = {}): Promise<NodeResult> =>
		await node(operation, {
			...run,
			items,
			parameters: {
				mappingColumnMode: 'autoMapInputData',
				...(operation === 'sync' ? { syncScope: { domainId: byId(1) } } : { domainId: byId(1) }),
				...run.parameters,
				options: {
					...{ ...limits, mapPasswords: true, ...options },
					...(run.parameters?.options as IDataObject),
				},
			},
		});
