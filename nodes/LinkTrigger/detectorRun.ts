import { isRecord } from '../shared/contract/values';
import { rejection, ServiceError, type Failure } from '../shared/transport/failures';
import {
	allLinks,
	ListDetector,
	type DetectorContext,
	type DetectorDefinition,
	type PollingDetector,
	type Stored,
} from './detectors/detector';
import { knownLinksIn, type PollState } from './pollState';
import { OutOfRequests, type PollReader } from './reader';
import { ListScan } from './scan';

/** Returns whether a failure is about the service as a whole, so that no other request would succeed. */
const isOutage = ({ cause, statusCode = 0, isRunLevel }: Failure): boolean =>
	isRunLevel === true ||
	['connectFailed', 'maintenance'].includes(cause) ||
	[401, 403].includes(statusCode);

/** Returns an exception that an unexpected response caused as a failure. */
const failureOf = (error: unknown): Failure =>
	rejection(
		`The node cannot read a response of the service (${String(error)})`,
		'Check Base URL in the credential. The address may belong to another kind or version of service.',
	).failure;

/** Polls with a detector. Returns why it stopped early, if it did. Events that it found before still count. */
async function pollWith(detector: PollingDetector, reader: PollReader) {
	try {
		return await detector.poll(reader);
	} catch (error) {
		if (error instanceof OutOfRequests) return 'outOfTime';
		// An error of one list must not stop the events of the others.
		if (!(error instanceof ServiceError)) return failureOf(error);
		const { cause } = error.failure;
		return cause === 'rateLimited' || cause === 'ended' ? 'outOfTime' : error.failure;
	}
}

/** Returns the states of detectors. Most detectors of a list know the same links, so that the state has their IDs once. */
function storedParts(detectors: ReadonlyArray<[string, PollingDetector | ListDetector]>) {
	const names = new Map<unknown, string>();
	const parts = detectors.map(([name, detector]) => {
		const part = detector.store();
		const sameAs = part.ids ? names.get(part.ids) : undefined;
		names.set(part.ids, sameAs ?? name);
		return [name, sameAs === undefined ? part : { ...part, ids: { sameAs } }] as const;
	});
	return Object.fromEntries(parts);
}

/** Continues from the stored state of a part. A broken state starts over. */
function continued<T>(parts: PollState['parts'], name: string, create: (stored: Stored) => T): T {
	try {
		const stored = parts[name];
		const { ids } = stored ?? {};
		return create(isRecord(ids) ? { ...stored, ids: parts[String(ids.sameAs)]?.ids } : stored);
	} catch {
		return create(undefined);
	}
}

/**
 * Returns the detectors of lists, and those with requests of their own together with the scans of the lists, by the names of
 * their states.
 */
function createDetectors(
	definitions: ReadonlySet<DetectorDefinition>,
	context: DetectorContext,
	{ parts }: PollState,
) {
	const polling = new Map<string, PollingDetector>();
	const lists = new Map<string, ListDetector>();
	for (const { name, create } of definitions) {
		const detector = continued(parts, name, (stored) => create(context, stored));
		if (detector instanceof ListDetector) lists.set(name, detector);
		else polling.set(name, detector);
	}
	const scanned = new Set([...lists.values()].map(({ list }) => list));
	// The list of all links comes last, because it takes most requests.
	if (scanned.delete(allLinks)) scanned.add(allLinks);
	for (const list of scanned) {
		// Link Deleted reads the links that a list lacks, before Link Clicked forgets them.
		const detectors = [...lists.values()].filter((detector) => detector.list === list).reverse();
		const create = (stored: Stored) => new ListScan(list, detectors, context.params, stored);
		polling.set(list.name, continued(parts, list.name, create));
	}
	return { lists, polling };
}

/**
 * Polls with all detectors of the selected events, until the poll reaches its max number of requests or a rate limit. The next
 * poll continues with the detector at which it stopped.
 *
 * @returns the new state, the first failure, and whether a detector has sent requests and read all that it needed
 */
export async function runDetectors(
	definitions: ReadonlySet<DetectorDefinition>,
	context: DetectorContext,
	state: PollState,
	reader: PollReader,
) {
	const { lists, polling } = createDetectors(definitions, context, state);
	let { knownLinks } = state;
	reader.onRead = ({ ids, items }, applied) => {
		const three = knownLinksIn(ids, items);
		// A link that was read alone does not replace three links.
		if (three.length > 1 || knownLinks.length === 0) knownLinks = three;
		const isFiltered = context.params.every(([name]) => applied.some(([other]) => other === name));
		items.forEach((link, index) => {
			if (!(context.fits(link) ?? isFiltered)) return;
			for (const detector of lists.values()) detector.observe(link, ids[index] ?? 0);
		});
	};
	const start = Math.max(0, [...polling.keys()].indexOf(state.resumeAt));
	const order = [...[...polling].slice(start), ...[...polling].slice(0, start)];
	let [resumeAt, failure, hasLearned] = ['', undefined as Failure | undefined, false];
	for (const [index, [, detector]] of order.entries()) {
		const { remaining } = reader;
		const problem = await pollWith(detector, reader);
		if (problem === undefined) hasLearned ||= reader.remaining < remaining;
		// If one detector needs more requests than a poll has, the others get every second poll.
		else if (problem === 'outOfTime') resumeAt = order[Math.max(1, index)]?.[0] ?? '';
		else failure ??= problem;
		if (problem === 'outOfTime' || (problem && isOutage(problem))) break;
	}
	failure ??= [...lists.values()].map(({ warning }) => warning).find(Boolean);
	const parts = storedParts([...polling, ...lists]);
	return { failure, hasLearned, state: { ...state, knownLinks, resumeAt, parts } };
}
