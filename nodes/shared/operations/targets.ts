import type { IDataObject } from 'n8n-workflow';
import { compareIdentity, isSame, matchText, unchangeable } from '../contract/compare';
import type { EncodedRow } from '../contract/encodedRow';
import type { EncodedField } from '../contract/resourceTypes';
import { formParameters, isDefaultMatch } from '../contract/layout';
import { changesExisting, hasScope, isPartial, type Outcome } from '../contract/operations';
import { scopeValue } from '../contract/scope';
import type { Problem } from '../contract/types';
import { mayMeanOtherId, quoteText, reasonText, shorten } from '../contract/values';
import { earlyRejection, type ServiceError } from '../transport/failures';
import type { RowRequests } from '../transport/rowRequests';
import { ListIndex, targetIn } from './find';
import { idIn, matchNames, nameOf, keyFor, type Resources, textLocksOf } from './resource';
import type { Change, Run, Writer } from './types';

const problemOf = (row: EncodedRow, what: string): Problem => ({
	field: row.match.name,
	key: row.match.fields?.searchBy ?? row.contract.id.name,
	value: quoteText(matchText(row) ?? ''),
	what,
});

/** Returns the problem of a row that must match a resource, and matches none. */
function noMatch(row: EncodedRow): Problem {
	const { contract, operation } = row;
	const place = hasScope(operation) ? ' of the scope' : '';
	const remedy = changesExisting(operation)
		? 'or remove the item'
		: `or empty it to create a ${contract.value}`;
	return problemOf(row, `matches no ${contract.value}${place}; correct it, ${remedy}`);
}

/** Returns the problems of a row that cannot create a resource in its scope: a generated alias does not have the prefix. */
const missingForScope = ({ contract, fields, scope }: EncodedRow): Problem[] =>
	scope
		.filter(({ property }) => property.scope.isPrefix)
		.filter(({ field }) => fields.every((each) => each.field !== field || each.cleared))
		.map((entry) => ({
			field: entry.field.displayName,
			key: entry.field.wire.key,
			what: `is missing; a new ${contract.value} needs one within ${formParameters.syncScope.displayName} (${entry.property.displayName} ${shorten(scopeValue(entry))})`,
		}));

/**
 * Finds the resource of a row. Problems are several matches, a missing or unclear match, a new resource outside the scope, and a
 * change of a field that cannot be changed; with problems, the row cannot be executed. Without a resource, it creates one.
 *
 * @param candidates the resources that the row may mean
 */
export function matchOf(row: EncodedRow, candidates: Resources) {
	const { value } = row.contract;
	const matched = candidates.filter((resource) => isSame(row, resource));
	const [existing, ...more] = matched;
	if (more.length > 0) {
		const matches = `matches ${matched.length} ${value}s (${matchNames(row, matched)})`;
		const what = `${matches}; match the item by ID, or keep only one of them`;
		return { problems: [problemOf(row, what)] };
	}
	if (existing === undefined) {
		const unclear = candidates.find((each) => compareIdentity(row, each) === 'unknown');
		// By its alias or name, the service refuses a second resource.
		if (unclear && !isDefaultMatch(row)) {
			const what = `may match ${nameOf(row, unclear)}, but the service does not show all that is compared; match the item by ID`;
			return { problems: [problemOf(row, what)] };
		}
		const isReferred = row.id !== undefined || row.reference !== undefined;
		const mustExist = isReferred || changesExisting(row.operation);
		return { problems: mustExist ? [noMatch(row)] : missingForScope(row) };
	}
	const problems = unchangeable(row, existing).map(({ field }) => ({
		field: field.displayName,
		key: field.wire.key,
		what: `differs from that of ${nameOf(row, existing)} and cannot be changed; correct it, or leave it out`,
	}));
	return { existing, problems };
}

/**
 * Returns a function that finds the problems of a row with the resources that it may mean, and a resource that an earlier row has
 * under another text, such as an ID and a short URL.
 */
export function matchChecker() {
	/** The first row of each resource, by its ID. */
	const firsts = new Map<string, EncodedRow>();
	return (row: EncodedRow, candidates: Resources): readonly Problem[] => {
		const { existing, problems } = matchOf(row, candidates);
		if (problems.length > 0 || existing === undefined) return problems;
		const id = idIn(existing) ?? '';
		const first = firsts.get(id);
		firsts.set(id, first ?? row);
		if (!first) return [];
		const other = `${quoteText(matchText(first) ?? '')} (${nameOf(row, existing)})`;
		const what = `matches the same ${row.contract.value} as ${other}; keep only one of the two`;
		return [problemOf(row, what)];
	};
}

/** Returns the change that writes some fields: none if the resource has their values. */
export const changeOf = (outcome: Outcome, fields: readonly EncodedField[]): Change =>
	fields.length > 0 ? { outcome, fields } : { outcome: 'unchanged' };

/** Returns the failure of a row with problems. */
export function refusal(problems: readonly Problem[], advice = ''): ServiceError {
	const texts = problems.map((problem) => `${problem.field} ${reasonText(problem)}`);
	const fieldErrors = problems.map((problem) => [problem.key, [reasonText(problem)]]);
	return earlyRejection(texts.join('. '), advice, { fieldErrors: Object.fromEntries(fieldErrors) });
}

/**
 * Finds the resource of a row, and locks its texts first and its ID last. Reads again if another row may have changed the resource
 * since it was read. Call it at the start of the row.
 *
 * @param match returns what belongs to the resource of the row, with the resource if it exists; it may throw ServiceError
 * @throws ServiceError if a read fails, and if a row that waited for the lock of an ID finds another resource, which it has not
 *   locked
 */
export async function lockTarget<T extends { readonly before?: IDataObject }>(
	requests: RowRequests,
	row: EncodedRow,
	index: ListIndex,
	match: (candidates: Resources) => T,
): Promise<T> {
	const isStale = await requests.locks.acquireTexts(textLocksOf(row, index.candidatesFor(row)));
	const first = match(await index.find(requests, row, isStale));
	const id = idIn(first.before);
	const wasLocked = await requests.locks.acquireLast(id && keyFor(row.contract, 'id', id));
	if (!wasLocked) return first;
	const again = match(await index.find(requests, row, true));
	if (!again.before || idIn(again.before) === id) return again;
	const message = `Another execution has changed which ${row.contract.value} the item matches`;
	throw earlyRejection(message, 'Run the item again.');
}

/** Returns whether a row is compared with its resource, and writes only the fields that differ: the rows of columns are. */
export const isCompared = ({ operation, options }: EncodedRow): boolean =>
	options.matchBy !== undefined || (isPartial(operation) && options.takesColumns === true);

/**
 * Returns how rows find their resources by Match By, an address or an ID. With Match By, all are found before the first write, so
 * that a row without a resource stops the run while nothing has changed. A run reads the resource of an ID only to compare it
 * with columns, or if the service may read the ID as another one. A dry run reads the resource of each row.
 */
export function targetsOf({ first }: Run, { current, isPlanning }: Writer) {
	const isMatched = first?.options.matchBy !== undefined;
	const isRead = isPlanning || (first !== undefined && isCompared(first));
	let index = new ListIndex([]);
	const check = matchChecker();
	const match = (row: EncodedRow, resources: Resources) => {
		const own = current(row, resources);
		const { problems } = isMatched ? matchOf(row, own) : { problems: [] };
		if (problems.length > 0) throw refusal(problems);
		const before = targetIn(row, own);
		return { id: idIn(before) ?? '', before };
	};
	const prepare = async (requests: RowRequests, rows: readonly EncodedRow[]) => {
		if (!isRead) return;
		index = new ListIndex(rows);
		await index.read(requests, isMatched);
	};
	const problemsOf = (row: EncodedRow) =>
		isMatched ? check(row, index.candidatesFor(row) ?? []) : [];

	/** Returns the ID of the resource of a row, which is then locked, and the resource if a read found it. Throws as `lockTarget`. */
	const find = async (requests: RowRequests, row: EncodedRow) => {
		const { contract, id } = row;
		if (id === undefined || isRead || mayMeanOtherId(id)) {
			return await lockTarget(requests, row, index, (found) => match(row, found));
		}
		await requests.locks.acquireTexts(textLocksOf(row));
		await requests.locks.acquireLast(keyFor(contract, 'id', id));
		return { id, before: undefined };
	};
	return { prepare, problemsOf, find };
}
