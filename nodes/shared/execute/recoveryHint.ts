import { isEncoded } from '../contract/encodedRow';
import type { OperationName } from '../contract/types';
import type { ResourceContract } from '../contract/resourceTypes';
import { nodeOptions } from '../description/nodeOptions';
import type { Row } from './readRows';
import type { ReportContext } from './nodeErrors';
import type { ResultCollector } from './resultCollector';
import type { RowNumbers } from './rowNumbers';
import { cutText, joinTexts } from './byteLimits';

const runAll = 'run the whole sheet again';

const repeatWrites = `Fix the failed rows and ${runAll}: what is done stays as it is.`;
const repeatReads = `Fix the failed rows and ${runAll}: reading changes nothing.`;

/** What to do after a run that ended part way, by its operation. */
const advice: Readonly<Record<OperationName, string>> = {
	create: 'Remove the rows that are done or unknown, fix the others, and run them again.',
	delete: `Turn on ${nodeOptions.ignoreMissing.displayName} under Options, fix the failed rows, and ${runAll}.`,
	get: repeatReads,
	getAll: repeatReads,
	sync: repeatWrites,
	update: repeatWrites,
	upsert: repeatWrites,
};

/** Returns the names of the fields that make resources unique, and that a row leaves out. */
function leftOut(rows: readonly Row[]): string[] {
	const names = rows.flatMap(({ encoded }) => {
		if (!isEncoded(encoded)) return [];
		const { contract, fields } = encoded;
		return contract.fields
			.filter(({ wire }) => contract.key.uniqueBy.includes(wire.key))
			.filter((field) => !fields.some((given) => given.field === field))
			.map(({ displayName }) => displayName);
	});
	return [...new Set(names)];
}

/** Returns what to do if the run ends part way. To be called before the rows are executed: they are forgotten as they end. */
export function recoveryHintFor(
	{ operations }: ResourceContract,
	operation: OperationName,
	rows: readonly Row[],
	ignoreMissing: boolean,
): string {
	const upsert = operations.find(({ value }) => value === 'upsert');
	if (operation === 'create' && upsert && rows.every(({ hasStableKey }) => hasStableKey)) {
		return [
			`Fix the failed rows, switch Operation to ${upsert.name}, and ${runAll}.`,
			...leftOut(rows).map((name) => `Set ${name} if the account has several.`),
		].join(' ');
	}
	return operation === 'delete' && ignoreMissing ? repeatWrites : advice[operation];
}

/** Max bytes of what the advice says about each stray, and about all of them. */
const maxStray = 150;
const maxStrays = 1200;

/** What to do about what the service created in place of what rows asked for. */
function strayAdvice(
	{ value }: ResourceContract,
	numbers: RowNumbers,
	strays: ResultCollector['strays'],
): string[] {
	if (strays.size === 0) return [];
	const inOrder = [...strays].sort(([one], [other]) => one - other);
	const texts = inOrder.map(([index, stray]) => {
		const text = cutText(stray, maxStray);
		return numbers.isSingle ? `(${text})` : numbers.row(index, text);
	});
	const named = `${numbers.isSingle ? '' : 'in '}${joinTexts(texts, ', ', maxStrays)}`;
	const [what, which] =
		strays.size === 1 ? ['it', `another ${value}`] : ['them', `other ${value}s`];
	return [
		`Delete ${what} and check the service first: the service answered with ${which} ${named}.`,
	];
}

/**
 * Returns what to do after a run of which some rows were done or are unknown, and others are not done. Empty if no row was
 * done, if all were, or if the run itself failed.
 *
 * @param next what `recoveryAdvice` returned
 */
export function recoveryHint(
	{ contract, numbers }: Pick<ReportContext, 'contract' | 'numbers'>,
	next: string,
	{ states: rowStates, strays, isRunFailed }: ResultCollector,
): string {
	if (isRunFailed) return '';
	const states = [...rowStates.values()];
	const isPartial =
		states.length > 1 &&
		states.some((state) => state === 'done' || state === 'unknown') &&
		states.some((state) => state !== 'done');
	return [...strayAdvice(contract, numbers, strays), ...(isPartial ? [next] : [])].join(' ');
}
