import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { DemoError } from '../ports.ts';

/** A long-running program, and how to detect that it is ready. */
export interface Program {
	/** As a sentence names it. */
	name: string;
	command: string;
	args: string[];
	env?: NodeJS.ProcessEnv;
	/** File that takes what it prints. */
	log: string;
	/** The user and group of the process; by default those of this process. */
	owner?: { uid: number; gid: number };
	/** Asked several times a second. */
	isReady: () => Promise<boolean>;
	/** The signal for a graceful shutdown; SIGTERM by default. */
	stopSignal?: NodeJS.Signals;
}

export interface RunningProgram {
	pid: number;
	log: string;
	/** Shuts it down gracefully. Kills it after a number of seconds, 8 by default. */
	stop(patience?: number): Promise<void>;
	/** Ends it as a crash would. */
	kill(): Promise<void>;
}

/** Returns whether an address answers with status 200. */
export async function answers(url: string): Promise<boolean> {
	try {
		const { statusCode, body } = await request(url);
		await body.dump();
		return statusCode === 200;
	} catch {
		// Nothing listens yet.
		return false;
	}
}

/** Ends a process and its child processes. Kills them after a number of seconds. */
async function end(child: ChildProcess, signal: NodeJS.Signals, patience = 8): Promise<void> {
	const { pid } = child;
	if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, 'exit');
	process.kill(-pid, signal);
	const isRunning = await Promise.race([
		ended.then(() => false),
		wait(patience * 1000, true, { ref: false }),
	]);
	if (isRunning) process.kill(-pid, 'SIGKILL');
	await ended;
}

/**
 * Starts a program and waits until it is ready.
 *
 * @throws DemoError with its last output if it exits first, or if it is not ready after two minutes
 */
export async function launch(program: Program): Promise<RunningProgram> {
	const { name, command, args, env, log, owner, isReady, stopSignal = 'SIGTERM' } = program;
	// A process group of its own, so that what it starts ends with it.
	const child = spawn(command, args, {
		env: env ?? process.env,
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: true,
		...owner,
	});
	await once(child, 'spawn');
	const output = createWriteStream(log);
	child.stdout.pipe(output, { end: false });
	child.stderr.pipe(output, { end: false });
	const deadline = Date.now() + 120_000;
	while (!(await isReady())) {
		const hasEnded = child.exitCode !== null || child.signalCode !== null;
		if (hasEnded || Date.now() > deadline) {
			await end(child, 'SIGTERM');
			const lastLines = (await readFile(log, 'utf8')).trim().split('\n').slice(-8).join('\n  ');
			throw new DemoError(
				`${name} did not start. Its last words:\n  ${lastLines}\n  The whole log: ${log}`,
			);
		}
		await wait(300);
	}
	return {
		pid: child.pid ?? NaN,
		log,
		stop: async (patience) => await end(child, stopSignal, patience),
		kill: async () => await end(child, 'SIGKILL'),
	};
}
