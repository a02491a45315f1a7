import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DemoError } from './ports.ts';

const run = promisify(execFile);

/**
 * Runs npm in a folder and returns its output.
 *
 * @param env additional environment variables
 * @throws DemoError with the errors that npm reports
 */
export async function npm(args: string[], cwd: string, env?: NodeJS.ProcessEnv): Promise<string> {
	const done = run('npm', args, { cwd, env: { ...process.env, ...env } }).catch(
		({ stderr }: { stderr: string }) => {
			throw new DemoError(`npm ${args[0]} failed: ${stderr.trim()}`);
		},
	);
	return (await done).stdout.trim();
}
