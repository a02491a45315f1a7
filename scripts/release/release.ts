import { execFileSync } from 'node:child_process';

/** A reason not to release. The message says what to do; everything else is a bug and keeps its stack. */
export class ReleaseError extends Error {}

/** @throws {ReleaseError} with the message if a condition is not met */
export function need(isMet: boolean, message: string): void {
	if (!isMet) throw new ReleaseError(message);
}

/** Runs a command of the release. Prints a `ReleaseError` and sets the exit code. */
export function runCommand(command: () => void): void {
	try {
		command();
	} catch (error) {
		if (!(error instanceof ReleaseError)) throw error;
		console.error(`release: ${error.message}`);
		process.exitCode = 1;
	}
}

/**
 * Checks that a text is a version that a release can have: three numbers without leading zeros. The publish workflow
 * ignores tags such as v0.6.0 and 0.6.0-beta.1.
 */
export function needVersion(text: string): void {
	need(
		/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(text),
		`"${text}" is not a version that can be released. Use three numbers, such as 0.6.0.`,
	);
}

/** Runs git in the current folder, and returns what it prints, without blanks around it. */
export const git = (...args: string[]): string =>
	execFileSync('git', args, { encoding: 'utf8' }).trim();

/**
 * Checks that the checkout has only committed files. A new file counts, too: the checks on this machine read it, and the
 * release does not contain it.
 */
export function needCleanTree(): void {
	const changes = git('status', '--porcelain');
	need(changes === '', `Commit or remove these changes first:\n${changes}`);
}
