import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'flatted';
import { contestant } from './workflow.ts';

/** What n8n stored about the contestant's run. */
export interface Stored {
	status: string;
	/** From the start of the node to its end, all its tries included; of several nodes, together. */
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

/**
 * The executions of an n8n, read from its SQLite file and not over its REST interface: so asking whether a run has
 * ended, and fetching 10,000 items, takes none of the CPU time and memory that are being measured.
 */
export class Executions {
	private readonly database: DatabaseSync;

	/** @param folder the user folder of the n8n */
	constructor(folder: string) {
		const file = join(folder, '.n8n', 'database.sqlite');
		this.database = new DatabaseSync(file, { readOnly: true });
	}

	/** Whether n8n has stored the run's end and its data. */
	hasEnded(id: string): boolean {
		const row = this.database
			.prepare('SELECT stoppedAt FROM execution_entity WHERE id = ?')
			.get(Number(id));
		return typeof row?.stoppedAt === 'string';
	}

	/** @throws where the run ended before the contestant did */
	read(id: string): Stored {
		const row = this.database
			.prepare(
				'SELECT status, data FROM execution_entity JOIN execution_data ON executionId = id WHERE id = ?',
			)
			.get(Number(id));
		const { resultData } = parse(String(row?.data)) as RunData;
		const [run] = resultData.runData[contestant] ?? [];
		if (!run) throw new Error(`The workflow stopped early: ${resultData.error?.message}`);
		const items = run.data?.main.flatMap((output) => output ?? []) ?? [];
		const times = Object.entries(resultData.runData)
			.filter(([name]) => name.startsWith(contestant))
			.flatMap(([, runs]) => runs.map(({ executionTime }) => executionTime));
		return {
			status: String(row?.status),
			seconds: times.reduce((sum, time) => sum + time, 0) / 1000,
			items: items.map(({ json }) => json),
		};
	}

	close(): void {
		this.database.close();
	}
}
