import type { IDataObject } from 'n8n-workflow';
import { differences, isSame, mayBeSame } from '../contract/compare';
import { apiRequest } from '../contract/endpoints';
import { paramsOf, type EncodedField, type EncodedRow } from '../contract/encodeRow';
import { flagOf } from '../contract/readers';
import type { RowRequests } from '../transport/rowRequests';
import { rejection, ServiceError, settled } from '../transport/serviceError';
import { createOnce, taken } from './createOnce';
import { findByKey } from './find';
import type { Result } from './operation';
import { idIn, requestResource } from './resource';

/** What makes a resource as its row says. */
export interface Step {
	/** The resource as it is; undefined where it is to be created. */
	readonly existing?: IDataObject;
	/** The fields to be written to it. */
	readonly different: readonly EncodedField[];
}

/**
 * What is to be done for a row, given the resources with its text.
 *
 * @throws ServiceError where more than one of them is the row's
 */
export function stepFor(row: EncodedRow, candidates: readonly IDataObject[]): Step {
	const [existing, ...others] = candidates.filter((resource) => isSame(row, resource));
	if (others.length > 0) {
		throw rejection(
			`${others.length + 1} matches were found by ${row.contract.key.searchBy}, so it is not clear which one to update`,
			'Nothing was sent. Use Update with the ID.',
		);
	}
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

/** A resource got another key after it was read, or the service answered with another one. */
const changedAnother = ({ contract: { value, key } }: EncodedRow) =>
	new ServiceError({
		cause: 'rejected',
		message: `The service answered with another ${value} than the row's`,
		advice: `Perhaps its ${key.searchBy} was changed meanwhile. Look at the ${value} at the service, and run the row again.`,
		outcome: 'unknown',
	});

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

async function carryOut(requests: RowRequests, row: EncodedRow, step: Step): Promise<Result> {
	const { existing, different } = step;
	if (!existing) {
		checkWhole(row);
		const resources = [await createOnce(requests, row)];
		return { resources, outcome: 'created', reportOutcome: true };
	}
	if (different.length === 0) {
		return { resources: [existing], outcome: 'unchanged', reportOutcome: true };
	}
	const request = apiRequest(row.contract, 'update', paramsOf(different), idIn(existing));
	const updated = await requestResource(requests, request);
	if (idIn(updated) !== idIn(existing) || !mayBeSame(row, updated)) throw changedAnother(row);
	const result = { resources: [updated], outcome: 'updated', reportOutcome: true } as const;
	return isSwitchedOn(row, step) ? { ...result, isSwitchedOn: true } : result;
}

/** What may refuse a resource, by throwing a ServiceError. */
interface Checks {
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
	checks: Checks = {},
): Promise<Result> {
	const lookUp = async () => {
		const step = stepFor(row, await findByKey(requests, row));
		if (step.existing) checks.found?.(step.existing);
		return step;
	};
	const isClear = known !== undefined && known.filter((one) => isSame(row, one)).length < 2;
	const step = isClear ? stepFor(row, known) : await lookUp();
	const write = async (towards: Step) => {
		const written = await carryOut(requests, row, towards);
		written.resources.forEach((resource) => checks.written?.(resource));
		return written;
	};
	const result = await settled(write(step));
	if (!(result instanceof ServiceError)) return result;
	if (!isOutdated(step, result, row)) throw result;
	const now = await lookUp();
	// The same answer again: what the service refused, it refuses for another reason.
	if (!now.existing && !step.existing) throw result;
	return await write(now);
}
