import { type IExecuteFunctions, isExpression } from 'n8n-workflow';
import { isEncoded } from '../contract/encodedRow';
import { formParameters } from '../contract/layout';
import { isRecord, isUnset, reasonText, shorten } from '../contract/values';
import type { EncodeOptions } from '../contract/types';
import { nodeOptions, optionsName } from '../description/nodeOptions';
import { unmatchedActionField } from '../description/parameters';
import { settingsError } from './errors';
import type { Row } from './outcome';
import { isTool, type NodeRun } from './sheet';
import { capitalized, inflected } from '../contract/wording';

/** Types of nodes that join several branches into one run. */
const joins = /\.(merge|compareDatasets)$/;

/**
 * Returns two nodes on branches from one node that lead to the node itself or to a node before it, so that it runs once for
 * each branch; undefined if there are none. Of branches from two triggers, an execution runs only one.
 */
function separateBranches(context: IExecuteFunctions, name: string): string | undefined {
	const parents = context.getParentNodes(name);
	const namesBefore = (node: string) => context.getParentNodes(node).map((parent) => parent.name);
	const ancestors = new Map(
		[name, ...namesBefore(name)].map((node) => [node, new Set(namesBefore(node))]),
	);
	const joining = parents.filter(({ type }) => joins.test(type)).map((parent) => parent.name);
	const isBefore = (node: string, other: string) => ancestors.get(other)?.has(node) === true;
	for (const [node, set] of ancestors) {
		if (joining.includes(node) || set.has(node)) continue;
		const before = [...set];
		const direct = before
			.filter((each) => !before.some((other) => other !== each && isBefore(each, other)))
			.sort();
		for (const [at, one] of direct.entries()) {
			const hasOrigin = (other: string) =>
				before.some((origin) => isBefore(origin, one) && isBefore(origin, other));
			const other = direct.slice(at + 1).find(hasOrigin);
			if (other !== undefined) return `"${one}" and from "${other}"`;
		}
	}
	return undefined;
}

/** Returns why the run cannot have all rows of the sheet; undefined if it can. */
function partialReason({ context, node }: NodeRun): string | undefined {
	if (isTool(node)) return 'an AI agent calls the node for one item at a time';
	if (node.executeOnce === true) return 'Execute Once passes only the first item to the node';
	const branches = separateBranches(context, node.name);
	if (branches) return `the items come from ${branches}, and the node runs once for each`;
	const before = new Set(context.getParentNodes(node.name).map(({ name }) => name));
	const isLooped = context.getChildNodes(node.name).some(({ name }) => before.has(name));
	if (isLooped) return 'the node is in a loop, which passes only some of the items at a time';
	const hasRun = Number(context.getWorkflowDataProxy(0).$runIndex) > 0;
	return hasRun ? 'the node has already run in this execution' : undefined;
}

/** Checks that the run can have all rows of the sheet. */
function checkCompleteSheet(run: NodeRun): void {
	const reason = partialReason(run);
	if (reason === undefined) return;
	const { displayName } = unmatchedActionField(run.contract);
	throw settingsError(
		run.node,
		`${displayName} must be Keep here, because ${reason}: the ${run.contract.value}s of the other items would be removed`,
		`Nothing was sent. Set ${displayName} to Keep, or pass all items to the node at once. A Merge node joins branches.`,
	);
}

/** Checks that no row is empty while rows after it are not. A filter or an incomplete read may have emptied it. */
function checkEmptyRows({ node, contract, rows, empty, numbers }: NodeRun): void {
	const last = rows.at(-1) ?? -1;
	const between = empty.filter((index) => index <= last);
	if (between.length === 0) return;
	const { noun } = numbers;
	const { value } = contract;
	const shown = capitalized(numbers.rows(between));
	const isOnly = between.includes(last);
	const text = inflected(between.length);
	const { displayName } = unmatchedActionField(contract);
	throw settingsError(
		node,
		isOnly
			? `${shown} is empty and the only ${noun}, so all ${value}s of the scope would be removed; fill it in`
			: text`${shown} [is|are] empty, but ${noun}s after [it|them] are not; delete the empty ${noun}[|s], or set ${displayName} to Keep`,
		`Nothing was sent. The ${value} of an empty ${noun} would be removed. If the source of the items has values there, correct the nodes before this one.`,
	);
}

/** The value of a setting in a row, by the index of the row. */
type RowValue = readonly [index: number, text: string];

/** Checks that a setting has the same value for all rows. */
function checkSame({ node, numbers }: NodeRun, label: string, values: readonly RowValue[]): void {
	const [first] = values;
	const other = values.find(([, text]) => text !== first?.[1]);
	if (!first || !other) return;
	const texts = [first, other].map(
		([index, text]) => `${shorten(text, 200)} in ${numbers.row(index)}`,
	);
	throw settingsError(
		node,
		`${label} differs between ${numbers.noun}s: ${texts.join(', ')}; set the same value for all`,
	);
}

/** Checks that expressions return the same value for all rows in each parameter that decides what Sync removes. */
function checkEqualSettings(run: NodeRun): void {
	const { context, node, contract, rows } = run;
	const { dryRun, maxRemovals, maxRemovalPercentage } = nodeOptions;
	const action = unmatchedActionField(contract);
	const options: unknown = node.parameters[optionsName];
	const settings = [
		{ ...action, path: action.name, form: node.parameters[action.name] },
		...[dryRun, maxRemovals, maxRemovalPercentage].map(({ name, displayName }) => ({
			...{ displayName, path: `${optionsName}.${name}` },
			form: isRecord(options) ? options[name] : options,
		})),
	];
	for (const { displayName, path, form } of settings) {
		if (!isExpression(form)) continue;
		const values = rows.map((index): unknown => context.getNodeParameter(path, index, ''));
		if (values.some(isUnset)) {
			const message = `${displayName} has an expression that returns no value; correct it`;
			throw settingsError(node, message);
		}
		const texts = values.map((value, at): RowValue => [rows[at] ?? 0, String(value)]);
		checkSame(run, displayName, texts);
	}
}

/**
 * Checks the settings of Sync: they are the same for all rows, and resources in no row are kept unless the run has all rows of
 * the sheet.
 *
 * @throws NodeOperationError if a resource could be removed that is in the sheet
 */
export function checkSyncSettings(run: NodeRun, { unmatchedAction }: EncodeOptions): void {
	checkEqualSettings(run);
	if (unmatchedAction === 'keep') return;
	checkCompleteSheet(run);
	checkEmptyRows(run);
}

/**
 * Checks that all rows have the same scope. Invalid rows count as well.
 *
 * @throws NodeOperationError if a row has another scope, or an invalid one
 */
export function checkScope(run: NodeRun, rows: readonly Row[]): void {
	const scopes = rows.flatMap(({ index, encoded, scope }): RowValue[] => {
		const problem = isEncoded(encoded) ? undefined : encoded.find(({ isRunLevel }) => isRunLevel);
		if (problem) throw settingsError(run.node, `${problem.field} ${reasonText(problem)}`);
		return scope === undefined ? [] : [[index, scope]];
	});
	checkSame(run, formParameters.syncScope.displayName, scopes);
}
