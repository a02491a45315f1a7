import type { Contestant } from './contestants.ts';
import type { Job } from './job.ts';
import type { Behaviour } from './service.ts';
import type { Target } from './targets.ts';

/** What all contestants do, and what is aimed at. */
export interface Scenario {
	name: string;
	/** How many rows it has; with several numbers it runs once with each. */
	sizes: number[];
	/** Number of the first row, 0 unless told. */
	first?: number;
	operation: Job['operation'];
	behaviour: Behaviour;
	/** Connections of the bare pool: as many as this package's node has. */
	concurrency: number;
	/** Measured runs of each contestant, taken in turns after one that does not count; one run means no such turn. */
	turns: number;
	/** Whether it is about what a row takes beside n8n itself. */
	isGrowth?: boolean;
	contestants: Contestant[];
	targets: Target[];
}
