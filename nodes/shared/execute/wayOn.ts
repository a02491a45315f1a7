import { isEncoded, searchTextOf } from '../contract/encodeRow';
import type { OperationName, ResourceContract } from '../contract/types';
import type { Row } from './readRows';
import type { Results } from './results';

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

/**
 * What to do before the list is run again, if some of its rows are not done; undefined where there is nothing to do. To be
 * asked before the rows are executed.
 */
export const stepsAgain = (
	contract: ResourceContract,
	operation: OperationName,
	rows: readonly Row[],
): string | undefined => (rows.length > 1 ? steps[operation]?.(contract, rows) : undefined);

/** What is to be decided first: a row whose key something has that was there before would change that one. */
function decisionFor({ value, key }: ResourceContract, refused: readonly number[]): string {
	if (refused.length === 0) return '';
	const numbers = refused.map((index) => index + 1).sort((one, other) => one - other);
	const which = `${numbers.length === 1 ? 'row' : 'rows'} ${numbers.join(', ')}`;
	return `give ${which} another ${key.searchBy}, unless the ${value} that has it is to be changed; then `;
}

/**
 * How to go on after a run of which some rows were done and others failed, so that a person need not take the list apart.
 * Empty where nothing was done, or nothing failed.
 *
 * @param again what `stepsAgain` told
 */
export function wayOn(
	contract: ResourceContract,
	operation: OperationName,
	again: string | undefined,
	{ states, refusedKeys }: Results,
): string {
	const isPartial =
		states.some((state) => state === 'done' || state === 'unknown') &&
		states.some((state) => state !== 'done');
	if (again === undefined || !isPartial) return '';
	const first = operation === 'create' ? decisionFor(contract, refusedKeys) : '';
	return `To go on, ${first}${again}.`;
}
