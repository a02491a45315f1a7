import { linkContract } from '../../../../nodes/Link/link.contract';
import type { RowOutcome } from '../../../../nodes/shared/execute/outcome';
import { ResultCollector } from '../../../../nodes/shared/execute/resultCollector';
import { RowNumbers } from '../../../../nodes/shared/execute/rowNumbers';
import { recoveryHint } from '../../../../nodes/shared/execute/recoveryHint';

const done = (index: number): RowOutcome => ({
	index,
	result: { resources: [], outcome: 'created' },
});
const failed = (index: number, more: object = {}): RowOutcome => ({
	index,
	failure: { cause: 'rejected', message: '', advice: '', ...more },
});

function hintOf(outcomes: RowOutcome[], rows = 2, isMapped = true) {
	const indexes = Array.from({ length: rows }, (_, index) => index);
	const results = new ResultCollector(indexes, () => []);
	outcomes.forEach((outcome) => results.add(outcome));
	const numbers = new RowNumbers(
		indexes.map(() => ({ json: {} })),
		isMapped,
	);
	return recoveryHint({ contract: linkContract, numbers }, 'Go on.', results);
}

it.each<[what: string, outcomes: RowOutcome[], hint: string]>([
	['all done', [done(0), done(1)], ''],
	['some done', [done(0), failed(1)], 'Go on.'],
	['one not sent', [done(0)], 'Go on.'],
	['one unknown', [failed(0, { outcome: 'unknown' })], 'Go on.'],
	['none done', [failed(0), failed(1)], ''],
	['the run itself failed', [done(0), failed(1, { isRunLevel: true })], ''],
	[
		'one left a stray',
		[failed(1, { stray: 'ID 9' })],
		'Check the service first, and delete it: the service returned another link for item 2 (ID 9).',
	],
	[
		'two left strays',
		[failed(1, { stray: 'ID 9' }), failed(0, { stray: 'ID 8' })],
		'Check the service first, and delete them: the service returned other links for item 1 (ID 8), item 2 (ID 9).',
	],
])('advises if %s', (_what, outcomes, hint) => {
	expect(hintOf(outcomes)).toBe(hint);
});

it('names no row if there is only one', () => {
	expect(hintOf([failed(0)], 1)).toBe('');
	expect(hintOf([failed(0, { stray: 'ID 9' })], 1, false)).toBe(
		'Check the service first, and delete it: the service returned another link (ID 9).',
	);
});
