import { thingOf, type EncodedRow } from '../contract/encodeRow';
import { completeKey } from './completeKey';
import { findByKey } from './find';
import { readKnown, type KnownResources } from './knownList';
import { makeSo, stepFor } from './makeSo';
import type { Operation } from './operation';
import { plannedStep } from './plan';

/** About so many requests a row takes, given what is known of it. */
export function requestsToMake(row: EncodedRow, known: KnownResources | undefined): number {
	const candidates = known?.candidatesFor(row);
	if (!candidates || candidates.length > 1) return 2;
	const { existing, different } = stepFor(row, candidates);
	return existing && different.length === 0 ? 0 : 1;
}

/**
 * Finds the resource of each row by what makes it unique, and changes what differs; creates it where there is none. Many
 * rows are found by reading the list once.
 */
export const upsert: Operation = ({ rows }) => {
	let known: KnownResources | undefined;
	return {
		prepare: async (requests) => {
			const [first] = rows;
			known = first && (await readKnown(requests, rows, first.contract.key));
		},
		execute: async (requests, given) => {
			await requests.takeTurn(thingOf(given));
			const row = await completeKey(requests, given);
			return await makeSo(requests, row, known?.candidatesFor(row));
		},
		requestsFor: (row) => requestsToMake(row, known),
		plan: async (requests, given) => {
			await requests.takeTurn(undefined);
			const row = await completeKey(requests, given);
			const candidates = known?.candidatesFor(row) ?? (await findByKey(requests, row));
			return plannedStep(row, stepFor(row, candidates));
		},
	};
};
