import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startN8n, type RunningN8n } from '../demo/n8n/instance.ts';
import { Rest } from '../demo/n8n/rest.ts';
import { freePorts } from '../demo/ports.ts';
import type { Rows } from './account.ts';
import type { Access } from './contestants.ts';
import { Executions, type Stored } from './executions.ts';
import { childWith, cpuSeconds, isRunning, memoryMb, resetPeak, settled } from './proc.ts';
import type { Measure } from './results.ts';
import { apiKey } from './service.ts';
import { noOperation, trigger, workflowOf, type Steps } from './workflow.ts';

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

/** A fresh n8n with the package installed and a credential for each kind of contestant. */
export class BenchN8n {
	readonly access: Access;
	private readonly n8n: RunningN8n;
	private readonly rest: Rest;
	private readonly pid: number;
	private readonly executions: Executions;

	private constructor(n8n: RunningN8n, rest: Rest, pid: number, folder: string, access: Access) {
		this.n8n = n8n;
		this.rest = rest;
		this.pid = pid;
		this.executions = new Executions(folder);
		this.access = access;
	}

	static async start({ folder, tarball, service }: Setup): Promise<BenchN8n> {
		const files = join(folder, 'files');
		await mkdir(files, { recursive: true });
		const [port = 0] = await freePorts(2);
		const n8n = await startN8n({ folder, tarball, port, files });
		const rest = new Rest(n8n.url);
		await rest.setUpOwner({ email: 'bench@example.com', password: 'Bench-password-1' });
		const link = await rest.addCredential('linkManagementApi', 'Service', {
			baseUrl: service,
			apiKey,
		});
		const bearer = await rest.addCredential('httpBearerAuth', 'Bearer', { token: apiKey });
		const access = { service, link, bearer };
		const pid = childWith('N8N_PORT', String(port));
		await settled(pid);
		return new BenchN8n(n8n, rest, pid, folder, access);
	}

	/** Whether the n8n still runs: one that ran out of memory has ended. */
	get isAlive(): boolean {
		return isRunning(this.pid);
	}

	/** What a run came to that took more memory than the heap may have: no items. */
	private async outOfMemory(startedAt: number, measured: Omit<Measure, 'seconds'>): Promise<Run> {
		const log = await readFile(this.n8n.log, 'utf8');
		if (!log.includes('heap out of memory')) throw new Error(`n8n ended: ${log.slice(-2000)}`);
		const seconds = (Date.now() - startedAt) / 1000;
		return { ...measured, seconds, status: 'out of memory', items: [] };
	}

	/** Runs a contestant over rows. */
	async run(steps: Steps, rows: Rows): Promise<Run> {
		const { id } = await this.rest.call<{ id: string }>(
			'POST',
			'/workflows',
			workflowOf(steps, rows),
		);
		resetPeak(this.pid);
		const baseRssMb = memoryMb(this.pid, 'VmRSS');
		const before = cpuSeconds(this.pid);
		const execution = await this.rest.start(id, trigger);
		const startedAt = Date.now();
		const measure = () => ({
			baseRssMb,
			peakRssMb: memoryMb(this.pid, 'VmHWM'),
			cpuSeconds: cpuSeconds(this.pid) - before,
		});
		let measured = measure();
		while (!this.executions.hasEnded(execution)) {
			if (Date.now() > startedAt + longest * 1000)
				throw new Error(`A run took more than ${longest} s.`);
			await wait(100);
			if (!this.isAlive) return await this.outOfMemory(startedAt, measured);
			measured = measure();
		}
		return { ...measure(), ...this.executions.read(execution) };
	}

	/** CPU seconds that n8n itself spends on so many rows: the better of two runs with a node that does nothing. */
	async baseline(rows: Rows): Promise<number> {
		const nothing = { chain: [noOperation] };
		const first = await this.run(nothing, rows);
		const second = await this.run(nothing, rows);
		return Math.min(first.cpuSeconds, second.cpuSeconds);
	}

	async stop(): Promise<void> {
		this.executions.close();
		await this.n8n.stop();
	}
}
