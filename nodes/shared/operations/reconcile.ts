import type { IDataObject } from 'n8n-workflow';
import { differences } from '../contract/compare';
import { apiRequest } from '../contract/endpoints';
import { paramsOf, type EncodedRow, type Problem } from '../contract/encodedRow';
import type { EncodedField } from '../contract/fieldTypes';
import { flagOf } from '../contract/readers';
import { isSame, isSameApartFromCase } from '../contract/sameResource';
import type { RowRequests } from '../transport/rowRequests';
import { rejection, ServiceError, settled } from '../transport/failures';
import type { AnswerChecks } from './answerChecks';
import { createOnce, takenStatuses } from './createOnce';
import { findCandidates } from './find';
import { matchProblems } from './matching';
import type { Result } from './types';
import { caseVariantAdvice, idIn, nameOf, requestResource } from './resource';

/** The step that makes a resource equal to its row. */
export interface ReconcileStep {
	/** The current resource; undefined if the step creates it. */
	readonly existing?: IDataObject;
	/** The fields to write. */
	readonly changes: readonly EncodedField[];
}

const problemsError = (problems: readonly Problem[], advice: string): ServiceError =>
	rejection(problems.map(({ field, reason }) => `${field} ${reason}`).join('. '), advice, {
		fieldErrors: Object.fromEntries(problems.map(({ key, reason }) => [key, [reason]])),
	});

/**
 * Returns the step of a row.
 *
 * @param candidates the resources with the text of the row
 * @throws ServiceError if several resources match, or if none matches although the row needs one
 */
export function stepFor(row: EncodedRow, candidates: readonly IDataObject[]): ReconcileStep {
	const problems = matchProblems(row, candidates);
	if (problems.length > 0) throw problemsError(problems, 'Nothing was written for this item.');
	const existing = candidates.find((resource) => isSame(row, resource));
	return existing ? { existing, changes: differences(row, existing) } : { changes: [] };
}

/** Returns whether a step enables a resource that is disabled. */
const isReenabled = ({ contract }: EncodedRow, { existing, changes }: ReconcileStep): boolean =>
	changes.some(
		({ field, values }) =>
			field.name === contract.disabledField &&
			values[0]?.[1] === '0' &&
			flagOf(existing?.[field.wire.key]) === true,
	);

/** @throws ServiceError if a row that creates a resource has only one of two fields that belong together */
export function checkComplete({ contract, incompleteFields }: EncodedRow): void {
	if (incompleteFields.length === 0) return;
	throw problemsError(
		incompleteFields,
		`Nothing was sent. The ${contract.value} does not exist, so it would be created without the field that belongs to it.`,
	);
}

async function writeStep(
	requests: RowRequests,
	row: EncodedRow,
	step: ReconcileStep,
	answers: AnswerChecks,
): Promise<Result> {
	const { existing, changes } = step;
	const reportOutcome = true;
	if (!existing) {
		checkComplete(row);
		const resources = [await createOnce(requests, row, answers)];
		return { resources, outcome: 'created', reportOutcome };
	}
	if (changes.length === 0) return { resources: [existing], outcome: 'unchanged', reportOutcome };
	const id = idIn(existing) ?? '';
	const request = apiRequest(row.contract, 'update', paramsOf(changes), id);
	const updated = await requestResource(requests, request);
	answers.checkUpdate(row, updated, { id, sent: changes, before: existing });
	const more = isReenabled(row, step) ? { isReenabled: true } : {};
	return { resources: [updated], outcome: 'updated', reportOutcome, ...more };
}

/** Checks that refuse a resource by throwing a ServiceError. */
export interface ResourceChecks {
	/** Checks a resource that a look-up found. */
	readonly checkFound?: (resource: IDataObject) => void;
	/** Checks a resource after the write. */
	readonly checkWritten?: (resource: IDataObject) => void;
}

/** Returns whether a failure shows that the list is outdated: the resource exists, or no longer exists. */
function isOutdated(
	{ existing }: ReconcileStep,
	{ failure }: ServiceError,
	row: EncodedRow,
): boolean {
	if (failure.outcome === 'unknown') return false;
	if (existing) return failure.statusCode === 404;
	const keys = Object.keys(failure.fieldErrors ?? {});
	const isAboutKey = keys.length === 0 || keys.includes(row.contract.key.searchBy);
	return takenStatuses.includes(failure.statusCode) && isAboutKey;
}

/**
 * Returns the resource whose key differs from the key of a row only in case, if it has all values of the row. A service that
 * ignores case may have stored the row with another case.
 */
function caseVariantOf(
	row: EncodedRow,
	candidates: readonly IDataObject[],
): IDataObject | undefined {
	const [first, ...more] = candidates.filter((resource) => isSameApartFromCase(row, resource));
	return first && more.length === 0 && differences(row, first).length === 0 ? first : undefined;
}

/**
 * @throws ServiceError if another row of the run created the resource, because the service stored its alias in another case,
 * or its destination in another form
 */
function checkNotCreatedByRun(
	row: EncodedRow,
	{ existing }: ReconcileStep,
	answers: AnswerChecks,
): void {
	if (!existing || !answers.hasCreated(existing)) return;
	throw rejection(
		`Another item of this run created ${nameOf(row, existing)}, and the service treats this item as the same ${row.contract.value}`,
		'Nothing was written for this item. Keep only one of the two.',
	);
}

/** Returns an error with one more sentence of advice. */
const withAdvice = ({ failure }: ServiceError, advice = ''): ServiceError =>
	new ServiceError({ ...failure, advice: `${failure.advice} ${advice}`.trim() });

/**
 * Makes a resource equal to its row: writes the fields that differ, or creates the resource.
 *
 * @param listed the resources of the list with the text of the row. Without them, and if the list is outdated, it looks them up.
 * @throws ServiceError if a request or a check fails, or if several resources match
 */
export async function reconcile(
	requests: RowRequests,
	row: EncodedRow,
	listed: readonly IDataObject[] | undefined,
	{ answers, checkFound, checkWritten }: ResourceChecks & { readonly answers: AnswerChecks },
): Promise<Result> {
	let candidates: readonly IDataObject[] = [];
	const lookUp = async () => {
		candidates = await findCandidates(requests, row);
		answers.noteExisting(row, candidates);
		const step = stepFor(answers.interpretations.applyTo(row), candidates);
		checkNotCreatedByRun(row, step, answers);
		if (step.existing) checkFound?.(step.existing);
		return step;
	};
	const write = async (step: ReconcileStep) => {
		const result = await writeStep(requests, row, step, answers);
		result.resources.forEach((resource) => checkWritten?.(resource));
		return result;
	};
	const isClear = listed !== undefined && listed.filter((each) => isSame(row, each)).length < 2;
	const step = isClear ? stepFor(answers.interpretations.applyTo(row), listed) : await lookUp();
	const result = await settled(write(step));
	if (!(result instanceof ServiceError)) return result;
	if (!isOutdated(step, result, row)) throw result;
	const current = await lookUp();
	if (step.existing && !current.existing) answers.forgetExisting(row, step.existing);
	if (current.existing || step.existing) return await write(current);
	const variant = caseVariantOf(answers.interpretations.applyTo(row), candidates);
	// The look-up found no change, so the service would refuse the same create again.
	if (!variant) throw withAdvice(result, caseVariantAdvice(row, candidates));
	checkFound?.(variant);
	return { resources: [variant], outcome: 'unchanged', reportOutcome: true };
}
