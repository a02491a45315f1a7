import { linkContract } from '../../../../nodes/Link/link.contract';
import { finishRow } from '../../../../nodes/shared/contract/encode';
import { draftOf } from '../../../support/encodeRow.ts';
import { scopeText } from '../../../../nodes/shared/contract/scope';
import type { Row } from '../../../../nodes/shared/execute/outcome';
import { RowNumbers } from '../../../../nodes/shared/execute/sheet';
import { checkScope, checkSyncSettings } from '../../../../nodes/shared/execute/syncGuards';
import { encodeOptions } from '../../../support/encodeOptions.ts';
import { errorOf, executionLike, type ExecutionLike } from '../../../support/execution.ts';

const merge = 'n8n-nodes-base.merge';

const runLike = (execution: ExecutionLike = {}, { rows = [0], empty = [] as number[] } = {}) => {
	const context = executionLike(execution);
	const items = Array.from({ length: 6 }, () => ({ json: {} }));
	const numbers = new RowNumbers(items, true);
	const node = context.getNode();
	return { context, node, contract: linkContract, items, rows, empty, numbers };
};

const check = (execution: ExecutionLike, sheet: { rows: number[]; empty: number[] }) =>
	checkSyncSettings(runLike(execution, sheet), { ...encodeOptions, unmatchedAction: 'delete' });

it.each<[what: string, execution: ExecutionLike, reason: string | undefined]>([
	['all rows', {}, undefined],
	['a chain', { before: { Link: ['A', 'Start'], A: ['Start'] } }, undefined],
	['a tool', { node: { type: 'linkTool' } }, 'an AI agent calls the node for one item at a time'],
	[
		'Execute Once',
		{ node: { executeOnce: true } },
		'Execute Once passes only the first item to the node',
	],
	[
		'two ways',
		{ before: { Link: ['A', 'B', 'Start'], A: ['Start'], B: ['Start'] } },
		'the items come from "A" and from "B", and the node runs once for each',
	],
	[
		'two ways that a node joins',
		{
			before: {
				Link: ['M', 'A', 'B', 'Start'],
				M: ['A', 'B', 'Start'],
				A: ['Start'],
				B: ['Start'],
			},
			types: { M: merge },
		},
		undefined,
	],
	[
		'two ways before another node',
		{
			before: {
				Link: ['M', 'A', 'B', 'Start'],
				M: ['A', 'B', 'Start'],
				A: ['Start'],
				B: ['Start'],
			},
		},
		'the items come from "A" and from "B", and the node runs once for each',
	],
	['two triggers', { before: { Link: ['A', 'B'] } }, undefined],
	[
		'a loop',
		{ before: { Link: ['Loop'] }, after: ['Loop'] },
		'the node is in a loop, which passes only some of the items at a time',
	],
	['a second run', { run: 1 }, 'the node has already run in this execution'],
])('knows whether the rows may be all of the sheet: %s', (_what, execution, reason) => {
	expect(errorOf(() => check(execution, { rows: [0], empty: [] }))).toBe(
		reason &&
			`Unmatched Links must be Keep here, because ${reason}: the links of the other items would be removed`,
	);
});

it.each<[rows: number[], empty: number[], message: string | undefined]>([
	[[0, 1], [], undefined],
	[[0, 1], [2, 3], undefined],
	[
		[0, 2],
		[1],
		'Item 2 is empty, but items after it are not; delete the empty item, or set Unmatched Links to Keep',
	],
	[
		[0, 4],
		[1, 2, 5],
		'Items 2–3 are empty, but items after them are not; delete the empty items, or set Unmatched Links to Keep',
	],
	[
		[0],
		[0],
		'Item 1 is empty and the only item, so all links of the scope would be removed; fill it in',
	],
])('checks the rows %j with the empty ones %j', (rows, empty, message) => {
	expect(errorOf(() => check({}, { rows, empty }))).toBe(message);
});

it.each<[parameters: object, values: unknown[], message: string | undefined]>([
	[{ unmatchedLinks: 'delete' }, ['delete', 'keep'], undefined],
	[{ unmatchedLinks: '={{ $json.a }}' }, ['delete', 'delete'], undefined],
	[
		{ unmatchedLinks: '={{ $json.a }}' },
		['delete', 'keep'],
		'Unmatched Links differs between items: delete in item 1, keep in item 3; set the same value for all',
	],
	[
		{ options: { dryRun: '={{ $json.a }}' } },
		[true, ''],
		'Dry Run has an expression that returns no value; correct it',
	],
	[
		{ options: { maxRemovals: '={{ $json.a }}' } },
		[5, 6],
		'Max Removals differs between items: 5 in item 1, 6 in item 3; set the same value for all',
	],
	[{ options: { requests: { concurrency: '={{ $json.a }}' } } }, [5, 6], undefined],
])('checks the settings %j', (parameters, values, message) => {
	const valuesOf = (_name: string, item: number) => values[item / 2];
	const execution = { parameters: parameters as never, valuesOf };
	expect(errorOf(() => check(execution, { rows: [0, 2], empty: [3] }))).toBe(message);
});

/** A row of Sync as the nodes read it. */
function row(index: number, scope: object): Row {
	const parameters = { url: 'https://example.com/', alias: `a${index}`, syncScope: scope };
	const run = { contract: linkContract, operation: 'sync', options: encodeOptions } as const;
	const { row: encoded, problems } = finishRow(draftOf(run, parameters));
	return {
		index,
		encoded: problems.length > 0 ? problems : encoded,
		scope: scopeText(encoded.scope),
	};
}

it.each<[what: string, rows: Row[], message: string | undefined]>([
	['the same', [row(0, { domainId: 1 }), row(1, { domainId: '1' })], undefined],
	[
		'another one',
		[row(0, { domainId: 1 }), row(1, { domainId: 2 })],
		'Sync Scope differs between items: Domain 1 in item 1, Domain 2 in item 2; set the same value for all',
	],
	[
		'an empty one',
		[row(0, { domainId: 1 }), row(1, {})],
		'Sync Scope is empty; set at least one of Alias Starts With, Domain, Space',
	],
])('checks the scopes of rows: %s', (_what, rows, message) => {
	expect(errorOf(() => checkScope(runLike(), rows))).toBe(message);
});
