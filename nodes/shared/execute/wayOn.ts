import { isEncoded, searchTextOf } from '../contract/encodeRow';
import type { OperationName, ResourceContract } from '../contract/types';
import { isFailed, type RowOutcome } from './outcome';
import type { Row } from './readRows';

/** Whether a row says by itself what its resource is known by, so that it is found again in another run. */
function isFoundAgain({ encoded }: Row): boolean {
	if (!isEncoded(encoded) || searchTextOf(encoded) === undefined) return false;
	const { contract, isKeyMade, options } = encoded;
	return !isKeyMade || !contract.reuse?.isKeyRandom(options.own);
}

/** What to change before the whole list of creates is run again, so that nothing is made twice. */
function changeForCreate(contract: ResourceContract, rows: readonly Row[]): string | undefined {
	const upsert = contract.operations.find(({ value }) => value === 'upsert');
	// A row with a mistake is not read to its end, and is to be corrected anyway.
	if (upsert && rows.filter(({ encoded }) => isEncoded(encoded)).every(isFoundAgain)) {
		return `switch Operation to ${upsert.name}`;
	}
	const option = contract.options?.find(({ name }) => name === contract.reuse?.option);
	return option && `turn on ${option.displayName} under Options`;
}

/** What to change before the whole list is run again: nothing where that is an empty text. */
const changes: Readonly<
	Partial<
		Record<OperationName, (contract: ResourceContract, rows: readonly Row[]) => string | undefined>
	>
> = {
	create: changeForCreate,
	delete: () => 'turn on Ignore Missing under Options',
	sync: () => '',
	update: () => '',
	upsert: () => '',
};

/** Whether a row may have changed something. */
const isMaybeDone = (outcome: RowOutcome | undefined) =>
	outcome !== undefined && (!isFailed(outcome) || outcome.failure.outcome === 'unknown');

/**
 * How to go on after a run of which some rows were done and others failed, so that a person need not take the list apart.
 * Empty where nothing was done, or nothing failed.
 */
export function wayOn(
	contract: ResourceContract,
	operation: OperationName,
	rows: readonly Row[],
	outcomes: ReadonlyArray<RowOutcome | undefined>,
): string {
	const isPartial =
		outcomes.some(isMaybeDone) &&
		outcomes.some((outcome) => outcome === undefined || isFailed(outcome));
	const change = isPartial && rows.length > 1 ? changes[operation]?.(contract, rows) : undefined;
	if (change === undefined) return '';
	const steps = change === '' ? 'run' : `${change} and run`;
	return `To go on, ${steps} the whole list: what is done already stays as it is.`;
}
