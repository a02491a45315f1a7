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

const runAll = 'run the whole list: what is done already stays as it is';

/** What to do before a list of creates is run again, so that nothing is made twice. */
function stepsForCreate(contract: ResourceContract, rows: readonly Row[]): string {
	const upsert = contract.operations.find(({ value }) => value === 'upsert');
	// A row with a mistake is not read to its end, and is to be corrected anyway.
	const read = rows.filter(({ encoded }) => isEncoded(encoded));
	if (upsert && read.every(isFoundAgain)) {
		return `switch Operation to ${upsert.name} and ${runAll}`;
	}
	const { reuse, options = [] } = contract;
	const option = options.find(({ name }) => name === reuse?.option);
	const isReusable = read.every(
		({ encoded }) => isEncoded(encoded) && reuse?.isRecognized(encoded),
	);
	return option && isReusable
		? `turn on ${option.displayName} under Options and ${runAll}`
		: 'take out the rows that are done or unknown, and run the others';
}

/** What to do before the list is run again. */
const steps: Readonly<
	Partial<Record<OperationName, (contract: ResourceContract, rows: readonly Row[]) => string>>
> = {
	create: stepsForCreate,
	delete: () => `turn on Ignore Missing under Options and ${runAll}`,
	sync: () => runAll,
	update: () => runAll,
	upsert: () => runAll,
};

/** Whether a row may have changed something. */
const isMaybeDone = (outcome: RowOutcome | undefined) =>
	outcome !== undefined && (!isFailed(outcome) || outcome.failure.outcome === 'unknown');

/** What is to be decided first: a row whose key something has that was there before would change that one. */
function decisionFor(
	{ value, key }: ResourceContract,
	outcomes: ReadonlyArray<RowOutcome | undefined>,
): string {
	const rows = outcomes.flatMap((outcome, index) =>
		outcome && isFailed(outcome) && outcome.failure.fieldErrors?.[key.searchBy] ? index + 1 : [],
	);
	if (rows.length === 0) return '';
	const which = `${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}`;
	return `give ${which} another ${key.searchBy}, unless the ${value} that has it is to be changed; then `;
}

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
	const next = isPartial && rows.length > 1 ? steps[operation]?.(contract, rows) : undefined;
	if (next === undefined) return '';
	const first = operation === 'create' ? decisionFor(contract, outcomes) : '';
	return `To go on, ${first}${next}.`;
}
