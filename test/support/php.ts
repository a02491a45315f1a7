import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const script = join(__dirname, 'php', 'decode.php');

/** Whether PHP can be run here. */
export const hasPhp = spawnSync('php', ['--version']).status === 0;

/**
 * Decodes a urlencoded body with PHP's `parse_str`, the decoder behind the services of this interface.
 *
 * @throws Error where PHP fails, or where it warns: a warning means that it dropped a part of the body
 */
export function decodeWithPhp(body: string): unknown {
	const { status, stdout, stderr } = spawnSync('php', ['-d', 'display_errors=stderr', script], {
		input: body,
		encoding: 'utf8',
	});
	if (status !== 0 || stderr !== '') {
		throw new Error(`PHP could not decode the body (exit ${status}): ${stderr}`);
	}
	return JSON.parse(stdout);
}
