import { nodeOptions } from '../../nodes/shared/description/nodeOptions';
import type { RunSettings } from '../../nodes/shared/operations/types';

/** Values of the options that only some operations have. */
export interface SettingValues {
	readonly ignoreMissing?: boolean;
	readonly maxRemovals?: number;
	readonly maxRemovalPercentage?: number;
}

/** Returns the settings of a run, with the defaults of the node. */
export const runSettings = ({
	ignoreMissing = false,
	maxRemovals = 50,
	maxRemovalPercentage = 50,
}: SettingValues = {}): RunSettings => ({
	ignoreMissing: { label: nodeOptions.ignoreMissing.displayName, value: ignoreMissing },
	maxRemovals: { label: nodeOptions.maxRemovals.displayName, value: maxRemovals },
	maxRemovalPercentage: {
		label: nodeOptions.maxRemovalPercentage.displayName,
		value: maxRemovalPercentage,
	},
});
