/** A reason not to release. The message says what to do; everything else is a bug and keeps its stack. */
export class ReleaseError extends Error {}

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
 *
 * @throws {ReleaseError} if it is not
 */
export function needVersion(text: string): void {
	if (/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(text)) return;
	throw new ReleaseError(
		`"${text}" is not a version that can be released. Use three numbers, such as 0.6.0.`,
	);
}
