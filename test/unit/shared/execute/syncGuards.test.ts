import { linkContract } from '../../../../nodes/Link/link.contract';
import { RowNumbers } from '../../../../nodes/shared/execute/sheet';
import { checkSyncSettings } from '../../../../nodes/shared/execute/syncGuards';
import { encodeOptions } from '../../../support/encodeOptions.ts';
import { errorOf, executionLike, type ExecutionLike } from '../../../support/execution.ts';

const merge = 'n8n-nodes-base.merge';

/** Checks a sync that deletes, as the node of a workflow. */
function check(execution: ExecutionLike) {
	const context = executionLike(execution);
	const items = Array.from({ length: 6 }, () => ({ json: {} }));
	const numbers = new RowNumbers(items, true);
	const run = { context, node: context.getNode(), contract: linkContract, items, numbers };
	checkSyncSettings(
		{ ...run, rows: [0], empty: [] },
		{ ...encodeOptions, unmatchedAction: 'delete' },
	);
}

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
	expect(errorOf(() => check(execution))).toBe(
		reason &&
			`Unmatched Links must be Keep here, because ${reason}: the links of the other items would be removed`,
	);
});
