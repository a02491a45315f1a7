import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startN8n, type N8nOptions, type RunningN8n } from '../demo/n8n/instance.ts';
import { Rest } from '../demo/n8n/rest.ts';
import { freePorts } from '../demo/ports.ts';
import type { Rows } from './account.ts';
import type { Access } from './contestants.ts';
import { Executions, type Stored } from './executions.ts';
import { childWith, cpuSeconds, memoryMb, resetPeak, settled } from './proc.ts';
import type { Measure } from './results.ts';
import { apiKey } from './service.ts';
import { noOperation, trigger, workflowOf, type Steps } from './workflow.ts';

/** No run of any scenario takes this many seconds. */
const longest = 600;

/** A run of a workflow, with the CPU time and peak memory of the whole n8n while it ran. */
export type Run = Stored & Measure;

/** Starts an n8n whose heap may take so many MB. */
async function startWithHeap(options: N8nOptions, heapMb: number | undefined) {
	const before = process.env.NODE_OPTIONS;
	if (heapMb !== undefined) process.env.NODE_OPTIONS = `--max-old-space-size=${heapMb}`;
	try {
		return await startN8n(options);
	} finally {
		if (before === undefined) delete process.env.NODE_OPTIONS;
		else process.env.NODE_OPTIONS = before;
	}
}

/** What a fresh n8n is started with. */
export interface Setup {
	/** An empty folder of its own. */
	folder: string;
	/** The packed package. */
	tarball: string;
	/** Address of the reference service. */
	service: string;
	/** The most that its heap may take; n8n's default unless told. */
	heapMb?: number;
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

	static async start({ folder, tarball, service, heapMb }: Setup): Promise<BenchN8n> {
		const files = join(folder, 'files');
		await mkdir(files, { recursive: true });
		const [port = 0] = await freePorts(2);
		const n8n = await startWithHeap({ folder, tarball, port, files }, heapMb);
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
		const deadline = Date.now() + longest * 1000;
		while (!this.executions.hasEnded(execution)) {
			if (Date.now() > deadline) throw new Error(`A run took more than ${longest} s.`);
			await wait(100);
		}
		const cpu = cpuSeconds(this.pid) - before;
		return {
			cpuSeconds: cpu,
			baseRssMb,
			peakRssMb: memoryMb(this.pid, 'VmHWM'),
			...this.executions.read(execution),
		};
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
