import type { IDataObject } from 'n8n-workflow';
import { differences } from '../contract/compare';
import { apiRequest } from '../contract/endpoints';
import { paramsOf, type EncodedField, type EncodedRow, type Problem } from '../contract/encodeRow';
import { isDefaultMatch } from '../contract/matchBy';
import { flagOf } from '../contract/readers';
import { isSame, isSameApartFromCase } from '../contract/sameResource';
import type { RowRequests } from '../transport/rowRequests';
import { rejection, ServiceError, settled } from '../transport/serviceError';
import type { AnswerChecks } from './answers';
import { createOnce, taken } from './createOnce';
import { findCandidates } from './find';
import { matchProblems } from './matching';
import type { Result } from './operation';
import { idIn, nameOf, requestResource } from './resource';

/** What makes a resource as its row says. */
export interface Step {
	/** The resource as it is; undefined where it is to be created. */
	readonly existing?: IDataObject;
	/** The fields to be written to it. */
	readonly different: readonly EncodedField[];
}

/** The failure of a row that has problems. */
const refusalOf = (problems: readonly Problem[], advice: string): ServiceError =>
	rejection(problems.map(({ field, reason }) => `${field} ${reason}`).join('. '), advice, {
		fieldErrors: Object.fromEntries(problems.map(({ key, reason }) => [key, [reason]])),
	});

/**
 * What is to be done for a row, given the resources with its text.
 *
 * @throws ServiceError if it is not clear which one is the row's, or if there must be one and is none
 */
export function stepFor(row: EncodedRow, candidates: readonly IDataObject[]): Step {
	const problems = matchProblems(row, candidates);
	if (problems.length > 0) throw refusalOf(problems, 'Nothing was written for this row.');
	const existing = candidates.find((resource) => isSame(row, resource));
	return existing ? { existing, different: differences(row, existing) } : { different: [] };
}

/** Whether a row's resource was switched off and is switched on again. */
const isSwitchedOn = ({ contract }: EncodedRow, { existing, different }: Step): boolean =>
	different.some(
		({ field, values }) =>
			field.name === contract.sync.disabled &&
			values[0]?.[1] === '0' &&
			flagOf(existing?.[field.wire.key]) === true,
	);

/**
 * @throws ServiceError where a row has half of what a resource needs that is created of it
 */
export function checkWhole({ contract, halfSet }: EncodedRow): void {
	const [first] = halfSet;
	if (!first) return;
	throw rejection(
		`${first.field} ${first.reason}`,
		`Nothing was sent. The ${contract.value} does not exist, so it would be created with half of what it needs.`,
		{ fieldErrors: Object.fromEntries(halfSet.map(({ key, reason }) => [key, [reason]])) },
	);
}

/** Returns why the fields that a step writes must not be written; an empty list if they may be. */
export function unwritableIn({ unwritable, fields: all }: EncodedRow, step: Step): Problem[] {
	const written = new Set((step.existing ? step.different : all).map(({ field }) => field.name));
	return unwritable
		.filter(({ fields }) => fields.some((name) => written.has(name)))
		.map(({ problem }) => problem);
}

/** @throws ServiceError if a step writes what must not be written */
export function checkWritable(row: EncodedRow, step: Step): void {
	const problems = unwritableIn(row, step);
	if (problems.length === 0) return;
	throw refusalOf(problems, 'Nothing was written for this row.');
}

/** The row without an alias that an option makes for new resources only: Match By has found the resource otherwise. */
function withoutMadeKey(row: EncodedRow): EncodedRow {
	if (!row.isKeyMade || isDefaultMatch(row)) return row;
	const { searchBy } = row.contract.key;
	return { ...row, fields: row.fields.filter(({ field }) => field.wire.key !== searchBy) };
}

async function carryOut(
	requests: RowRequests,
	row: EncodedRow,
	step: Step,
	answers: AnswerChecks,
): Promise<Result> {
	const { existing, different } = step;
	checkWritable(row, step);
	if (!existing) {
		checkWhole(row);
		const resources = [await createOnce(requests, row, answers)];
		return { resources, outcome: 'created', reportOutcome: true };
	}
	if (different.length === 0) {
		return { resources: [existing], outcome: 'unchanged', reportOutcome: true };
	}
	const id = idIn(existing) ?? '';
	const request = apiRequest(row.contract, 'update', paramsOf(different), id);
	const updated = await requestResource(requests, request);
	answers.checkUpdate(withoutMadeKey(row), updated, { id, sent: different, before: existing });
	const result = { resources: [updated], outcome: 'updated', reportOutcome: true } as const;
	return isSwitchedOn(row, step) ? { ...result, isSwitchedOn: true } : result;
}

/** What may refuse a resource, by throwing a ServiceError. */
interface Checks {
	readonly answers: AnswerChecks;
	readonly found?: (existing: IDataObject) => void;
	readonly written?: (resource: IDataObject) => void;
}

/** Whether a failure says that the resource is there after all, or no longer. */
function isOutdated({ existing }: Step, { failure }: ServiceError, row: EncodedRow): boolean {
	if (failure.outcome === 'unknown') return false;
	if (existing) return failure.statusCode === 404;
	const keys = Object.keys(failure.fieldErrors ?? {});
	const isAboutKey = keys.length === 0 || keys.includes(row.contract.key.searchBy);
	return taken.includes(failure.statusCode) && isAboutKey;
}

/**
 * Returns the resource that took the key of a row in another case, if it has all that the row asks for: a service that
 * does not distinguish case has stored the row in its own way.
 */
function twinOf(row: EncodedRow, found: readonly IDataObject[]): IDataObject | undefined {
	const [one, ...others] = found.filter((resource) => isSameApartFromCase(row, resource));
	return one && others.length === 0 && differences(row, one).length === 0 ? one : undefined;
}

/**
 * @throws ServiceError if another row of this run created the resource. The service stored its alias in another case, or its
 * destination in another form.
 */
function checkOwn(row: EncodedRow, { existing }: Step, answers: AnswerChecks): void {
	if (!existing || !answers.hasCreated(existing)) return;
	throw rejection(
		`Another row of this run created ${nameOf(row, existing)}, and the service takes this row for the same ${row.contract.value}`,
		'Nothing was written for this row. Keep one of the two rows.',
	);
}

/**
 * Makes a resource as its row says: changes what differs, or creates it where it is not there.
 *
 * @param known the resources with the row's text, as a list has told; undefined where they are to be looked up. What
 * the list told too early is looked up then.
 * @param checks may refuse a resource: one that a look-up has found, and one that is written
 */
export async function makeSo(
	requests: RowRequests,
	row: EncodedRow,
	known: readonly IDataObject[] | undefined,
	checks: Checks,
): Promise<Result> {
	const { answers } = checks;
	let found: readonly IDataObject[] = [];
	const lookUp = async () => {
		found = await findCandidates(requests, row);
		answers.noteExisting(row, found);
		const step = stepFor(answers.readings.readAs(row), found);
		checkOwn(row, step, answers);
		if (step.existing) checks.found?.(step.existing);
		return step;
	};
	const isClear = known !== undefined && known.filter((one) => isSame(row, one)).length < 2;
	const step = isClear ? stepFor(answers.readings.readAs(row), known) : await lookUp();
	const write = async (towards: Step) => {
		const written = await carryOut(requests, row, towards, answers);
		written.resources.forEach((resource) => checks.written?.(resource));
		return written;
	};
	const result = await settled(write(step));
	if (!(result instanceof ServiceError)) return result;
	if (!isOutdated(step, result, row)) throw result;
	const now = await lookUp();
	if (step.existing && !now.existing) answers.forgetExisting(row, step.existing);
	if (now.existing || step.existing) return await write(now);
	const twin = twinOf(answers.readings.readAs(row), found);
	// The same answer again: what the service refused, it refuses for another reason.
	if (!twin) throw result;
	checks.found?.(twin);
	return { resources: [twin], outcome: 'unchanged', reportOutcome: true };
}
