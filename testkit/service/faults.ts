import { seededRandom } from '../clock/virtualClock.ts';
import type { Disturbance, Fault } from './settings.ts';

/** What the faults do to one request. */
export interface Ordeal {
	/** Added up over all matching latency faults. */
	milliseconds: number;
	/** The first matching fault of any other kind. */
	disturbance?: Disturbance;
}

/**
 * Decides which faults hit a request, and counts for each fault the requests it saw and hit. A fault sees every
 * matching request, also one that an earlier fault hits, so `skip` counts requests as their sender does.
 */
export class FaultPlan {
	#counts = new WeakMap<Fault, { seen: number; hits: number; random: () => number }>();

	/** Takes the live faults, the method, and the path without query. Counts: ask once per request. */
	choose(faults: readonly Fault[], method: string, path: string): Ordeal {
		const ordeal: Ordeal = { milliseconds: 0 };
		for (const fault of faults.filter(({ on }) => matches(on, method, path))) {
			const { effect } = fault;
			// Neither a later disturbance nor its `times` is spent on a request that has one already.
			const free = effect.kind === 'latency' || !ordeal.disturbance;
			if (!this.#hits(fault, free)) continue;
			if (effect.kind === 'latency') ordeal.milliseconds += effect.milliseconds;
			else ordeal.disturbance = effect;
		}
		return ordeal;
	}

	#hits(fault: Fault, free: boolean): boolean {
		const counts = this.#counts.get(fault) ?? { seen: 0, hits: 0, random: seededRandom(0) };
		this.#counts.set(fault, counts);
		counts.seen += 1;
		if (counts.seen <= (fault.skip ?? 0)) return false;
		// Drawn for each request, so that a share hits the same requests on every run.
		const isChosen = counts.random() < (fault.share ?? 1);
		if (!isChosen || !free || counts.hits >= (fault.times ?? Infinity)) return false;
		counts.hits += 1;
		return true;
	}
}

function matches(on: Fault['on'], method: string, path: string): boolean {
	if (on?.method !== undefined && on.method.toUpperCase() !== method) return false;
	if (on?.path === undefined) return true;
	// `search`, unlike `test`, has no memory with a global expression.
	return typeof on.path === 'string' ? path.includes(on.path) : path.search(on.path) >= 0;
}
