import type { IDataObject } from 'n8n-workflow';
import type {
	Detector,
	DetectorContext,
	DetectorDefinition,
	StoredDetector,
} from '../detectors/detector';
import type { ApiClient } from '../../shared/transport/client';
import { ServiceError, type Failure } from '../../shared/transport/failures';
import { FullScan } from './fullScan';
import { idNumber } from './idList';
import { OutOfRequests, PollRequests } from './pollRequests';
import { knownLinksIn, withKnownLink, type KnownLink } from './knownLinks';
import type { PollState } from './storedState';

/** Max number of requests of the first poll, during which n8n activates the workflow, and of each other poll. */
const maxPollRequests = { first: 5, other: 150 };

/** Max number of characters of the states of the detectors as JSON, up to which they include what is optional: under 500 kB. */
const maxStateLength = 498_000;

const fullScanName = 'fullScan';

/** Returns whether a failure is about the service as a whole, so that no other request would succeed. */
const isOutage = ({ cause, statusCode, isRunLevel }: Failure): boolean =>
	isRunLevel === true ||
	cause === 'connectFailed' ||
	cause === 'maintenance' ||
	statusCode === 401 ||
	statusCode === 403;

/** Returns an exception that an unexpected response caused as a failure. */
const failureOf = (error: unknown): Failure => ({
	cause: 'rejected',
	message: `The node cannot read a response of the service (${error instanceof Error ? error.message : String(error)})`,
	advice:
		'Check Base URL in the credential. The address may belong to another kind or version of service.',
});

/** Polls with a detector. Returns how the poll ended. Events that the detector found before still count. */
async function pollWith(
	detector: Detector,
	requests: PollRequests,
): Promise<Failure | 'done' | 'outOfTime'> {
	try {
		await detector.poll?.(requests);
		return 'done';
	} catch (error) {
		if (error instanceof OutOfRequests) return 'outOfTime';
		// An error of one list must not stop the events of the others.
		if (!(error instanceof ServiceError)) return failureOf(error);
		const { cause } = error.failure;
		return cause === 'rateLimited' || cause === 'ended' ? 'outOfTime' : error.failure;
	}
}

/** The detectors of the selected events in one poll. */
export class DetectorRun {
	private readonly context: DetectorContext;

	/** The detectors by name, in the order of the table of events. The full scan comes last. */
	private readonly detectors: ReadonlyMap<string, Detector>;

	/** Name of the detector at which a poll stopped early. */
	private resumeAt?: string;

	private readonly maxRequests: number;

	private knownLinks: readonly KnownLink[];

	/** Whether a detector has sent requests and read all that it needed. */
	hasLearned = false;

	constructor(
		definitions: Iterable<DetectorDefinition>,
		context: DetectorContext,
		{ detectors: stored, resumeAt, knownLinks }: PollState,
	) {
		this.context = context;
		this.knownLinks = knownLinks;
		this.resumeAt = resumeAt;
		const create = <T extends Detector>(
			name: string,
			createFrom: (state: StoredDetector | undefined) => T,
		): [string, T] => {
			try {
				return [name, createFrom(stored.get(name))];
			} catch {
				// A broken state starts over. Reading it throws a SyntaxError.
				return [name, createFrom(undefined)];
			}
		};
		const selected = [...definitions].map((definition) =>
			create(definition.name, (state) => definition.create(context, state)),
		);
		const scanning = selected.map(([, detector]) => detector).filter(({ scan }) => scan);
		const fullScan = create(fullScanName, (state) => new FullScan(context, scanning, state));
		this.detectors = new Map<string, Detector>(
			scanning.length > 0 ? [...selected, fullScan] : selected,
		);
		const isFirst = selected.every(([name]) => !stored.has(name));
		this.maxRequests = isFirst ? maxPollRequests.first : maxPollRequests.other;
	}

	/** The first problem of a detector that the user must solve. */
	get warning(): Failure | undefined {
		return [...this.detectors.values()].map(({ warning }) => warning).find(Boolean);
	}

	/** Returns the state of all detectors, and where the next poll continues. */
	store(): Pick<PollState, 'detectors' | 'knownLinks' | 'resumeAt'> {
		const { knownLinks, resumeAt } = this;
		const states = new Map<string, StoredDetector>();
		for (const [name, detector] of this.detectors) states.set(name, detector.store());
		let room = maxStateLength - JSON.stringify(Object.fromEntries(states)).length;
		for (const [name, detector] of this.detectors) {
			const optional = detector.storeOptional?.(room) ?? {};
			room -= JSON.stringify(optional).length;
			states.set(name, { ...states.get(name), ...optional });
		}
		return { detectors: states, knownLinks, resumeAt };
	}

	/**
	 * Polls with all detectors, until the poll reaches its max number of requests or a rate limit.
	 *
	 * @returns the first failure
	 */
	async poll(client: ApiClient): Promise<Failure | undefined> {
		const { params } = this.context;
		const onRead = (links: readonly IDataObject[], isFiltered: boolean) => {
			for (const link of links) this.observe(link, isFiltered);
			const [link] = links;
			if (links.length > 1) this.knownLinks = knownLinksIn(links);
			else if (link) this.knownLinks = withKnownLink(this.knownLinks, link);
		};
		const requests = new PollRequests(client, this.maxRequests, onRead, params);
		const detectors = this.fromResumed();
		this.resumeAt = undefined;
		let failure: Failure | undefined;
		for (const [name, detector] of detectors) {
			const { remaining: remaining } = requests;
			const ending = await pollWith(detector, requests);
			if (ending === 'done') {
				this.hasLearned ||= requests.remaining < remaining;
				continue;
			}
			// If one detector needs more requests than a poll has, the other detectors get every second poll.
			if (ending === 'outOfTime') {
				this.resumeAt = name === detectors[0]?.[0] ? detectors[1]?.[0] : name;
			} else failure ??= ending;
			if (ending === 'outOfTime' || isOutage(ending)) break;
		}
		return failure;
	}

	/** Passes a link that was read to all detectors, if it matches the filters of the node. */
	private observe(link: IDataObject, isFiltered: boolean): void {
		if (!(this.context.fits(link) ?? isFiltered)) return;
		const id = idNumber(link);
		for (const detector of this.detectors.values()) detector.observe?.(link, id);
	}

	/** Returns the detectors in their order, starting with the detector at which the last poll stopped. */
	private fromResumed(): Array<[string, Detector]> {
		const all = [...this.detectors];
		const first = Math.max(
			0,
			all.findIndex(([name]) => name === this.resumeAt),
		);
		return [...all.slice(first), ...all.slice(0, first)];
	}
}
