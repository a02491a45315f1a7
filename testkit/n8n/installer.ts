import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { INodeTypeDescription } from 'n8n-workflow';
import { npm } from '../npm.ts';
import { packagesIn } from './package.ts';

const run = promisify(execFile);

/** The flags of n8n's `npm install` in the folder of a package. A test compares them with n8n's. */
export const installFlags = [
	...['--audit=false', '--fund=false', '--bin-links=false', '--install-strategy=shallow'],
	...['--ignore-scripts=true', '--package-lock=false'],
];

/** A package.json, as far as n8n reads it. */
interface Manifest {
	name: string;
	version: string;
	author: { name: string; email: string };
	devDependencies?: object;
	peerDependencies?: object;
	optionalDependencies?: object;
}

const readJson = async <T>(path: string): Promise<T> =>
	JSON.parse(await readFile(path, 'utf8')) as T;

const writeJson = async (path: string, content: object) =>
	await writeFile(path, JSON.stringify(content, null, 2));

/**
 * Installs and updates community packages from a registry in the steps of n8n.
 *
 * n8n takes these steps when you click Install or Update under Settings > Community nodes. It accepts another registry than
 * its default only with a license, so a test cannot publish a package and click. The steps are those of the current n8n
 * (`testkit/n8n/2`), in its files `dist/modules/community-packages/community-packages.service.js`
 * (`installOrUpdatePackage`, `downloadPackage`) and `installed-packages.repository.js` (`persistPackageWithNodes`). n8n loads
 * the package immediately; here, n8n loads it when it starts. `Rest` uninstalls packages, because n8n needs no registry for
 * this.
 */
export class Installer {
	private readonly folder: string;
	private readonly packages: string;
	private readonly registry: string;

	/**
	 * @param folder the user folder of n8n
	 * @param registry the address of the registry
	 */
	constructor(folder: string, registry: string) {
		[this.folder, this.registry] = [folder, registry];
		this.packages = packagesIn(folder);
	}

	/** Returns the folder of an installed package. */
	folderOf(name: string): string {
		return join(this.packages, 'node_modules', name);
	}

	private async npm(args: string[], cwd: string): Promise<string> {
		// Two registries on the same port must not share a cache.
		const env = { npm_config_cache: join(this.folder, 'npm-cache') };
		return await npm([...args, `--registry=${this.registry}`], cwd, env);
	}

	/**
	 * Installs a package, or updates it.
	 *
	 * @param version a version or a tag
	 * @throws DemoError if the registry lacks this version
	 */
	async install(name: string, version = 'latest'): Promise<void> {
		const target = this.folderOf(name);
		await rm(target, { recursive: true, force: true });
		await mkdir(target, { recursive: true });
		const tarball = await this.npm(['pack', `${name}@${version}`, '--quiet'], this.packages);
		const unpack = ['-xzf', tarball, '-C', target, '--strip-components=1'];
		await run('tar', unpack, { cwd: this.packages });
		await rm(join(this.packages, tarball));
		const file = join(target, 'package.json');
		const { devDependencies, peerDependencies, optionalDependencies, ...manifest } =
			await readJson<Manifest>(file);
		await writeJson(file, manifest);
		await this.npm(['install', ...installFlags], target);
		// n8n installs one package here, so that the list has no other.
		await writeJson(join(this.packages, 'package.json'), {
			...{ name: 'installed-nodes', private: true },
			dependencies: { [name]: manifest.version },
		});
	}

	/**
	 * Writes the rows that n8n keeps of an installed package into its database. Without them, n8n loads the package, but does
	 * not list it, and cannot uninstall it. The rows of an earlier version are replaced.
	 *
	 * @param types all node types that the running n8n has loaded
	 */
	async record(name: string, types: INodeTypeDescription[]): Promise<void> {
		const { version, author } = await readJson<Manifest>(join(this.folderOf(name), 'package.json'));
		// The columns have a text as their default that is not a time.
		const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
		const file = join(this.folder, '.n8n', 'database.sqlite');
		const database = new DatabaseSync(file, { timeout: 10_000 });
		try {
			database.exec('PRAGMA foreign_keys = ON; BEGIN IMMEDIATE');
			database.prepare('DELETE FROM installed_packages WHERE packageName = ?').run(name);
			database
				.prepare(
					'INSERT INTO installed_packages (packageName, installedVersion, authorName, authorEmail, createdAt, updatedAt) VALUES (?, ?, ?, ?, ?, ?)',
				)
				.run(name, version, author.name, author.email, now, now);
			const insert = database.prepare(
				'INSERT INTO installed_nodes (name, type, latestVersion, package) VALUES (?, ?, ?, ?)',
			);
			// The variants for AI agents are not in the package.
			const isOwn = (type: string) => type.startsWith(`${name}.`) && !type.endsWith('Tool');
			for (const { displayName, name: type, version: versions } of types)
				if (isOwn(type)) insert.run(displayName, type, [versions].flat().at(-1) ?? 1, name);
			database.exec('COMMIT');
		} finally {
			database.close();
		}
	}
}
