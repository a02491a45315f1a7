import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pack } from '../demo/n8n/package.ts';
import { projectRoot } from './service.ts';

const run = promisify(execFile);

/**
 * Packs the package as it was at a commit: its files, built with the tools of this checkout.
 *
 * @param folder where a folder of its own is made
 * @throws where this clone does not have the commit
 */
async function packCommit(commit: string, folder: string): Promise<string> {
	const checkout = join(folder, `package-${commit}`);
	const archive = join(folder, `package-${commit}.tar`);
	await mkdir(checkout, { recursive: true });
	await run('git', ['archive', '--output', archive, commit], { cwd: projectRoot }).catch(() => {
		throw new Error(
			`The benchmark compares with commit ${commit}, and this clone does not have it; run git fetch --unshallow.`,
		);
	});
	await run('tar', ['-xf', archive, '-C', checkout]);
	await symlink(join(projectRoot, 'node_modules'), join(checkout, 'node_modules'));
	await run('npm', ['run', 'build'], { cwd: checkout });
	return await pack(checkout, checkout);
}

/** The tarballs of the package, by the commits that contestants name; undefined stands for this checkout as it is built. */
export async function packAll(
	commits: Iterable<string | undefined>,
	folder: string,
): Promise<Map<string | undefined, string>> {
	const tarballs = new Map<string | undefined, string>();
	for (const commit of new Set(commits)) {
		const tarball = commit ? packCommit(commit, folder) : pack(projectRoot, folder);
		tarballs.set(commit, await tarball);
	}
	return tarballs;
}
