import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../contract/values';
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
	/** How many polls have reported events. */
	readonly round: number;
	/** What the watches keep, by their names. */
	readonly watches: ReadonlyMap<string, KnownWatch>;
	/** Name of the watch at which the last poll came to its end too early. */
	readonly resumeAt?: string;
}

/** What a watch keeps, and what it watched: for other filters, or another account, it would mean nothing. */
export interface KnownWatch {
	readonly of: string;
	readonly stored: StoredWatch;
}

/** The state of a node that has never polled. Two beginnings differ, whatever the clock says. */
const newState = (): PollState => ({
	begun: Date.now().toString(36) + Math.floor(Math.random() * 36 ** 3).toString(36),
	round: 0,
	watches: new Map(),
});

function read(stored: unknown): PollState {
	const { version: form, begun, round, watches, resumeAt } = storedObject(stored);
	if (form !== version || typeof begun !== 'string') throw new SyntaxError('Another form');
	const known = Object.entries(storedObject(watches)).map(([name, watch]) => {
		const { of, ...kept } = storedObject(watch);
		return [name, { of: String(of), stored: kept as IDataObject }] as const;
	});
	return {
		begun,
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

/** Replaces the state in one step. */
export function writeState(staticData: IDataObject, state: PollState): void {
	const { begun, round, watches, resumeAt } = state;
	const kept = [...watches].map(([name, { of, stored }]) => [name, { of, ...stored }] as const);
	staticData[stateName] = {
		version,
		begun,
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
