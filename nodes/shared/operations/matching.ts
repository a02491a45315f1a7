import type { IDataObject } from 'n8n-workflow';
import { unchangeable } from '../contract/compare';
import { fieldsNamed, paramsOf, type EncodedRow, type Problem } from '../contract/encodedRow';
import { identifierOf, isSame, matchText } from '../contract/sameResource';
import { quoteText, shorten } from '../contract/values';
import type { RowRequests } from '../transport/rowRequests';
import { findCandidates } from './find';
import { readListIndex } from './listIndex';
import { idIn, nameOf } from './resource';

/** Returns the resources that may be those of a row. */
export type Candidates = (row: EncodedRow) => readonly IDataObject[];

/** Max number of matches that an error names. */
const maxNamed = 5;

const problemOf = ({ contract, match }: EncodedRow, reason: string): Problem => ({
	field: match.name,
	key: match.fields?.searchBy ?? contract.id.name,
	reason,
});

/** Why a row that matches several resources cannot be executed. */
function severalMatches(row: EncodedRow, own: readonly IDataObject[]): Problem {
	const more = own.length > maxNamed ? ` and ${own.length - maxNamed} more` : '';
	const names = own.slice(0, maxNamed).map((resource) => nameOf(row, resource));
	const matches = `matches ${own.length} ${row.contract.value}s (${names.join(', ')}${more})`;
	return problemOf(
		row,
		`${quoteText(matchText(row) ?? '')} ${matches}; match the row by ID, or keep one of them`,
	);
}

/** Why a row whose resource is not there cannot be executed. */
function noMatch(row: EncodedRow): Problem {
	const { contract, operation } = row;
	const where = operation === 'sync' ? ` of the scope` : '';
	const remedy =
		operation === 'update' ? 'or remove the row' : `or empty it to create a ${contract.value}`;
	return problemOf(
		row,
		`${quoteText(matchText(row) ?? '')} matches no ${contract.value}${where}; correct it, ${remedy}`,
	);
}

/** Why a row cannot create a resource in its scope: what the service makes up does not begin as the scope needs it. */
const missingForScope = ({ contract, fields, scope }: EncodedRow): Problem[] =>
	scope
		.filter(({ property }) => property.scope.isPrefix)
		.filter(({ field }) => fields.every((given) => given.field !== field || given.cleared))
		.map(({ field, property, text }) => ({
			field: field.displayName,
			key: field.wire.key,
			reason: `is missing; a ${contract.value} that Sync creates needs one within the Sync Scope (${property.displayName} ${shorten(text)})`,
		}));

/**
 * Returns why a row cannot be executed, given the resources that may be its own: several match, none matches although it
 * must, a new one would be outside of the scope, or the row has another value of a field that never changes. An empty list
 * if it can be.
 */
export function matchProblems(row: EncodedRow, candidates: readonly IDataObject[]): Problem[] {
	const own = candidates.filter((resource) => isSame(row, resource));
	const [existing] = own;
	if (own.length > 1) return [severalMatches(row, own)];
	if (existing === undefined) {
		const mustExist = row.operation === 'update' || identifierOf(row) !== undefined;
		return mustExist ? [noMatch(row)] : missingForScope(row);
	}
	return unchangeable(row, existing).map(({ field }) => ({
		field: field.displayName,
		key: field.wire.key,
		reason: `differs from that of ${nameOf(row, existing)} and cannot be changed; correct it, or leave it out`,
	}));
}

/** Why a row cannot be executed whose resource an earlier row has found by another text. */
const sharedMatch = (row: EncodedRow, first: EncodedRow, existing: IDataObject): Problem =>
	problemOf(
		row,
		`${quoteText(matchText(row) ?? '')} matches the same ${row.contract.value} as ${quoteText(matchText(first) ?? '')} (${nameOf(row, existing)}); keep one row for each`,
	);

/** Why rows cannot be executed, by the row. */
export type RowProblems = ReadonlyMap<EncodedRow, readonly Problem[]>;

/** Returns the problems that rows have with the resources they match. Two rows must not find one of them by different texts. */
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

/** What a row finds its resource by, as one text. */
const matchKey = (row: EncodedRow): string =>
	identifierOf(row) ?? JSON.stringify(paramsOf(fieldsNamed(row, row.match.fields?.uniqueBy ?? [])));

/** Looks up the resources that may be those of rows, one row after the other: the end of a list gives up all other reads. */
async function lookUpAll(
	requests: RowRequests,
	rows: readonly EncodedRow[],
): Promise<Map<string, IDataObject[]>> {
	const found = new Map<string, IDataObject[]>();
	for (const row of rows) {
		const key = matchKey(row);
		if (!found.has(key)) found.set(key, await findCandidates(requests, row));
	}
	return found;
}

/**
 * Finds the resources of all rows before anything is written: from the list if that takes fewer requests, otherwise each by
 * itself.
 *
 * @throws ServiceError if a read fails
 */
export async function findMatches(
	requests: RowRequests,
	rows: readonly EncodedRow[],
): Promise<Candidates> {
	const known = rows[0] && (await readListIndex(requests, rows, rows[0].match.fields));
	if (known) return known.candidatesFor;
	const found = await lookUpAll(requests, rows);
	return (row) => found.get(matchKey(row)) ?? [];
}
