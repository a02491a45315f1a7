import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Rows } from './account.ts';
import type { Link, Measure } from './results.ts';
import type { Behavior } from './service.ts';

const run = promisify(execFile);

/** What the bare pool does with the rows. */
export interface PoolJob extends Rows {
	/** Address of the service, without a slash at its end. */
	service: string;
	operation: 'create' | 'list' | 'resync';
	/** Whether it creates links as they are before a resync. */
	isOld?: true;
	/** Connections, each with one request at a time. */
	concurrency: number;
	/** The limit of the service, which the pool knows beforehand. */
	throttle: Behavior['throttle'];
}

/** What the pool measured, and the links that it wrote or read. */
export interface PoolResult extends Measure {
	links: Link[];
}

/** Runs a bare undici pool in a process of its own, which measures itself. */
export async function runPool(job: PoolJob): Promise<PoolResult> {
	const program = join(import.meta.dirname, 'poolProcess.ts');
	const { stdout } = await run(process.execPath, [program, JSON.stringify(job)], {
		maxBuffer: 2 ** 28,
	});
	return JSON.parse(stdout) as PoolResult;
}
