import { setTimeout as wait } from 'node:timers/promises';
import type { Execution, Rest, Workflow } from './rest.ts';

/** A node of a workflow, before a credential is chosen. */
export const nodeOf = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: object,
	settings: object = {},
) => ({ id: name, name, type, typeVersion, position: [0, 0], parameters, ...settings });

/** The Link node, which fills the domain of all rows by hand. */
export const linkNodeOf = (name: string, parameters: object, settings: object = {}) =>
	nodeOf(
		name,
		'n8n-nodes-link-management.link',
		1,
		{ resource: 'link', domainId: { __rl: true, mode: 'id', value: '1' }, ...parameters },
		settings,
	);

/** Connects nodes in a row. */
export const connected = (...names: string[]) =>
	Object.fromEntries(
		names
			.slice(0, -1)
			.map((name, at) => [name, { main: [[{ node: names[at + 1], type: 'main', index: 0 }]] }]),
	);

/** The name of the trigger of the workflows below. */
export const trigger = 'Start';

/**
 * A workflow that sends rows to a node, one item each.
 *
 * @param rows an expression that makes a list of them; without it, the node gets one empty item
 */
export function rowsWorkflow(
	name: string,
	node: Workflow['nodes'][number],
	rows?: string,
): Workflow {
	const seed = { mode: 'raw', jsonOutput: `={{ { rows: ${rows} } }}`, options: {} };
	const split = { fieldToSplitOut: 'rows', options: {} };
	const source = [
		nodeOf('Seed', 'n8n-nodes-base.set', 3.4, seed),
		nodeOf('Rows', 'n8n-nodes-base.splitOut', 1, split),
	];
	const start = nodeOf(trigger, 'n8n-nodes-base.manualTrigger', 1, {});
	const nodes = [start, ...(rows === undefined ? [] : source), node];
	const connections = connected(...nodes.map((each) => each.name));
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}

/** A workflow that sends `count` rows through the Link node. */
export function bulkWorkflow(
	operation: string,
	count: number,
	parameters: object,
	settings: object = {},
): Workflow {
	const url = '=https://example.com/{{ $json.alias }}';
	const node = linkNodeOf('Links', { operation, url, options: {}, ...parameters }, settings);
	const rows = `Array.from({ length: ${count} }, (_, i) => ({ alias: 'bulk-' + i }))`;
	return rowsWorkflow(`${operation} ${count}`, node, rows);
}

/** Waits until an execution has ended. */
export async function finished(rest: Rest, executionId: string): Promise<Execution> {
	for (;;) {
		const execution = await rest.ended(executionId);
		if (execution) return execution;
		await wait(300);
	}
}

/** The hint that closes a run, out of the execution's serialized data. */
export const hintIn = ({ data }: Execution): string | undefined =>
	/\d+ (?:items?|rows?): [^"]*/.exec(data)?.[0];
