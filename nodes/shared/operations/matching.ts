import type { IDataObject } from 'n8n-workflow';
import { unchangeable, identifierOf, isSame, matchText } from '../contract/compare';
import { fieldsNamed, paramsOf, type EncodedRow } from '../contract/encodedRow';
import type { Problem } from '../contract/types';
import { changesExisting, hasScope } from '../contract/operations';
import { formParameters } from '../contract/formLayout';
import { quoteText, shorten } from '../contract/values';
import type { RowRequests } from '../transport/rowRequests';
import { findCandidates } from './find';
import { readListIndex } from './listIndex';
import { idIn, matchNames, nameOf } from './resource';
import { scopeValue } from '../contract/scope';

/** Returns the resources that a row may mean. */
export type Candidates = (row: EncodedRow) => readonly IDataObject[];

/** The resources that exist before the first write. */
export interface Existing {
	readonly candidatesFor: Candidates;
	/** The resources of the list that show which unique keys it has; empty if no list was read. */
	readonly keys: readonly IDataObject[];
	/** Returns the lock of a row whose alias or name differs from that of a resource only in case. */
	readonly caseLockOf?: (row: EncodedRow) => string | undefined;
}

const problemOf = (row: EncodedRow, what: string): Problem => ({
	field: row.match.name,
	key: row.match.fields?.searchBy ?? row.contract.id.name,
	value: quoteText(matchText(row) ?? ''),
	what,
});

/** Returns the problem of a row that matches several resources. */
function severalMatches(row: EncodedRow, matched: readonly IDataObject[]): Problem {
	const matches = `matches ${matched.length} ${row.contract.value}s (${matchNames(row, matched)})`;
	return problemOf(row, `${matches}; match the item by ID, or keep only one of them`);
}

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
const missingForScope = ({ contract, fields, scope }: EncodedRow): Problem[] => {
	const { displayName: scopeLabel } = formParameters.syncScope;
	return scope
		.filter(({ property }) => property.scope.isPrefix)
		.filter(({ field }) => fields.every((each) => each.field !== field || each.cleared))
		.map((entry) => ({
			field: entry.field.displayName,
			key: entry.field.wire.key,
			what: `is missing; a new ${contract.value} needs one within ${scopeLabel} (${entry.property.displayName} ${shorten(scopeValue(entry))})`,
		}));
};

/**
 * Returns why a row cannot be executed; an empty list if it can. Reasons are several matches, a missing match, a new
 * resource outside the scope, and a change of a field that cannot be changed.
 *
 * @param candidates the resources that the row may mean
 */
export function matchProblems(row: EncodedRow, candidates: readonly IDataObject[]): Problem[] {
	const matched = candidates.filter((resource) => isSame(row, resource));
	const [existing] = matched;
	if (matched.length > 1) return [severalMatches(row, matched)];
	if (existing === undefined) {
		const mustExist = changesExisting(row.operation) || identifierOf(row) !== undefined;
		return mustExist ? [noMatch(row)] : missingForScope(row);
	}
	return unchangeable(row, existing).map(({ field }) => ({
		field: field.displayName,
		key: field.wire.key,
		what: `differs from that of ${nameOf(row, existing)} and cannot be changed; correct it, or leave it out`,
	}));
}

/** Returns the problem of a row that matches the resource of an earlier row by another text. */
const sharedMatch = (row: EncodedRow, first: EncodedRow, existing: IDataObject): Problem =>
	problemOf(
		row,
		`matches the same ${row.contract.value} as ${quoteText(matchText(first) ?? '')} (${nameOf(row, existing)}); keep only one of the two`,
	);

/** The reasons why rows cannot be executed. */
export type RowProblems = ReadonlyMap<EncodedRow, readonly Problem[]>;

/** Returns the problems of rows with the resources that they match, such as two rows with different texts for one resource. */
export function problemsOfMatches(
	rows: readonly EncodedRow[],
	candidatesFor: Candidates,
): RowProblems {
	/** The first row of each resource, by its ID. */
	const firsts = new Map<string, EncodedRow>();
	return new Map(
		rows.map((row) => {
			const candidates = candidatesFor(row);
			const problems = matchProblems(row, candidates);
			const existing = candidates.find((resource) => isSame(row, resource));
			if (problems.length > 0 || existing === undefined) return [row, problems];
			const id = idIn(existing) ?? '';
			const first = firsts.get(id) ?? row;
			firsts.set(id, first);
			const isShared = matchKey(first) !== matchKey(row);
			return [row, isShared ? [sharedMatch(row, first, existing)] : []];
		}),
	);
}

/** Returns the values that identify the resource of a row, as one text. */
const matchKey = (row: EncodedRow): string =>
	identifierOf(row) ?? JSON.stringify(paramsOf(fieldsNamed(row, row.match.fields?.uniqueBy ?? [])));

/** Looks up the resources that rows may mean, one row at a time, because the end of a list aborts all other reads. */
async function lookUpAll(
	requests: RowRequests,
	rows: readonly EncodedRow[],
): Promise<Map<string, IDataObject[]>> {
	const candidates = new Map<string, IDataObject[]>();
	for (const row of rows) {
		const key = matchKey(row);
		if (!candidates.has(key)) candidates.set(key, await findCandidates(requests, row));
	}
	return candidates;
}

/**
 * Finds the resources of all rows before the first write: in the list if that takes fewer requests, otherwise one by one.
 *
 * @throws ServiceError if a read fails
 */
export async function findMatches(
	requests: RowRequests,
	rows: readonly EncodedRow[],
): Promise<Existing> {
	const index = rows[0] && (await readListIndex(requests, rows, rows[0].match.fields));
	if (index) return index;
	const candidates = await lookUpAll(requests, rows);
	return { candidatesFor: (row) => candidates.get(matchKey(row)) ?? [], keys: [] };
}
