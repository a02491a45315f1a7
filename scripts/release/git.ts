import { execFileSync } from 'node:child_process';

/** Runs git in the current folder, and returns what it prints, without blanks around it. */
export const git = (...args: string[]): string =>
	execFileSync('git', args, { encoding: 'utf8' }).trim();
