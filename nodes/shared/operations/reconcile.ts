import type { IDataObject } from 'n8n-workflow';
import { differences } from '../contract/compare';
import { apiRequest } from '../contract/endpoints';
import { paramsOf, type EncodedRow, type Problem } from '../contract/encodedRow';
import type { EncodedField } from '../contract/fieldTypes';
import { isDefaultMatch } from '../contract/matchBy';
import { flagOf } from '../contract/readers';
import { isSame, isSameApartFromCase } from '../contract/sameResource';
import type { RowRequests } from '../transport/rowRequests';
import { rejection, ServiceError, settled } from '../transport/serviceError';
import type { AnswerChecks } from './answerChecks';
import { createOnce, taken } from './createOnce';
import { findCandidates } from './find';
import { matchProblems } from './matching';
import type { Result } from './types';
import { idIn, nameOf, requestResource } from './resource';

/** What makes a resource as its row says. */
export interface ReconcileStep {
	/** The resource as it is; undefined where it is to be created. */
	readonly existing?: IDataObject;
	/** The fields to be written to it. */
	readonly changes: readonly EncodedField[];
}

/** The failure of a row that has problems. */
const problemsError = (problems: readonly Problem[], advice: string): ServiceError =>
	rejection(problems.map(({ field, reason }) => `${field} ${reason}`).join('. '), advice, {
		fieldErrors: Object.fromEntries(problems.map(({ key, reason }) => [key, [reason]])),
	});

/**
 * What is to be done for a row, given the resources with its text.
 *
 * @throws ServiceError if it is not clear which one is the row's, or if there must be one and is none
 */
export function stepFor(row: EncodedRow, candidates: readonly IDataObject[]): ReconcileStep {
	const problems = matchProblems(row, candidates);
	if (problems.length > 0) throw problemsError(problems, 'Nothing was written for this row.');
	const existing = candidates.find((resource) => isSame(row, resource));
	return existing ? { existing, changes: differences(row, existing) } : { changes: [] };
}

/** Whether a row's resource was switched off and is switched on again. */
const isReenabled = ({ contract }: EncodedRow, { existing, changes }: ReconcileStep): boolean =>
	changes.some(
		({ field, values }) =>
			field.name === contract.sync.disabledField &&
			values[0]?.[1] === '0' &&
			flagOf(existing?.[field.wire.key]) === true,
	);

/**
 * @throws ServiceError where a row has half of what a resource needs that is created of it
 */
export function checkComplete({ contract, incompleteFields }: EncodedRow): void {
	const [first] = incompleteFields;
	if (!first) return;
	throw rejection(
		`${first.field} ${first.reason}`,
		`Nothing was sent. The ${contract.value} does not exist, so it would be created with half of what it needs.`,
		{ fieldErrors: Object.fromEntries(incompleteFields.map(({ key, reason }) => [key, [reason]])) },
	);
}

/** Returns why the fields that a step writes must not be written; an empty list if they may be. */
export function forbiddenIn(
	{ forbidden, fields: all }: EncodedRow,
	step: ReconcileStep,
): Problem[] {
	const written = new Set((step.existing ? step.changes : all).map(({ field }) => field.name));
	return forbidden
		.filter(({ fields }) => fields.some((name) => written.has(name)))
		.map(({ problem }) => problem);
}

/** @throws ServiceError if a step writes what must not be written */
export function checkAllowed(row: EncodedRow, step: ReconcileStep): void {
	const problems = forbiddenIn(row, step);
	if (problems.length === 0) return;
	throw problemsError(problems, 'Nothing was written for this row.');
}

/** The row without an alias that an option makes for new resources only: Match By has found the resource otherwise. */
function withoutGeneratedKey(row: EncodedRow): EncodedRow {
	if (!row.isKeyGenerated || isDefaultMatch(row)) return row;
	const { searchBy } = row.contract.key;
	return { ...row, fields: row.fields.filter(({ field }) => field.wire.key !== searchBy) };
}

async function writeStep(
	requests: RowRequests,
	row: EncodedRow,
	step: ReconcileStep,
	answers: AnswerChecks,
): Promise<Result> {
	const { existing, changes } = step;
	checkAllowed(row, step);
	if (!existing) {
		checkComplete(row);
		const resources = [await createOnce(requests, row, answers)];
		return { resources, outcome: 'created', reportOutcome: true };
	}
	if (changes.length === 0) {
		return { resources: [existing], outcome: 'unchanged', reportOutcome: true };
	}
	const id = idIn(existing) ?? '';
	const request = apiRequest(row.contract, 'update', paramsOf(changes), id);
	const updated = await requestResource(requests, request);
	answers.checkUpdate(withoutGeneratedKey(row), updated, { id, sent: changes, before: existing });
	const result = { resources: [updated], outcome: 'updated', reportOutcome: true } as const;
	return isReenabled(row, step) ? { ...result, isReenabled: true } : result;
}

/** What may refuse a resource, by throwing a ServiceError. */
interface Checks {
	readonly answers: AnswerChecks;
	readonly found?: (existing: IDataObject) => void;
	readonly written?: (resource: IDataObject) => void;
}

/** Whether a failure says that the resource is there after all, or no longer. */
function isOutdated(
	{ existing }: ReconcileStep,
	{ failure }: ServiceError,
	row: EncodedRow,
): boolean {
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
function caseVariantOf(row: EncodedRow, found: readonly IDataObject[]): IDataObject | undefined {
	const [one, ...others] = found.filter((resource) => isSameApartFromCase(row, resource));
	return one && others.length === 0 && differences(row, one).length === 0 ? one : undefined;
}

/**
 * @throws ServiceError if another row of this run created the resource. The service stored its alias in another case, or its
 * destination in another form.
 */
function checkNotCreatedByRun(
	row: EncodedRow,
	{ existing }: ReconcileStep,
	answers: AnswerChecks,
): void {
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
export async function reconcile(
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
		const step = stepFor(answers.interpretations.applyTo(row), found);
		checkNotCreatedByRun(row, step, answers);
		if (step.existing) checks.found?.(step.existing);
		return step;
	};
	const isClear = known !== undefined && known.filter((one) => isSame(row, one)).length < 2;
	const step = isClear ? stepFor(answers.interpretations.applyTo(row), known) : await lookUp();
	const write = async (towards: ReconcileStep) => {
		const written = await writeStep(requests, row, towards, answers);
		written.resources.forEach((resource) => checks.written?.(resource));
		return written;
	};
	const result = await settled(write(step));
	if (!(result instanceof ServiceError)) return result;
	if (!isOutdated(step, result, row)) throw result;
	const now = await lookUp();
	if (step.existing && !now.existing) answers.forgetExisting(row, step.existing);
	if (now.existing || step.existing) return await write(now);
	const twin = caseVariantOf(answers.interpretations.applyTo(row), found);
	// The same answer again: what the service refused, it refuses for another reason.
	if (!twin) throw result;
	checks.found?.(twin);
	return { resources: [twin], outcome: 'unchanged', reportOutcome: true };
}
