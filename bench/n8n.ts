import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { trigger } from '../testkit/n8n/bulk.ts';
import type { Query } from '../testkit/n8n/burst.ts';
import { startN8n } from '../testkit/n8n/instance.ts';
import { readExecutionData, Rest } from '../testkit/n8n/rest.ts';
import { freePorts } from '../testkit/ports.ts';
import type { RunningService } from '../testkit/service/index.ts';
import type { Rows } from './account.ts';
import type { Access } from './contestants.ts';
import { cpuSeconds, isRunning, memoryMb, resetPeak } from './proc.ts';
import type { Measure } from './results.ts';
import { apiKey } from './service.ts';
import { contestant, noOperation, workflowOf, type Node } from './workflow.ts';

/** No run of any scenario takes this many seconds. */
const longest = 1800;

/** What all scenarios share. */
export interface Bench {
	/** Only the processes of n8n are measured, so that the service may run in this one. */
	service: RunningService;
	/** The packed package. */
	tarball: string;
	/** For the folders of the n8n instances. */
	folder: string;
	show(line: string): void;
}

/** Creates the owner of a fresh n8n, and a credential for each kind of contestant. */
export async function accessOf(rest: Rest, service: string): Promise<Access> {
	await rest.setUpOwner({ email: 'bench@example.com', password: 'Bench-password-1' });
	const data = { baseUrl: service, apiKey };
	const link = await rest.addCredential('linkManagementApi', 'Service', data);
	const bearer = await rest.addCredential('httpBearerAuth', 'Bearer', { token: apiKey });
	return { service, link, bearer };
}

/** Starts n8n as one process with SQLite in an empty folder, with the package and a credential for each kind of contestant. */
export async function startOne({ tarball, service }: Bench, folder: string) {
	const files = join(folder, 'files');
	await mkdir(files, { recursive: true });
	const [port = 0] = await freePorts(2);
	const n8n = await startN8n({ folder, tarball, port, files });
	const rest = new Rest(n8n.url);
	const access = await accessOf(rest, service.url);
	const database = new DatabaseSync(join(folder, '.n8n', 'database.sqlite'), { readOnly: true });
	const query: Query = async (sql) => database.prepare(sql).all();
	const stop = async () => {
		database.close();
		await n8n.stop();
	};
	return { ...n8n, rest, access, query, stop };
}

/** An n8n as one process. */
export type OneN8n = Awaited<ReturnType<typeof startOne>>;

/** A run of a workflow, with the CPU time and peak memory of the whole n8n while it ran. */
export interface Run extends Measure {
	status: string;
	/** The JSON of the output items of the contestant. */
	items: unknown[];
}

/** The data that n8n stores of an execution. */
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
 * Reads what n8n stored about the contestant's run. Runs are read from n8n's SQLite file and not over its REST interface: so
 * neither asking whether a run has ended nor fetching 10,000 items takes any of the CPU time and memory that are measured.
 *
 * @throws Error if the run ended before the contestant did
 */
async function readRun(
	query: Query,
	id: string,
): Promise<Pick<Run, 'items' | 'seconds' | 'status'>> {
	const [row] = await query(
		`SELECT status, data FROM execution_entity JOIN execution_data ON executionId = id WHERE id = ${id}`,
	);
	const { resultData } = readExecutionData(String(row?.data)) as RunData;
	const [run] = resultData.runData[contestant] ?? [];
	if (!run) throw new Error(`The workflow stopped early: ${resultData.error?.message}`);
	const items = run.data?.main.flatMap((output) => output ?? []) ?? [];
	return {
		status: String(row?.status),
		// From the start of the node to its end, all its tries included.
		seconds: run.executionTime / 1000,
		items: items.map(({ json }) => json),
	};
}

/** Runs a contestant over rows. */
export async function runOn(n8n: OneN8n, node: Node, rows: Rows): Promise<Run> {
	const { rest, query, pid, log } = n8n;
	const { id } = await rest.call<{ id: string }>('POST', '/workflows', workflowOf(node, rows));
	resetPeak(pid);
	const baseRssMb = memoryMb(pid, 'VmRSS');
	const before = cpuSeconds(pid);
	const execution = await rest.start(id, trigger);
	const hasEnded = `SELECT 1 FROM execution_entity WHERE id = ${execution} AND stoppedAt IS NOT NULL`;
	const deadline = Date.now() + longest * 1000;
	while ((await query(hasEnded)).length === 0) {
		if (Date.now() > deadline) throw new Error(`A run took more than ${longest} s.`);
		await wait(100);
		if (isRunning(pid)) continue;
		throw new Error(`n8n ended during a run: ${(await readFile(log, 'utf8')).slice(-2000)}`);
	}
	const peakRssMb = memoryMb(pid, 'VmHWM');
	const used = cpuSeconds(pid) - before;
	return { baseRssMb, peakRssMb, cpuSeconds: used, ...(await readRun(query, execution)) };
}

/** Returns the CPU seconds that n8n itself needs for the rows: the better of two runs with a node that does nothing. */
export async function baselineOf(n8n: OneN8n, rows: Rows): Promise<number> {
	const first = await runOn(n8n, noOperation, rows);
	const second = await runOn(n8n, noOperation, rows);
	return Math.min(first.cpuSeconds, second.cpuSeconds);
}
