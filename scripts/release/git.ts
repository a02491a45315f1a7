import { execFileSync } from 'node:child_process';
import { ReleaseError } from './releaseError.ts';

/** Runs git in the current folder, and returns what it prints, without blanks around it. */
export const git = (...args: string[]): string =>
	execFileSync('git', args, { encoding: 'utf8' }).trim();

/**
 * Checks that the checkout has only committed files. A new file counts, too: the checks on this machine read it, and the
 * release does not contain it.
 *
 * @throws {ReleaseError} with the changes
 */
export function needCleanTree(): void {
	const changes = git('status', '--porcelain');
	if (changes !== '') throw new ReleaseError(`Commit or remove these changes first:\n${changes}`);
}
