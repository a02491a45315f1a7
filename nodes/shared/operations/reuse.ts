import type { IDataObject } from 'n8n-workflow';
import { isConsistent } from '../contract/compare';
import { integerOf } from '../contract/readers';
import type { RowRequests } from '../transport/rowRequests';
import type { AnswerChecks } from './answerChecks';
import { createNew } from './createOnce';
import { planCreates, withoutRandomKey } from './dryRunCreates';
import { plannedItem } from './dryRunPlan';
import { searchAll } from './find';
import { inferKey } from './inferKey';
import { readListIndex, type ListIndex } from './listIndex';
import { repeatAll, type OperationRun, type Run } from './types';
import { keyLockOf, paramsOf, sentTextOf, type EncodedRow } from '../contract/encodedRow';
import type { ReuseContract } from '../contract/resourceTypes';

/** Returns the oldest active resource with all values of a row. IDs increase (assumption: stable order). */
function oldestMatch(
	row: EncodedRow,
	reuse: ReuseContract,
	candidates: readonly IDataObject[],
): IDataObject | undefined {
	const compared = withoutRandomKey(row);
	const matches = candidates.filter(
		(resource) => reuse.isActive(resource) && isConsistent(compared, resource),
	);
	return matches.reduce<IDataObject | undefined>(
		(oldest, resource) =>
			(integerOf(resource.id) ?? -Infinity) <= (integerOf(oldest?.id) ?? Infinity)
				? resource
				: oldest,
		undefined,
	);
}

/** Finds the resources that the rows of a run reuse. */
class ReusableResources {
	/** The resources of the list; undefined if each row searches for its own. */
	index?: ListIndex;

	/** The resources that rows of this run created, by all values of the row. */
	private readonly createdByContent = new Map<string, IDataObject>();

	private readonly reuse: ReuseContract;

	constructor(reuse: ReuseContract) {
		this.reuse = reuse;
	}

	/** Returns the oldest match of a row in the list that was read. */
	listedMatch(row: EncodedRow): IDataObject | undefined {
		return oldestMatch(row, this.reuse, this.index?.candidatesFor(row) ?? []);
	}

	/** Waits for rows with the same destination, and returns the row with its whole key, and the resource to reuse, if any. */
	async find(requests: RowRequests, ownRow: EncodedRow) {
		const { searchBy, searchTexts } = this.reuse;
		const { path } = ownRow.contract;
		const text = sentTextOf(ownRow, this.reuse.searchBy) ?? '';
		const isOutdated = await requests.lock(keyLockOf(ownRow), `${path}?${searchBy}=${text}`);
		const row = await inferKey(requests, ownRow);
		const content = JSON.stringify(paramsOf(withoutRandomKey(row).fields));
		const existing = this.listedMatch(row) ?? this.createdByContent.get(content);
		// Another run may have created a resource after the list was read.
		if (existing || (this.index && !isOutdated)) return { row, content, existing: existing };
		const candidates = await searchAll(requests, row.contract, searchBy, searchTexts(text));
		return { row, content, existing: oldestMatch(row, this.reuse, candidates) };
	}

	/** Stores a resource that a row created. A dry run stores an empty resource. */
	add(content: string, resource: IDataObject): void {
		this.index?.add(resource);
		this.createdByContent.set(content, resource);
	}
}

/** Returns a resource that exists with all values of the row, or creates it. For many rows, it reads the list once. */
export function beginReuse(run: Run, reuse: ReuseContract, answers: AnswerChecks): OperationRun {
	const { rows, isDryRun } = run;
	const creates = isDryRun ? planCreates(rows) : undefined;
	const reusable = new ReusableResources(reuse);
	return {
		recovery: repeatAll,
		prepare: async (requests) => {
			reusable.index = await readListIndex(requests, rows, reuse);
			const [first] = rows;
			if (first && reusable.index) answers.noteExisting(first, reusable.index.all);
		},
		execute: async (requests, ownRow) => {
			const { row, content, existing } = await reusable.find(requests, ownRow);
			if (existing) return { resources: [existing], outcome: 'existing', reportOutcome: true };
			const created = await createNew(requests, row, answers);
			reusable.add(content, created);
			return { resources: [created], outcome: 'created', reportOutcome: true };
		},
		preparePlan: creates?.prepare,
		plan:
			creates &&
			(async (requests, ownRow) => {
				const { row, content, existing } = await reusable.find(requests, ownRow);
				if (existing) return plannedItem(row, { outcome: 'existing', existing, note: 'Reused' });
				reusable.add(content, {});
				return await creates.plan(requests, ownRow);
			}),
		requestsFor: (row) => {
			if (!reusable.index) return 2;
			return reusable.listedMatch(row) ? 0 : 1;
		},
		notes: () => answers.notes(),
	};
}
