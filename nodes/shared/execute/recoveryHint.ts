import { cutText, joinTexts } from './byteLimits';
import type { ReportContext } from './nodeErrors';
import type { ResultCollector } from './resultCollector';
import type { RowNumbers } from './rowNumbers';
import type { ResourceContract } from '../contract/resourceTypes';

/** Max bytes of the text about one stray resource, and about all stray resources. */
const maxStray = 150;
const maxStrays = 1200;

/** Returns what to do about resources that the service created instead of the requested resources. */
function strayAdvice(
	{ value }: ResourceContract,
	numbers: RowNumbers,
	strays: ResultCollector['strays'],
): string[] {
	if (strays.size === 0) return [];
	const inOrder = [...strays].sort(([a], [b]) => a - b);
	const texts = inOrder.map(([index, stray]) => {
		const text = cutText(stray, maxStray);
		return numbers.isSingle ? `(${text})` : numbers.row(index, text);
	});
	const named = `${numbers.isSingle ? '' : 'for '}${joinTexts(texts, ', ', maxStrays)}`;
	const [pronoun, resources] =
		strays.size === 1 ? ['it', `another ${value}`] : ['them', `other ${value}s`];
	return [
		`Check the service first, and delete ${pronoun}: the service returned ${resources} ${named}.`,
	];
}

/**
 * Returns what to do after a run that completed only some of its rows. Returns an empty text for any other run, and for a
 * failure of the whole run.
 *
 * @param recovery the sentence of the operation
 */
export function recoveryHint(
	{ contract, numbers }: Pick<ReportContext, 'contract' | 'numbers'>,
	recovery: string,
	{ states: rowStates, strays, isRunFailed, stopping }: ResultCollector,
): string {
	if (isRunFailed || stopping?.failure.cause === 'unsupported') return '';
	const states = [...rowStates.values()];
	const isPartial =
		states.length > 1 &&
		states.some((state) => state === 'done' || state === 'unknown') &&
		states.some((state) => state !== 'done');
	return [...strayAdvice(contract, numbers, strays), ...(isPartial ? [recovery] : [])].join(' ');
}
