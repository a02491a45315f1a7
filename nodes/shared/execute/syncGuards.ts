import { isExpression, type IExecuteFunctions, type INode } from 'n8n-workflow';
import { isEncoded } from '../contract/encodedRow';
import type { ResourceContract } from '../contract/resourceTypes';
import { formParameters } from '../contract/formLayout';
import { scopeText } from '../contract/scope';
import { reasonText, choicesOf, isRecord, isUnset, shorten } from '../contract/values';
import type { UnmatchedAction } from '../contract/types';
import { nodeOptions, optionsCollection } from '../description/nodeOptions';
import { unmatchedActionField } from '../description/parameters';
import type { Row } from './readRows';
import { isTool, settingsError } from './nodeErrors';
import { capitalized, type RowNumbers } from './rowNumbers';
import type { Sheet } from './sheet';

/** Types of nodes that join several branches into one run. */
const joins = /\.(merge|compareDatasets)$/;

/**
 * Returns two nodes on branches from one node that lead to the node itself or to a node before it, so that it runs once for
 * each branch; undefined if there are none. Of branches from two triggers, an execution runs only one.
 */
function separateBranches(context: IExecuteFunctions, name: string): [string, string] | undefined {
	const parentsOf = (of: string) => context.getParentNodes(of);
	const all = new Map(
		[name, ...parentsOf(name).map((parent) => parent.name)].map((ancestor) => [
			ancestor,
			new Set(parentsOf(ancestor).map((parent) => parent.name)),
		]),
	);
	const joining = new Set(
		parentsOf(name).flatMap(({ name: of, type }) => (joins.test(type) ? of : [])),
	);
	for (const [node, before] of all) {
		if (joining.has(node) || before.has(node)) continue;
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

/** Returns why the run cannot have all rows of the sheet; undefined if it can. */
function partialReason(context: IExecuteFunctions): string | undefined {
	const node = context.getNode();
	if (isTool(node)) return 'an AI agent calls the node for one item at a time';
	if (node.executeOnce) return 'Execute Once passes only the first item to the node';
	const branches = separateBranches(context, node.name);
	if (branches) {
		return `the items come from "${branches[0]}" and from "${branches[1]}", and the node runs once for each`;
	}
	const before = new Set(context.getParentNodes(node.name).map(({ name }) => name));
	const isLoop = context.getChildNodes(node.name).some(({ name }) => before.has(name));
	if (isLoop) return 'the node is in a loop, which passes only some of the items at a time';
	const { $runIndex: run } = context.getWorkflowDataProxy(0);
	return Number(run) > 0 ? 'the node has already run in this execution' : undefined;
}

/** Returns the labels of the parameter for unmatched resources and of the choice that keeps them. */
function keepLabels(contract: ResourceContract) {
	const property = unmatchedActionField(contract);
	const keep: UnmatchedAction = 'keep';
	const choice = choicesOf(property).find(({ value }) => value === keep);
	return { field: property.displayName, keep: choice?.name ?? keep };
}

/**
 * Checks that the run can have all rows of the sheet, so that resources in no row may be removed.
 *
 * @throws NodeOperationError if it cannot
 */
export function checkCompleteSheet(context: IExecuteFunctions, contract: ResourceContract): void {
	const reason = partialReason(context);
	if (reason === undefined) return;
	const { field, keep } = keepLabels(contract);
	throw settingsError(
		context.getNode(),
		`${field} must be ${keep} here, because ${reason}: the ${contract.value}s of the other items would be removed`,
		`Nothing was sent. Set ${field} to ${keep}, or pass all items to the node at once. A Merge node joins branches.`,
	);
}

/** Max number of ranges of empty rows that an error names. */
const maxErrorRanges = 10;

/**
 * Checks that no row of Sync is empty while rows after it are not. A filter or an incomplete read may have emptied it, and its
 * resource would be removed.
 *
 * @throws NodeOperationError with the empty rows
 */
export function checkEmptyRows(
	node: INode,
	contract: ResourceContract,
	{ rows, empty, numbers }: Sheet,
): void {
	const last = rows.at(-1) ?? -1;
	const between = empty.filter((index) => index <= last);
	const [first] = between;
	if (first === undefined) return;
	if (rows.includes(first)) {
		throw settingsError(
			node,
			`${capitalized(numbers.row(first))} is empty and the only ${numbers.noun}, so all ${contract.value}s of the scope would be removed; fill it in`,
		);
	}
	const { field, keep } = keepLabels(contract);
	const { noun } = numbers;
	const [named, are, them, emptied] =
		between.length === 1
			? [numbers.row(first), 'is', 'it', noun]
			: [`${numbers.plural} ${numbers.ranges(between, maxErrorRanges)}`, 'are', 'them', `${noun}s`];
	throw settingsError(
		node,
		`${capitalized(named)} ${are} empty, but ${noun}s after ${them} are not; delete the empty ${emptied}, or set ${field} to ${keep}`,
		`Nothing was sent. The ${contract.value} of an empty ${noun} would be removed. If the source of the items has values there, correct the nodes before this one.`,
	);
}

/** Returns the paths and labels of the parameters that decide which resources Sync removes. */
const removalSettings = (
	contract: ResourceContract,
): ReadonlyArray<{ path: string; label: string }> => {
	const options = optionsCollection(contract).name;
	const { dryRun, maxRemovals, maxRemovalPercentage } = nodeOptions;
	return [
		{
			path: unmatchedActionField(contract).name,
			label: unmatchedActionField(contract).displayName,
		},
		...[dryRun, maxRemovals, maxRemovalPercentage].map(({ name, displayName }) => ({
			path: `${options}.${name}`,
			label: displayName,
		})),
	];
};

/**
 * Checks that expressions return the same removal settings for all rows.
 *
 * @throws NodeOperationError if a setting differs, or if an expression returns nothing
 */
export function checkSettings(
	context: IExecuteFunctions,
	contract: ResourceContract,
	{ rows, numbers }: Sheet,
): void {
	const node = context.getNode();
	const { parameters } = node;
	for (const { path, label } of removalSettings(contract)) {
		const [name = '', part] = path.split('.');
		const holder: unknown = parameters[name];
		const form: unknown = part === undefined || !isRecord(holder) ? holder : holder[part];
		if (!isExpression(form)) continue;
		const values = rows.map((index): unknown => context.getNodeParameter(path, index, ''));
		if (values.some(isUnset)) {
			throw settingsError(node, `${label} has an expression that returns no value; correct it`);
		}
		const different = values.findIndex((value) => String(value) !== String(values[0]));
		if (different < 0) continue;
		const named = [rows[0] ?? 0, rows[different] ?? 0].map((index) => numbers.row(index));
		throw settingsError(
			node,
			`${label} differs between ${numbers.noun}s (${named.join(' and ')}); set the same value for all`,
		);
	}
}

/**
 * Checks that all rows have the same scope. Invalid rows count as well.
 *
 * @throws NodeOperationError if a row has another scope, or an invalid one
 */
export function checkScope(node: INode, rows: readonly Row[], numbers: RowNumbers): void {
	let first: { index: number; text: string } | undefined;
	for (const { index, encoded, scope } of rows) {
		const problem = isEncoded(encoded) ? undefined : encoded.find(({ isRunLevel }) => isRunLevel);
		if (problem) throw settingsError(node, `${problem.field} ${reasonText(problem)}`);
		const text = isEncoded(encoded) ? scopeText(encoded.scope) : scope;
		if (text === undefined) continue;
		first ??= { index, text };
		if (text !== first.text) {
			throw settingsError(
				node,
				`${formParameters.syncScope.displayName} differs between ${numbers.noun}s: ${shorten(first.text, 200)} in ${numbers.row(first.index)}, ${shorten(text, 200)} in ${numbers.row(index)}; set the same scope for all`,
			);
		}
	}
}
