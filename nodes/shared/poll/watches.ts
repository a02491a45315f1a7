import type { IDataObject } from 'n8n-workflow';
import type { ApiClient } from '../transport/client';
import { ServiceError, type Failure } from '../transport/serviceError';
import { idNumber } from './idList';
import { OutOfRequests, Reading } from './reading';
import { Rolling } from './rolling';
import type { KnownWatch, PollState } from './state';
import type { StoredWatch, TriggerContract, Watch, WatchContext } from './types';

/** So many requests a poll makes at most: the first one, by which a workflow is activated, and each other one. */
const mostRequests = { first: 5, other: 150 };

/** The name of the rolling read among the watches. */
const rollingName = 'rolling';

/** Whether a failure is about the service as a whole, so that no other request would do better. */
const isOutage = ({ cause, statusCode, isRunLevel }: Failure): boolean =>
	isRunLevel === true ||
	cause === 'connectFailed' ||
	cause === 'maintenance' ||
	statusCode === 401 ||
	statusCode === 403;

/** What ended the look of a watch. */
type Ending = 'done' | 'outOfTime' | Failure;

/** Returns an error that is not our own as a failure. */
const failureOf = (error: unknown): Failure => ({
	cause: 'rejected',
	message: `An answer of the service cannot be read (${error instanceof Error ? error.message : String(error)})`,
	advice: 'Check Base URL in the credential; the service may be of another kind or version.',
});

/** Lets a watch look. What it has found before it was ended counts. */
async function lookWith(watch: Watch, reading: Reading): Promise<Ending> {
	const looking = watch.look?.(reading) ?? Promise.resolve();
	const error = await looking.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	if (error === undefined) return 'done';
	if (error instanceof OutOfRequests) return 'outOfTime';
	// An error of one list must not stop the events of the others.
	if (!(error instanceof ServiceError)) return failureOf(error);
	const { cause } = error.failure;
	return cause === 'rateLimited' || cause === 'ended' ? 'outOfTime' : error.failure;
}

/** The watches that the node's events need, each begun where it left off. */
export class Watches {
	private readonly context: WatchContext;

	private readonly watches: ReadonlyMap<string, Watch>;

	/** What is watched: for other filters, or another account, what was stored would mean nothing. */
	private readonly of: string;

	/** Name of the watch at which a poll came to its end too early. */
	private resumeAt?: string;

	private readonly most: number;

	/** Whether a watch has made requests and could read all that it wanted. */
	hasLearned = false;

	constructor(trigger: TriggerContract, context: WatchContext, of: string, state: PollState) {
		this.context = context;
		this.of = of;
		this.resumeAt = state.resumeAt;
		const begin = <T extends Watch>(
			name: string,
			beginWith: (stored: StoredWatch | undefined) => T,
		): [string, T] => {
			const known = state.watches.get(name);
			try {
				return [name, beginWith(known?.of === of ? known.stored : undefined)];
			} catch {
				// What was stored is broken.
				return [name, beginWith(undefined)];
			}
		};
		const watches = trigger.watches
			.filter(({ events }) => events.some((event) => context.events.has(event)))
			.map((spec) => begin(spec.name, (stored) => spec.begin(context, stored)));
		const parts = watches.flatMap(([, watch]) => watch.rolling ?? []);
		const rolling = begin(rollingName, (stored) => new Rolling(context, parts, stored));
		this.watches = new Map<string, Watch>(parts.length > 0 ? [...watches, rolling] : watches);
		const isFirst = watches.every(([name]) => state.watches.get(name)?.of !== of);
		this.most = isFirst ? mostRequests.first : mostRequests.other;
	}

	/** What all watches keep, and where the next poll goes on. */
	store(): Pick<PollState, 'resumeAt' | 'watches'> {
		const { of, resumeAt } = this;
		const kept = [...this.watches].map(([name, watch]): [string, KnownWatch] => [
			name,
			{ of, stored: watch.store() },
		]);
		return { watches: new Map(kept), resumeAt };
	}

	/**
	 * Lets all watches look, until the poll has made the requests that it may, or meets a limit.
	 *
	 * @returns the first failure
	 */
	async look(client: ApiClient): Promise<Failure | undefined> {
		const reading = new Reading(client, this.context.contract, this.most, (resources) =>
			resources.forEach((resource) => this.see(resource)),
		);
		const watches = this.inTurn();
		this.resumeAt = undefined;
		let failure: Failure | undefined;
		for (const [name, watch] of watches) {
			const { left } = reading;
			const ending = await lookWith(watch, reading);
			if (ending === 'done') {
				this.hasLearned ||= reading.left < left;
				continue;
			}
			// One that alone takes more than a poll lets the others have every other one.
			if (ending === 'outOfTime') this.resumeAt = name === watches[0]?.[0] ? watches[1]?.[0] : name;
			else failure ??= ending;
			if (ending === 'outOfTime' || isOutage(ending)) break;
		}
		return failure;
	}

	/** Shows a resource that was read to all watches. */
	private see(resource: IDataObject): void {
		if (this.context.fits(resource) === false) return;
		const id = idNumber(resource);
		for (const watch of this.watches.values()) watch.see?.(resource, id);
	}

	/** The watches in their order, beginning with the one at which the last poll came to its end. */
	private inTurn(): Array<[string, Watch]> {
		const all = [...this.watches];
		const first = Math.max(
			0,
			all.findIndex(([name]) => name === this.resumeAt),
		);
		return [...all.slice(first), ...all.slice(0, first)];
	}
}
