import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../contract/values';
import { digest, newSalt } from '../transport/digest';
import { fingerprint } from './packing';
import { storedObject, wholeNumber } from './stored';
import type { StoredWatch } from './types';

/** The name under which the state stands in the node's static data. */
const stateName = 'poll';

/** The form of the state. A state of another form begins anew. */
const version = 1;

/** What the node keeps between two polls. */
export interface PollState {
	/** Tells the events of this beginning from those of others. */
	readonly begun: string;
	/** Of the digests of what the watches watched. Undefined in a state of an earlier version, which stored fingerprints. */
	readonly salt?: string;
	/** How many polls have reported events. */
	readonly round: number;
	/** What the watches keep, by their names. */
	readonly watches: ReadonlyMap<string, KnownWatch>;
	/** Name of the watch at which the last poll came to its end too early. */
	readonly resumeAt?: string;
}

/** What a watch keeps, and a digest of what it watched: for other filters, or another account, it would mean nothing. */
export interface KnownWatch {
	readonly of: string;
	readonly stored: StoredWatch;
}

/** The state of a node that has never polled. Two beginnings differ, whatever the clock says. */
const newState = (): PollState => ({
	begun: Date.now().toString(36) + Math.floor(Math.random() * 36 ** 3).toString(36),
	salt: newSalt(),
	round: 0,
	watches: new Map(),
});

function read(stored: unknown): PollState {
	const { version: form, begun, salt, round, watches, resumeAt } = storedObject(stored);
	if (form !== version || typeof begun !== 'string') throw new SyntaxError('Another form');
	const known = Object.entries(storedObject(watches)).map(([name, watch]) => {
		const { of, ...kept } = storedObject(watch);
		return [name, { of: String(of), stored: kept as IDataObject }] as const;
	});
	return {
		begun,
		salt: typeof salt === 'string' ? salt : undefined,
		round: wholeNumber(round),
		watches: new Map(known),
		resumeAt: typeof resumeAt === 'string' ? resumeAt : undefined,
	};
}

/** The state in the node's static data. One that is broken, or of another version, begins anew instead of failing. */
export function readState(staticData: IDataObject): PollState {
	const stored = staticData[stateName];
	if (!isRecord(stored)) return newState();
	try {
		return read(stored);
	} catch {
		return newState();
	}
}

/** The account and the filters of a poll, and the key as an earlier version read it. */
interface Watched {
	readonly root: string;
	readonly apiKey: string;
	readonly pastedKey: string;
	readonly filters: readonly string[];
}

/**
 * Returns the digest of what is watched, and the state with it in place of the fingerprint that an earlier version stored. A
 * fingerprint has no salt, so that a guess of the key could be checked against it.
 */
export async function identify(
	state: PollState,
	{ root, apiKey, pastedKey, filters }: Watched,
): Promise<{ of: string; state: PollState }> {
	const { salt = newSalt() } = state;
	const of = await digest(salt, [root, apiKey, ...filters]);
	if (state.salt !== undefined) return { of, state };
	const old = fingerprint([root, pastedKey, ...filters].join('\n'), 10);
	const watches = [...state.watches].map(
		([name, watch]) => [name, watch.of === old ? { ...watch, of } : watch] as const,
	);
	return { of, state: { ...state, salt, watches: new Map(watches) } };
}

/** Replaces the state in one step. */
export function writeState(staticData: IDataObject, state: PollState): void {
	const { begun, salt, round, watches, resumeAt } = state;
	const kept = [...watches].map(([name, { of, stored }]) => [name, { of, ...stored }] as const);
	staticData[stateName] = {
		version,
		begun,
		salt,
		round,
		watches: Object.fromEntries(kept),
		...(resumeAt === undefined ? {} : { resumeAt }),
	};
}

/** The name under which it stands that the last poll failed. */
const failureName = 'failing';

/**
 * Notes whether the service fails. n8n keeps what a failing poll notes in its classic engine, so that only the first one of an
 * outage is news, and drops it in the durable one, where every failing poll is to fail.
 *
 * @returns whether it fails since now
 */
export function noteFailure(staticData: IDataObject, isFailing: boolean): boolean {
	const isKnown = staticData[failureName] === true;
	if (isFailing) staticData[failureName] = true;
	else if (isKnown) delete staticData[failureName];
	return isFailing && !isKnown;
}
