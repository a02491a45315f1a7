import { isExpression, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { isEncoded } from '../contract/encodeRow';
import { others } from '../contract/others';
import { scopeText } from '../contract/scope';
import type { ResourceContract } from '../contract/types';
import { isRecord, isUnset, shorten } from '../contract/values';
import { nodeOptions, optionsCollection } from '../description/nodeOptions';
import type { Row } from './readRows';
import { isTool } from './report';

/** Max number of characters of a scope in a message. */
const maxScope = 200;

/** Nodes that join several ways into one run. */
const joins = /\.(merge|compareDatasets)$/;

/**
 * Two nodes that get their items from the same place and hand them on to the same one, which then runs once for each: the
 * node itself, or one before it. Of two that have nothing before them in common, an execution runs one.
 */
function twoWays(context: IExecuteFunctions, name: string): [string, string] | undefined {
	const parentsOf = (of: string) => context.getParentNodes(of);
	const all = new Map(
		[name, ...parentsOf(name).map((parent) => parent.name)].map((one) => [
			one,
			new Set(parentsOf(one).map((parent) => parent.name)),
		]),
	);
	const joining = new Set(
		parentsOf(name).flatMap(({ name: of, type }) => (joins.test(type) ? of : [])),
	);
	for (const [one, before] of all) {
		if (joining.has(one) || before.has(one)) continue;
		const last = [...before].filter((parent) =>
			[...before].every((other) => other === parent || !all.get(other)?.has(parent)),
		);
		for (const parent of last.sort()) {
			const other = last.find(
				(sibling) =>
					sibling !== parent &&
					[...(all.get(parent) ?? [])].some((origin) => all.get(sibling)?.has(origin)),
			);
			if (other !== undefined) return [parent, other];
		}
	}
	return undefined;
}

/** Why the rows of this run cannot be all that the sheet has; undefined where nothing speaks against it. */
function whyPartial(context: IExecuteFunctions): string | undefined {
	const node = context.getNode();
	if (isTool(node)) return 'an AI agent calls the node for one row at a time';
	if (node.executeOnce) return 'Execute Once gives the node the first row only';
	const ways = twoWays(context, node.name);
	if (ways) {
		return `the rows come from "${ways[0]}" and from "${ways[1]}", and the node runs once for each`;
	}
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
		`Others must be Keep here, because ${reason}: what is in the other rows would be removed`,
		{
			description:
				'Nothing was sent. Set Others to Keep, or give the node all rows at once; a Merge node joins several ways.',
		},
	);
}

/** The settings of Sync that decide what is removed. */
const deciding = (contract: ResourceContract): ReadonlyArray<{ path: string; label: string }> => {
	const options = optionsCollection(contract).name;
	const { dryRun, maxRemovals, maxRemovalShare } = nodeOptions;
	return [
		{ path: others(contract).name, label: others(contract).displayName },
		...[dryRun, maxRemovals, maxRemovalShare].map(({ name, displayName }) => ({
			path: `${options}.${name}`,
			label: displayName,
		})),
	];
};

/**
 * Checks that the settings of Sync that decide what is removed are the same for all rows, where expressions give them.
 *
 * @throws NodeOperationError where one differs, or where an expression gives nothing
 */
export function checkSettings(context: IExecuteFunctions, contract: ResourceContract): void {
	const { parameters } = context.getNode();
	const refuse = (message: string) =>
		new NodeOperationError(context.getNode(), message, { description: 'Nothing was sent.' });
	for (const { path, label } of deciding(contract)) {
		const [name = '', part] = path.split('.');
		const holder: unknown = parameters[name];
		const form: unknown = part === undefined || !isRecord(holder) ? holder : holder[part];
		if (!isExpression(form)) continue;
		const given = context.getInputData().map((_, index): unknown => {
			return context.getNodeParameter(path, index, '');
		});
		if (given.some(isUnset))
			throw refuse(`${label} has an expression that gives nothing; correct it`);
		const other = given.findIndex((value) => String(value) !== String(given[0]));
		if (other >= 0)
			throw refuse(
				`${label} differs between rows (row 1 and row ${other + 1}); give all rows the same`,
			);
	}
}

/**
 * Checks that all rows have the same scope, also those that cannot be sent.
 *
 * @throws NodeOperationError where a row has another one, or one that cannot be
 */
export function checkScope(context: IExecuteFunctions, rows: readonly Row[]): void {
	const refuse = (message: string) =>
		new NodeOperationError(context.getNode(), message, { description: 'Nothing was sent.' });
	let first: { index: number; text: string } | undefined;
	for (const { index, encoded, scope } of rows) {
		const problem = isEncoded(encoded) ? undefined : encoded.find(({ isOfRun }) => isOfRun);
		if (problem) throw refuse(`${problem.field} ${problem.reason}`);
		const text = isEncoded(encoded) ? scopeText(encoded.scope) : scope;
		if (text === undefined) continue;
		first ??= { index, text };
		if (text !== first.text) {
			throw refuse(
				`Scope differs between rows: ${shorten(first.text, maxScope)} in row ${first.index + 1}, ${shorten(text, maxScope)} in row ${index + 1}; give all rows the same`,
			);
		}
	}
}
