import type { IDataObject } from 'n8n-workflow';
import { isRecord } from '../shared/contract/values';
import type { Account } from '../shared/transport/account';
import { digest } from '../shared/transport/secrets';
import type { PollReader } from './reader';

/** The key of the state in the node's static data. */
export const stateName = 'poll';

/** The start of a state. A stored state has values of the same types, and the same version. */
const newState = {
	version: 4,
	/** Distinguishes the events of this state from the events before it started over. */
	startId: '',
	/** Salt of the digests. */
	salt: '',
	/** Digests of the address and the filters, and of the API key. The state is valid only for these. */
	scope: '',
	key: '',
	/** Number of polls that have reported events. */
	round: 0,
	/** Up to three links of the account. A new key that can read one of them belongs to the same account. */
	knownLinks: new Array<{ readonly id: number; readonly createdAt: string }>(),
	/** The states of the detectors, and the positions of the scans, by name. */
	parts: {} as Readonly<Record<string, IDataObject>>,
	/** Name of the part at which the last poll stopped early. */
	resumeAt: '',
};

/** The state that the node stores between two polls, as JSON. */
export type PollState = Readonly<typeof newState>;

const isState = (value: unknown): value is PollState =>
	isRecord(value) &&
	value.version === newState.version &&
	Object.entries(newState).every(([name, example]) => typeof value[name] === typeof example) &&
	Array.isArray(value.knownLinks) &&
	value.knownLinks.every(isRecord) &&
	isRecord(value.parts);

/** Returns the state in the node's static data, or a new one if there is none, or if it is broken or of another version. */
export function readState(staticData: IDataObject): PollState {
	const stored: unknown = staticData[stateName];
	if (isState(stored)) return stored;
	// It differs each time, regardless of the clock.
	const startId = Date.now().toString(36) + Math.floor(Math.random() * 36 ** 3).toString(36);
	return { ...newState, startId, salt: crypto.randomUUID() };
}

/** Returns up to three of some values, from their ends and their middle, so that a deletion does not remove all of them. */
export const threeOf = <T>(values: readonly T[]): T[] =>
	[...new Set([values.length - 1, values.length >> 1, 0])].flatMap((at) => values[at] ?? []);

/** Returns up to three links of a page. */
export const knownLinksIn = (ids: readonly number[], links: readonly IDataObject[]) =>
	threeOf(ids.map((id, at) => ({ id, createdAt: String(links[at]?.created_at) })));

/**
 * Returns the state for an account and filters: a new start for another address or other filters. With another key, the state
 * continues only if the key reads one of the known links (assumption: links of an account), so that no event is lost when the
 * user replaces the key.
 *
 * @param filters the filters of the node as texts
 * @throws ServiceError if a known link cannot be read
 */
export async function stateFor(
	state: PollState,
	{ root, apiKey }: Account,
	filters: readonly string[],
	reader: PollReader,
): Promise<PollState> {
	const { startId, salt, round } = state;
	const scope = await digest(salt, [root, ...filters]);
	const key = await digest(salt, [root, apiKey]);
	let isSame = state.scope === scope && state.key === key;
	for (const { id, createdAt } of state.scope === scope ? state.knownLinks : []) {
		if (isSame) break;
		const link = await reader.get(id);
		isSame = link !== undefined && String(link.created_at) === createdAt;
	}
	return { ...(isSame ? state : { ...newState, startId, salt, round }), scope, key };
}
