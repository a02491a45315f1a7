import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Done, Job } from './job.ts';

const pool = join(import.meta.dirname, 'pool.ts');

/** Lets a bare undici pool do the job, in a process of its own that measures itself. */
export async function runBare(job: Job): Promise<Done> {
	const { stdout } = await promisify(execFile)(process.execPath, [pool, JSON.stringify(job)], {
		maxBuffer: 2 ** 30,
	});
	return JSON.parse(stdout) as Done;
}
