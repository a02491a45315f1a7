import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const projectRoot = join(__dirname, '..', '..');

/** A program under test, with all that it printed so far. */
export interface Program {
	child: ChildProcess;
	output(): string;
	/** Resolves when the output matches; rejects when the program ends before. */
	printed(pattern: RegExp): Promise<void>;
	/** The exit code, once the program has ended by itself or by a signal that it handled. */
	ended(): Promise<number | null>;
}

/** Starts a TypeScript program of the demo on the Node that runs the tests. */
export function start(file: string, args: string[]): Program {
	const child = spawn(process.execPath, [join(projectRoot, file), ...args], { cwd: projectRoot });
	let text = '';
	const collect = (chunk: unknown) => (text += String(chunk));
	child.stdout.on('data', collect);
	child.stderr.on('data', collect);
	const exit = once(child, 'exit').then(([code]) => code as number | null);
	const printed = async (pattern: RegExp) => {
		while (!pattern.test(text)) {
			const more = once(child.stdout, 'data').then(() => true);
			const goesOn = await Promise.race([more, exit.then(() => pattern.test(text))]);
			if (!goesOn) throw new Error(`ended without printing ${String(pattern)}:\n${text}`);
		}
	};
	return { child, output: () => text, printed, ended: async () => await exit };
}
