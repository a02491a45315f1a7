// How the setup runs commands, and what it says. Plain JavaScript for Node 20, as setup.mjs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';

/** A reason to stop that a person can act on; everything else is a bug and keeps its stack. */
export class SetupError extends Error {}

/** The command that runs at the moment. */
let working;

function interrupt() {
	if (working) process.kill(-working.pid, 'SIGKILL');
	say('interrupted; the same command starts over.');
	process.exit(130);
}
process.once('SIGINT', interrupt);
process.once('SIGTERM', interrupt);

export const say = (text) => console.log(`setup: ${text}`);

/** The exit code of a process, or the reason why it could not be started. */
export const exitOf = async (child) =>
	await new Promise((resolve) => {
		child.once('error', ({ message }) => resolve(message));
		child.once('close', resolve);
	});

/** Runs a command with its output in a log file; a failure shows the log's last lines. */
export async function run(command, args, { cwd, env, log, remedy }) {
	const output = createWriteStream(log);
	// A process group of its own, so that an interruption ends what the command started as well.
	const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, detached: true });
	working = child;
	child.stdout.pipe(output, { end: false });
	child.stderr.pipe(output, { end: false });
	const code = await exitOf(child);
	working = undefined;
	output.end();
	if (code === 0) return;
	await once(output, 'finish');
	const told = readFileSync(log, 'utf8').trim().split('\n').slice(-8).join('\n  ');
	throw new SetupError(
		`"${command} ${args.join(' ')}" failed (${code}). ${remedy}\n  ${told}\n  The whole log: ${log}`,
	);
}

/** What to do after a download that failed. */
export const tryAgain =
	'Nothing is half-installed; check the network and run the same command again.';
