import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { startN8n } from '../testkit/n8n/instance.ts';
import { Rest } from '../testkit/n8n/rest.ts';
import { freePorts } from '../testkit/ports.ts';
import type { Rows } from './account.ts';
import type { Access } from './contestants.ts';
import { hasEnded, readRun, type Stored } from './executions.ts';
import { cpuSeconds, isRunning, memoryMb, resetPeak, settled } from './proc.ts';
import type { Measure } from './results.ts';
import { apiKey } from './service.ts';
import { noOperation, trigger, workflowOf, type Node } from './workflow.ts';

/** No run of any scenario takes this many seconds. */
const longest = 1800;

/** A run of a workflow, with the CPU time and peak memory of the whole n8n while it ran. */
export type Run = Stored & Measure;

/** What a fresh n8n is started with. */
export interface Setup {
	/** An empty folder of its own. */
	folder: string;
	/** The packed package. */
	tarball: string;
	/** Address of the reference service. */
	service: string;
}

/** Creates the owner of a fresh n8n, and a credential for each kind of contestant. */
export async function accessOf(rest: Rest, service: string): Promise<Access> {
	await rest.setUpOwner({ email: 'bench@example.com', password: 'Bench-password-1' });
	const data = { baseUrl: service, apiKey };
	const link = await rest.addCredential('linkManagementApi', 'Service', data);
	const bearer = await rest.addCredential('httpBearerAuth', 'Bearer', { token: apiKey });
	return { service, link, bearer };
}

/** Starts n8n as one process with SQLite, with the package installed and a credential for each kind of contestant. */
export async function startOne({ folder, tarball, service }: Setup) {
	const files = join(folder, 'files');
	await mkdir(files, { recursive: true });
	const [port = 0] = await freePorts(2);
	const n8n = await startN8n({ folder, tarball, port, files });
	const rest = new Rest(n8n.url);
	const access = await accessOf(rest, service);
	const database = new DatabaseSync(join(folder, '.n8n', 'database.sqlite'), { readOnly: true });
	const stop = async () => {
		database.close();
		await n8n.stop();
	};
	return { ...n8n, rest, access, database, stop };
}

/** An n8n whose runs are measured. */
export class BenchN8n {
	private readonly n8n: Awaited<ReturnType<typeof startOne>>;

	private constructor(n8n: BenchN8n['n8n']) {
		this.n8n = n8n;
	}

	static async start(setup: Setup): Promise<BenchN8n> {
		const n8n = await startOne(setup);
		await settled(n8n.pid);
		return new BenchN8n(n8n);
	}

	get access(): Access {
		return this.n8n.access;
	}

	/** Runs a contestant over rows. */
	async run(node: Node, rows: Rows): Promise<Run> {
		const { rest, database, pid, log } = this.n8n;
		const workflow = workflowOf(node, rows);
		const { id } = await rest.call<{ id: string }>('POST', '/workflows', workflow);
		resetPeak(pid);
		const baseRssMb = memoryMb(pid, 'VmRSS');
		const before = cpuSeconds(pid);
		const execution = await rest.start(id, trigger);
		const deadline = Date.now() + longest * 1000;
		while (!hasEnded(database, execution)) {
			if (Date.now() > deadline) throw new Error(`A run took more than ${longest} s.`);
			await wait(100);
			if (isRunning(pid)) continue;
			throw new Error(`n8n ended during a run: ${(await readFile(log, 'utf8')).slice(-2000)}`);
		}
		const peakRssMb = memoryMb(pid, 'VmHWM');
		const used = cpuSeconds(pid) - before;
		return { baseRssMb, peakRssMb, cpuSeconds: used, ...readRun(database, execution) };
	}

	/** Returns the CPU seconds that n8n itself needs for the rows: the better of two runs with a node that does nothing. */
	async baseline(rows: Rows): Promise<number> {
		const first = await this.run(noOperation, rows);
		const second = await this.run(noOperation, rows);
		return Math.min(first.cpuSeconds, second.cpuSeconds);
	}

	async stop(): Promise<void> {
		await this.n8n.stop();
	}
}
