import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
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
	'--audit=false',
	'--fund=false',
	'--bin-links=false',
	'--install-strategy=shallow',
	'--ignore-scripts=true',
	'--package-lock=false',
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

/** The package.json of the folder in which n8n installs all community packages. */
interface PackageList {
	name: string;
	private: boolean;
	dependencies: Record<string, string>;
}

const readJson = async <T>(path: string): Promise<T> =>
	JSON.parse(await readFile(path, 'utf8')) as T;

const writeJson = async (path: string, content: object) =>
	await writeFile(path, JSON.stringify(content, null, 2));

/** A node as n8n's table `installed_nodes` has it. */
interface InstalledNode {
	name: string;
	type: string;
	version: number;
}

/** Returns the nodes of a package that n8n has loaded. The variants for AI agents are not in the package. */
const nodesOf = (name: string, types: INodeTypeDescription[]): InstalledNode[] =>
	types
		.filter((type) => type.name.startsWith(`${name}.`) && !type.name.endsWith('Tool'))
		.map((type) => ({
			name: type.displayName,
			type: type.name,
			version: [type.version].flat().at(-1) ?? 1,
		}));

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
	private readonly registry: string;

	/**
	 * @param folder the user folder of n8n
	 * @param registry the address of the registry
	 */
	constructor(folder: string, registry: string) {
		[this.folder, this.registry] = [folder, registry];
	}

	private get packages(): string {
		return packagesIn(this.folder);
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
	 * @throws DemoError if the registry lacks this version; the version that was installed stays
	 */
	async install(name: string, version = 'latest'): Promise<void> {
		await mkdir(this.packages, { recursive: true });
		const target = this.folderOf(name);
		const backup = existsSync(target) ? `${target}.backup-${Date.now()}` : undefined;
		if (backup) await rename(target, backup);
		try {
			await this.download(name, version);
		} catch (error) {
			await rm(target, { recursive: true, force: true });
			if (backup) await rename(backup, target);
			throw error;
		}
		if (backup) await rm(backup, { recursive: true });
	}

	private async download(name: string, version: string): Promise<void> {
		const target = this.folderOf(name);
		await mkdir(target, { recursive: true });
		const tarball = await this.npm(['pack', `${name}@${version}`, '--quiet'], this.packages);
		try {
			const unpack = ['-xzf', tarball, '-C', target, '--strip-components=1'];
			await run('tar', unpack, { cwd: this.packages });
			const { devDependencies, peerDependencies, optionalDependencies, ...manifest } =
				await readJson<Manifest>(join(target, 'package.json'));
			await writeJson(join(target, 'package.json'), manifest);
			await this.npm(['install', ...installFlags], target);
			await this.addToList(name, manifest.version);
		} finally {
			await rm(join(this.packages, tarball));
		}
	}

	private async addToList(name: string, version: string): Promise<void> {
		const path = join(this.packages, 'package.json');
		const empty: PackageList = { name: 'installed-nodes', private: true, dependencies: {} };
		const list = existsSync(path) ? await readJson<PackageList>(path) : empty;
		await writeJson(path, { ...list, dependencies: { ...list.dependencies, [name]: version } });
	}

	/**
	 * Writes the rows that n8n keeps of an installed package into its database. Without them, n8n loads the package, but does
	 * not list it, and cannot uninstall it. The rows of an earlier version are replaced.
	 *
	 * @param types all node types that the running n8n has loaded
	 */
	async record(name: string, types: INodeTypeDescription[]): Promise<void> {
		const { version, author } = await readJson<Manifest>(join(this.folderOf(name), 'package.json'));
		const database = new DatabaseSync(join(this.folder, '.n8n', 'database.sqlite'), {
			timeout: 10_000,
		});
		// The columns have a text as their default that is not a time.
		const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
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
			for (const node of nodesOf(name, types)) insert.run(node.name, node.type, node.version, name);
			database.exec('COMMIT');
		} finally {
			database.close();
		}
	}
}
