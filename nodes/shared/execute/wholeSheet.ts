import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { isEncoded } from '../contract/encodeRow';
import { scopeText } from '../contract/scope';
import type { Row } from './readRows';
import { isTool } from './report';

/** Why the rows of this run cannot be all that the sheet has; undefined where nothing speaks against it. */
function whyPartial(context: IExecuteFunctions): string | undefined {
	const node = context.getNode();
	if (isTool(node)) return 'an AI agent calls the node for one row at a time';
	if (node.executeOnce) return 'Execute Once gives the node the first row only';
	const before = new Set(context.getParentNodes(node.name).map(({ name }) => name));
	const isLoop = context.getChildNodes(node.name).some(({ name }) => before.has(name));
	if (isLoop) return 'the node is part of a loop, which gives it some of the rows at a time';
	const { $runIndex: run } = context.getWorkflowDataProxy(0);
	return Number(run) > 0 ? 'the node has run in this execution already' : undefined;
}

/**
 * Checks that what is in no row may be removed.
 *
 * @throws NodeOperationError where the rows cannot be the whole sheet
 */
export function checkWholeSheet(context: IExecuteFunctions): void {
	const reason = whyPartial(context);
	if (reason === undefined) return;
	throw new NodeOperationError(
		context.getNode(),
		`Others must be Keep here, because ${reason}, and the rest would be removed`,
		{ description: 'Nothing was sent. Set Others to Keep, or give the node all rows at once.' },
	);
}

/**
 * Checks that all rows have the same scope.
 *
 * @throws NodeOperationError where a row has another one, or one that cannot be
 */
export function checkScope(context: IExecuteFunctions, rows: readonly Row[]): void {
	const refuse = (message: string) =>
		new NodeOperationError(context.getNode(), message, { description: 'Nothing was sent.' });
	let first: { index: number; text: string } | undefined;
	for (const { index, encoded } of rows) {
		if (isEncoded(encoded)) {
			const text = scopeText(encoded.scope);
			first ??= { index, text };
			if (text !== first.text) {
				throw refuse(
					`Scope differs between rows: ${first.text} in row ${first.index + 1}, ${text} in row ${index + 1}; give all rows the same`,
				);
			}
		} else {
			const problem = encoded.find(({ isOfRun }) => isOfRun);
			if (problem) throw refuse(`${problem.field} ${problem.reason} (row ${index + 1})`);
		}
	}
}
