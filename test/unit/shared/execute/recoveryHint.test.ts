import { linkContract } from '../../../../nodes/Link/link.contract';
import type { OperationName } from '../../../../nodes/shared/contract/types';
import type { RowOutcome } from '../../../../nodes/shared/execute/outcome';
import { ResultCollector } from '../../../../nodes/shared/execute/resultCollector';
import { RowNumbers } from '../../../../nodes/shared/execute/rowNumbers';
import { recoveryHintFor, recoveryHint } from '../../../../nodes/shared/execute/recoveryHint';
import { rowOf } from '../../../support/operationRun.ts';

const again = 'Fix the failed rows and run the whole sheet again: what is done stays as it is.';
const created = (hasStableKey: boolean, more: object = {}) => ({
	...{ index: 0, hasStableKey },
	encoded: rowOf('create', { url: 'https://example.com/', ...more }),
});

it.each<[operation: OperationName, ignoreMissing: boolean, advice: string]>([
	['upsert', false, again],
	['sync', false, again],
	['delete', true, again],
	[
		'delete',
		false,
		'Turn on Ignore Missing under Options, fix the failed rows, and run the whole sheet again.',
	],
	['get', false, 'Fix the failed rows and run the whole sheet again: reading changes nothing.'],
	[
		'create',
		false,
		'Remove the rows that are done or unknown, fix the others, and run them again.',
	],
])('advises how to go on with %s', (operation, ignoreMissing, advice) => {
	const rows = [created(false)];
	expect(recoveryHintFor(linkContract, operation, rows, ignoreMissing)).toBe(advice);
});

it('advises Create or Update if each row is found again', () => {
	const rows = [created(true), created(true, { domainId: 1, additionalFields: { alias: 'a' } })];
	const advice =
		'Fix the failed rows, switch Operation to Create or Update, and run the whole sheet again.';
	expect(recoveryHintFor(linkContract, 'create', rows.slice(1), false)).toBe(advice);
	expect(recoveryHintFor(linkContract, 'create', rows, false)).toMatch(
		/again\. Set .*Domain if the account has several\./,
	);
	const mixed = [...rows, created(false)];
	expect(recoveryHintFor(linkContract, 'create', mixed, false)).toMatch(/^Remove the rows/);
});

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
		'Delete it and check the service first: the service answered with another link in row 2 (ID 9).',
	],
	[
		'two left strays',
		[failed(1, { stray: 'ID 9' }), failed(0, { stray: 'ID 8' })],
		'Delete them and check the service first: the service answered with other links in row 1 (ID 8), row 2 (ID 9).',
	],
])('advises if %s', (_what, outcomes, hint) => {
	expect(hintOf(outcomes)).toBe(hint);
});

it('names no row if there is only one', () => {
	expect(hintOf([failed(0)], 1)).toBe('');
	expect(hintOf([failed(0, { stray: 'ID 9' })], 1, false)).toBe(
		'Delete it and check the service first: the service answered with another link (ID 9).',
	);
});
