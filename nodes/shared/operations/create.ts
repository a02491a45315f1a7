import type { IDataObject } from 'n8n-workflow';
import { agrees } from '../contract/compare';
import { paramsOf, thingOf, type EncodedRow } from '../contract/encodeRow';
import { integerOf } from '../contract/readers';
import type { ReuseContract } from '../contract/types';
import type { RowRequests } from '../transport/rowRequests';
import { completeKey } from './completeKey';
import { createOnce } from './createOnce';
import { searchBy } from './find';
import { readKnown, textIn, type KnownResources } from './knownList';
import type { Operation, Result } from './operation';

/** What makes a row use again what is there; undefined where each row makes a resource of its own. */
const reuseIn = ({ contract: { reuse }, options }: EncodedRow): ReuseContract | undefined =>
	reuse && options.own[reuse.option] === '1' ? reuse : undefined;

/** The oldest of the resources that have all that a row asks for; IDs are given in order (assumption: stable order). */
function oldestLike(
	row: EncodedRow,
	{ isActive }: ReuseContract,
	candidates: readonly IDataObject[],
): IDataObject | undefined {
	const fitting = candidates.filter((resource) => isActive(resource) && agrees(row, resource));
	return fitting.reduce<IDataObject | undefined>(
		(oldest, one) =>
			(integerOf(one.id) ?? -Infinity) <= (integerOf(oldest?.id) ?? Infinity) ? one : oldest,
		undefined,
	);
}

/** What is known of the resources that rows may use again. */
interface Reusable {
	/** Those of the list; undefined where each row looks for its own. */
	readonly known: KnownResources | undefined;
	/** Those that rows of this run have made, by all that the rows asked for. */
	readonly made: Map<string, IDataObject>;
}

/** Returns what is there already with all that the row asks for, and creates it only where nothing is. */
async function reuseOrCreate(
	requests: RowRequests,
	given: EncodedRow,
	reuse: ReuseContract,
	{ known, made }: Reusable,
): Promise<Result> {
	const text = textIn(given, reuse) ?? '';
	await requests.takeTurn(`${given.contract.path}?${reuse.searchBy}=${text}`);
	const row = await completeKey(requests, given);
	const candidates =
		known?.candidatesFor(row) ?? (await searchBy(requests, row.contract, reuse.searchBy, text));
	const content = JSON.stringify(paramsOf(row.fields));
	const existing = oldestLike(row, reuse, candidates) ?? made.get(content);
	if (existing) return { resources: [existing], outcome: 'existing', reportOutcome: true };
	const created = await createOnce(requests, row);
	known?.add(created);
	made.set(content, created);
	return { resources: [created], outcome: 'created', reportOutcome: true };
}

/**
 * Creates resources. Rows with the same alias or name take turns, so that the first row gets it. With the option for it, a
 * resource that is there already is returned in place of a second one; for many rows the list is read once.
 */
export const create: Operation = ({ rows }) => {
	let known: KnownResources | undefined;
	const made = new Map<string, IDataObject>();
	return {
		prepare: async (requests) => {
			const reuse = rows[0] && reuseIn(rows[0]);
			known = reuse && (await readKnown(requests, rows, reuse));
		},
		execute: async (requests, row) => {
			const reuse = reuseIn(row);
			if (reuse) return await reuseOrCreate(requests, row, reuse, { known, made });
			await requests.takeTurn(thingOf(row));
			return { resources: [await createOnce(requests, row)], outcome: 'created' };
		},
		requestsFor: (row) => {
			const reuse = reuseIn(row);
			if (!reuse) return 1;
			if (!known) return 2;
			return oldestLike(row, reuse, known.candidatesFor(row)) ? 0 : 1;
		},
	};
};
