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

/** A workflow that makes `count` rows and sends each through the Link node; its trigger is called Start. */
export function bulkWorkflow(
	operation: string,
	count: number,
	parameters: object,
	settings: object = {},
): Workflow {
	const rows = `={{ { rows: Array.from({ length: ${count} }, (_, i) => ({ alias: 'bulk-' + i })) } }}`;
	return {
		name: `${operation} ${count}`,
		nodes: [
			nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			nodeOf('Seed', 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput: rows, options: {} }),
			nodeOf('Rows', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'rows', options: {} }),
			linkNodeOf(
				'Links',
				{ operation, url: '=https://example.com/{{ $json.alias }}', options: {}, ...parameters },
				settings,
			),
		],
		connections: connected('Start', 'Seed', 'Rows', 'Links'),
		settings: { executionOrder: 'v1' },
	};
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
