import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../../shared/contract/values';
import { digest, newSalt } from '../../shared/transport/secrets';
import type { StoredDetector } from '../detectors/detector';
import { storedLink, type KnownLink } from './knownLinks';
import { storedNumber, storedObject, storedText } from './storedValues';

/** The key of the state in the node's static data. */
const stateName = 'poll';

/** The version of the state. A state of another version starts over. */
const version = 2;

/** The state that the node stores between two polls. */
export interface PollState {
	/** Distinguishes the events of this state from the events before it started over. */
	readonly startId: string;
	/** Salt of the digests. */
	readonly salt: string;
	/** Digest of the address and the filters. The state is valid only for these. */
	readonly scope?: string;
	/** Digest of the API key. */
	readonly key?: string;
	/** Some links that the last poll read. A new key that can read them belongs to the same account. */
	readonly knownLinks: readonly KnownLink[];
	/** Number of polls that have reported events. */
	readonly round: number;
	/** The states of the detectors by name. */
	readonly detectors: ReadonlyMap<string, StoredDetector>;
	/** Name of the detector at which the last poll stopped early. */
	readonly resumeAt?: string;
	/** Fingerprint of the warning that the node has reported last, while it applies. */
	readonly warned?: string;
}

/** Returns the state of a node that has never polled. It differs each time, regardless of the clock. */
const newState = (): PollState => ({
	startId: Date.now().toString(36) + Math.floor(Math.random() * 36 ** 3).toString(36),
	salt: newSalt(),
	knownLinks: [],
	round: 0,
	detectors: new Map(),
});

function storedState(value: unknown): PollState {
	const { version: form, resumeAt, warned, ...stored } = storedObject(value);
	if (form !== version) throw new SyntaxError('A state of another version');
	if (!Array.isArray(stored.knownLinks)) throw new SyntaxError('Not a list of links');
	const detectors = Object.entries(storedObject(stored.detectors)).map(
		// Decoded JSON, so a record is a data object.
		([name, state]) => [name, storedObject(state) as IDataObject] as const,
	);
	return {
		startId: storedText(stored.startId),
		salt: storedText(stored.salt),
		scope: storedText(stored.scope),
		key: storedText(stored.key),
		knownLinks: stored.knownLinks.slice(0, 3).map(storedLink),
		round: storedNumber(stored.round),
		detectors: new Map(detectors),
		resumeAt: typeof resumeAt === 'string' ? resumeAt : undefined,
		warned: typeof warned === 'string' ? warned : undefined,
	};
}

/** Returns the state in the node's static data, or a new one if it is broken or of another version. */
export function readState(staticData: IDataObject): PollState {
	const stored = staticData[stateName];
	if (!isRecord(stored)) return newState();
	try {
		return storedState(stored);
	} catch {
		return newState();
	}
}

/** Replaces the state in one step. */
export function writeState(staticData: IDataObject, state: PollState): void {
	const { knownLinks, detectors, resumeAt, warned, ...rest } = state;
	staticData[stateName] = {
		version,
		...rest,
		knownLinks: knownLinks.map((link) => ({ ...link })),
		detectors: Object.fromEntries(detectors),
		...(resumeAt === undefined ? {} : { resumeAt }),
		...(warned === undefined ? {} : { warned }),
	};
}

/**
 * Returns the state for an address, a key and filters: a new state for another address or other filters. With another key of
 * the same account the state continues, so that no event is lost when the user replaces the key.
 *
 * @param filters the filters of the node as texts
 * @param knows returns whether the key reads one of some links
 */
export async function stateFor(
	state: PollState,
	{
		root,
		apiKey,
		filters,
	}: { readonly root: string; readonly apiKey: string; readonly filters: readonly string[] },
	knows: (links: readonly KnownLink[]) => Promise<boolean>,
): Promise<PollState> {
	const { salt } = state;
	const scope = await digest(salt, [root, ...filters]);
	const key = await digest(salt, [root, apiKey]);
	const isKnown = state.scope === scope && (state.key === key || (await knows(state.knownLinks)));
	const fresh = {
		knownLinks: [],
		detectors: new Map<string, never>(),
		resumeAt: undefined,
		warned: undefined,
	};
	return { ...state, ...(isKnown ? {} : fresh), scope, key };
}

/** The key in the static data for the failure of the last poll. */
const failureName = 'failing';

/** Returns whether the last poll failed, in n8n's classic engine. */
export const hasFailed = (staticData: IDataObject): boolean => staticData[failureName] === true;

/**
 * Stores whether the service fails. n8n's classic engine saves the static data of a failing poll, so that only the first failing
 * poll of an outage is reported. The durable engine discards it, so that each failing poll fails.
 *
 * @returns whether this poll is the first to fail
 */
export function noteFailure(staticData: IDataObject, isFailing: boolean): boolean {
	const wasFailing = hasFailed(staticData);
	if (isFailing) staticData[failureName] = true;
	else if (wasFailing) delete staticData[failureName];
	return isFailing && !wasFailing;
}
