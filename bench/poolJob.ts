import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Settings } from '../testkit/service/index.ts';
import type { Link, Measure } from './results.ts';

const run = promisify(execFile);

/** What the bare pool does. */
export interface PoolJob {
	/** Address of the service, without a slash at its end. */
	service: string;
	apiKey: string;
	operation: 'create' | 'list' | 'resync';
	/** Number of the first row. */
	first: number;
	rows: number;
	/** Whether it creates links as they are before a resync. */
	isOld?: true;
	/** Connections, each with one request at a time. */
	concurrency: number;
	/** The limit of the service, which the pool knows beforehand. */
	throttle: Settings['throttle'];
}

/** What the pool measured, and the links that it wrote or read. */
export interface PoolResult extends Measure {
	links: Link[];
}

/** Runs a bare undici pool in a process of its own, which measures itself. */
export async function runPool(job: PoolJob): Promise<PoolResult> {
	const pool = join(import.meta.dirname, 'pool.ts');
	const { stdout } = await run(process.execPath, [pool, JSON.stringify(job)], {
		maxBuffer: 2 ** 28,
	});
	return JSON.parse(stdout) as PoolResult;
}
