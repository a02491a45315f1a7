import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import type { Workflow } from './rest.ts';
import { connected, nodeOf } from './bulk.ts';

/** What a webhook call asks for: the link of that ID shall lead there. */
export interface Call {
	id: number;
	url: string;
}

/** Where a link leads before a burst, and after it. */
export const urlBefore = (index: number): string => `https://example.com/before/${index}`;
export const urlAfter = (index: number): string => `https://example.com/after/${index}`;

const path = 'burst';

/** Webhook → a node, under the name Target: one execution for each call, answered before it ends. */
export const burstWorkflow = (target: Omit<Workflow['nodes'][number], 'name'>): Workflow => {
	const node = { id: 'Target', position: [200, 0], ...target, name: 'Target' };
	const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} };
	const webhookId = { webhookId: 'b0a3c6de-51f0-4a35-8d6b-1f0f0f0f0f0f' };
	return {
		name: 'Burst',
		nodes: [nodeOf('Webhook', 'n8n-nodes-base.webhook', 2.1, parameters, webhookId), node],
		connections: connected('Webhook', 'Target'),
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'all' },
	};
};

/** Makes all calls at the same time, and returns those that n8n did not accept, with the status that it answered with. */
export async function callAll(n8nUrl: string, calls: readonly Call[]) {
	const answers = calls.map(async (call) => {
		const { statusCode: status, body } = await request(`${n8nUrl}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(call),
			// n8n needs a while to accept hundreds.
			headersTimeout: 240_000,
		});
		await body.dump();
		return status === 200 ? [] : [{ call, status }];
	});
	return (await Promise.all(answers)).flat();
}

/** Rows of n8n's own database. */
export type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/** One execution as n8n stores it; times in milliseconds since 1970. */
export interface Ended {
	id: string;
	status: string;
	/** When n8n took the call. */
	createdAt: number;
	stoppedAt: number;
	/** Whether a worker began it. */
	hasStarted: boolean;
}

/** A time as SQLite gives it, which has no zone, or PostgreSQL, which says `+00`. */
const timeOf = (value: unknown): number =>
	Date.parse(
		`${String(value)
			.replace(' ', 'T')
			.replace(/(Z|\+00)$/, '')}Z`,
	);

/** The executions of a workflow that have ended. */
async function endedOf(query: Query, workflowId: string): Promise<Ended[]> {
	const rows = await query(
		`SELECT id, status, "createdAt" AS created, "stoppedAt" AS stopped, "startedAt" AS started FROM execution_entity
		WHERE "workflowId" = '${workflowId}' AND "stoppedAt" IS NOT NULL ORDER BY id`,
	);
	return rows.map(({ id, status, created, stopped, started }) => ({
		id: String(id),
		status: String(status),
		createdAt: timeOf(created),
		stoppedAt: timeOf(stopped),
		// The client of PostgreSQL prints nothing for no value.
		hasStarted: Boolean(started),
	}));
}

/**
 * Waits until so many executions of a workflow have ended, and returns them.
 *
 * @param patience seconds after which it gives up
 * @throws Error that says how many have ended
 */
export async function allEnded(
	query: Query,
	workflowId: string,
	count: number,
	patience: number,
): Promise<Ended[]> {
	const deadline = Date.now() + patience * 1000;
	for (;;) {
		const ended = await endedOf(query, workflowId);
		if (ended.length >= count) return ended;
		if (Date.now() > deadline) {
			throw new Error(`${ended.length} of ${count} executions ended within ${patience} s.`);
		}
		await wait(500);
	}
}
