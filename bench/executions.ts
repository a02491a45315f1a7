import type { DatabaseSync } from 'node:sqlite';
import { readExecutionData } from '../testkit/n8n/rest.ts';
import { contestant } from './workflow.ts';

/** What n8n stored about the contestant's run. */
export interface Stored {
	status: string;
	/** From the start of the node to its end, all its tries included. */
	seconds: number;
	/** The JSON of its output items. */
	items: unknown[];
}

interface RunData {
	resultData: {
		error?: { message: string };
		runData: Record<
			string,
			{ executionTime: number; data?: { main: ({ json: unknown }[] | null)[] } }[]
		>;
	};
}

// Runs are read from n8n's SQLite file and not over its REST interface: so neither asking whether a run has ended nor fetching
// 10,000 items takes any of the CPU time and memory that are measured.

/** Whether n8n has stored the end of a run and its data. */
export function hasEnded(database: DatabaseSync, id: string): boolean {
	const row = database
		.prepare('SELECT stoppedAt FROM execution_entity WHERE id = ?')
		.get(Number(id));
	return typeof row?.stoppedAt === 'string';
}

/** @throws Error if the run ended before the contestant did */
export function readRun(database: DatabaseSync, id: string): Stored {
	const row = database
		.prepare(
			'SELECT status, data FROM execution_entity JOIN execution_data ON executionId = id WHERE id = ?',
		)
		.get(Number(id));
	const { resultData } = readExecutionData(String(row?.data)) as RunData;
	const [run] = resultData.runData[contestant] ?? [];
	if (!run) throw new Error(`The workflow stopped early: ${resultData.error?.message}`);
	const items = run.data?.main.flatMap((output) => output ?? []) ?? [];
	return {
		status: String(row?.status),
		seconds: run.executionTime / 1000,
		items: items.map(({ json }) => json),
	};
}
