import { join } from 'node:path';
import type { RunningService, Settings } from '../testkit/service/index.ts';

export const projectRoot = join(import.meta.dirname, '..');
export const apiKey = 'bench-key-0123456789';

/** How the service is to behave. */
export type Behavior = Pick<Partial<Settings>, 'throttle' | 'faults'>;

/** Makes a service behave so, with an empty journal and new throttle windows; without links unless they are to stay. */
export function prepareService(
	service: RunningService,
	behavior: Behavior,
	links: 'cleared' | 'kept',
): void {
	if (links === 'cleared') service.clear();
	service.requests.length = 0;
	service.set({ throttle: null, faults: [], ...behavior });
}

/** Returns the number of API requests since the service was prepared, and how many of them were answered with 429. */
export function trafficOf({ requests }: RunningService): { requests: number; refused: number } {
	const refused = requests.filter(({ status }) => status === 429).length;
	return { requests: requests.length, refused };
}
