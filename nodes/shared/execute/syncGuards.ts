import { isExpression, type IExecuteFunctions, type INode } from 'n8n-workflow';
import { isEncoded } from '../contract/encodedRow';
import type { ResourceContract } from '../contract/resourceTypes';
import { unmatchedActionField } from '../contract/unmatchedAction';
import { scopeText } from '../contract/scope';
import { isRecord, isUnset, shorten } from '../contract/values';
import { nodeOptions, optionsCollection } from '../description/nodeOptions';
import type { Row } from './readRows';
import { isTool, settingsError } from './nodeErrors';
import { capitalized, type RowNumbers } from './rowNumbers';
import type { Sheet } from './sheet';

/** Nodes that join several ways into one run. */
const joins = /\.(merge|compareDatasets)$/;

/**
 * Two nodes that get their items from the same place and hand them on to the same one, which then runs once for each: the
 * node itself, or one before it. Of two that have nothing before them in common, an execution runs one.
 */
function remedies(context: IExecuteFunctions, name: string): [string, string] | undefined {
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
function partialReason(context: IExecuteFunctions): string | undefined {
	const node = context.getNode();
	if (isTool(node)) return 'an AI agent calls the node for one row at a time';
	if (node.executeOnce) return 'Execute Once gives the node the first row only';
	const ways = remedies(context, node.name);
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
export function checkCompleteSheet(context: IExecuteFunctions, contract: ResourceContract): void {
	const reason = partialReason(context);
	if (reason === undefined) return;
	const { displayName } = unmatchedActionField(contract);
	throw settingsError(
		context.getNode(),
		`${displayName} must be Keep here, because ${reason}: what is in the other rows would be removed`,
		`Nothing was sent. Set ${displayName} to Keep, or give the node all rows at once; a Merge node joins several ways.`,
	);
}

/** Max number of ranges of empty rows that an error names. */
const maxRanges = 10;

/**
 * Checks that no row of Sync is empty while rows after it are not: a filter, or a read that broke, may have emptied it, and
 * what it held would be removed.
 *
 * @throws NodeOperationError naming the empty rows
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
			`${capitalized(numbers.row(first))} is the only one and empty, and all of the scope would be removed; fill it in`,
		);
	}
	const [named, are, them, emptied] =
		between.length === 1
			? [numbers.row(first), 'is', 'it', 'row']
			: [`${numbers.plural} ${numbers.ranges(between, maxRanges)}`, 'are', 'them', 'rows'];
	throw settingsError(
		node,
		`${capitalized(named)} ${are} empty, but rows after ${them} are not; delete the empty ${emptied}, or set ${unmatchedActionField(contract).displayName} to Keep`,
		'Nothing was sent. What an emptied row held would be removed. If the sheet has values there, correct the nodes before this one.',
	);
}

/** The settings of Sync that decide what is removed. */
const deciding = (contract: ResourceContract): ReadonlyArray<{ path: string; label: string }> => {
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
 * Checks that the settings of Sync that decide what is removed are the same for all rows, where expressions give them.
 *
 * @throws NodeOperationError where one differs, or where an expression gives nothing
 */
export function checkSettings(
	context: IExecuteFunctions,
	contract: ResourceContract,
	{ rows, numbers }: Sheet,
): void {
	const node = context.getNode();
	const { parameters } = node;
	for (const { path, label } of deciding(contract)) {
		const [name = '', part] = path.split('.');
		const holder: unknown = parameters[name];
		const form: unknown = part === undefined || !isRecord(holder) ? holder : holder[part];
		if (!isExpression(form)) continue;
		const given = rows.map((index): unknown => context.getNodeParameter(path, index, ''));
		if (given.some(isUnset))
			throw settingsError(node, `${label} has an expression that gives nothing; correct it`);
		const other = given.findIndex((value) => String(value) !== String(given[0]));
		if (other < 0) continue;
		const [one, two] = [rows[0] ?? 0, rows[other] ?? 0].map((index) => numbers.row(index));
		throw settingsError(
			node,
			`${label} differs between rows (${one} and ${two}); give all rows the same`,
		);
	}
}

/**
 * Checks that all rows have the same scope, also those that cannot be sent.
 *
 * @throws NodeOperationError where a row has another one, or one that cannot be
 */
export function checkScope(node: INode, rows: readonly Row[], numbers: RowNumbers): void {
	let first: { index: number; text: string } | undefined;
	for (const { index, encoded, scope } of rows) {
		const problem = isEncoded(encoded) ? undefined : encoded.find(({ isRunLevel }) => isRunLevel);
		if (problem) throw settingsError(node, `${problem.field} ${problem.reason}`);
		const text = isEncoded(encoded) ? scopeText(encoded.scope) : scope;
		if (text === undefined) continue;
		first ??= { index, text };
		if (text !== first.text) {
			throw settingsError(
				node,
				`Sync Scope differs between rows: ${shorten(first.text, 200)} in ${numbers.row(first.index)}, ${shorten(text, 200)} in ${numbers.row(index)}; give all rows the same`,
			);
		}
	}
}
