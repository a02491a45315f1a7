import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { Installer } from '../../testkit/n8n/installer.ts';
import { launchN8n, type N8nProcess, type RunningN8n } from '../../testkit/n8n/instance.ts';
import { Rest } from '../../testkit/n8n/rest.ts';
import { freePorts } from '../../testkit/ports.ts';
import { startRegistry } from '../../testkit/registry/registry.ts';
import { startService, type RunningService } from '../../testkit/service/index.ts';
import { apiKey, Desk } from './desk.ts';

const login = { email: 'own@example.com', password: 'Own-password-1' };

/** A real n8n of a test's own, next to a service. The test starts, stops and kills it. */
export class OwnN8n {
	readonly service: RunningService;
	protected readonly options: N8nProcess;
	private n8n?: RunningN8n;
	private started?: Desk;

	constructor(service: RunningService, options: N8nProcess) {
		[this.service, this.options] = [service, options];
	}

	/** The running n8n. */
	get desk(): Desk {
		if (!this.started) throw new Error('n8n does not run');
		return this.started;
	}

	/** Starts n8n, and logs in. */
	async start(): Promise<void> {
		const isFirst = this.n8n === undefined;
		this.n8n = await launchN8n(this.options);
		const rest = new Rest(this.n8n.url);
		await (isFirst ? rest.setUpOwner(login) : rest.logIn(login));
		this.started = new Desk(this.n8n.url, rest, this.service, this.options.files);
	}

	async stop(): Promise<void> {
		await this.n8n?.stop();
	}

	/** Ends n8n as a crash does. */
	async kill(): Promise<void> {
		await this.n8n?.kill();
	}
}

/** A folder for the tests of one file, and what has to end after them, the latest first. */
export function useFolder(prefix: string) {
	const folder = mkdtempSync(join(tmpdir(), prefix));
	const ends: (() => Promise<unknown>)[] = [];
	afterAll(async () => {
		for (const end of ends.reverse()) await end();
		await rm(folder, { recursive: true, force: true });
	});
	/** Returns the options of an n8n in a folder below, next to a service. */
	const prepare = async (name: string, settings: Record<string, string>) => {
		const service = await startService({ strict: true, apiKeys: [apiKey] });
		ends.push(service.stop);
		const [port = 0] = await freePorts(2);
		const own = { folder: join(folder, name), files: join(folder, `${name}-files`) };
		for (const each of Object.values(own)) await mkdir(each);
		return { service, options: { ...own, port, settings } };
	};
	return { folder, ends, prepare };
}

/** A package as n8n lists it under Settings > Community nodes. */
interface InstalledPackage {
	installedVersion: string;
	installedNodes: { type: string }[];
	failedLoading: boolean;
	updateAvailable?: string;
}

/** An n8n into which a test installs a package from a registry. */
export class Installation extends OwnN8n {
	private readonly packageName: string;
	private readonly installer: Installer;

	constructor(packageName: string, installer: Installer, ...own: [RunningService, N8nProcess]) {
		super(...own);
		[this.packageName, this.installer] = [packageName, installer];
	}

	/** Where the package is installed. */
	get folder(): string {
		return this.installer.folderOf(this.packageName);
	}

	/** Installs a version of the package while n8n does not run, then starts n8n. */
	async startWith(version: string): Promise<void> {
		await this.installer.install(this.packageName, version);
		await this.start();
		await this.installer.record(this.packageName, await this.nodeTypes());
	}

	/** Returns the nodes of the package that n8n has loaded. */
	async nodeTypes(): Promise<INodeTypeDescription[]> {
		const types = await this.desk.rest.nodeTypes<INodeTypeDescription>();
		return types.filter(({ name }) => name.startsWith(`${this.packageName}.`));
	}

	/** Returns the packages that n8n lists. */
	async installedPackages(): Promise<InstalledPackage[]> {
		return await this.desk.rest.call('GET', '/community-packages');
	}

	/** Uninstalls the package as n8n's editor does. */
	async uninstall(): Promise<void> {
		await this.desk.rest.call('DELETE', `/community-packages?name=${this.packageName}`);
	}
}

/**
 * For the tests of one file: an n8n without packages, which is not started yet, and a registry with versions of a package.
 *
 * @param tarballsIn returns the tarballs of the versions, the latest last; it can use the folder
 */
export function useInstallation(
	packageName: string,
	tarballsIn: (folder: string) => Promise<string[]>,
): () => Installation {
	const { folder, ends, prepare } = useFolder('install-');
	let installation: Installation | undefined;
	beforeAll(async () => {
		const registry = await startRegistry(join(folder, 'registry'));
		ends.push(registry.stop);
		for (const tarball of await tarballsIn(folder)) await registry.publish(tarball);
		// n8n looks for updates with npm's own setting.
		const { service, options } = await prepare('n8n', { npm_config_registry: registry.url });
		const installer = new Installer(options.folder, registry.url);
		installation = new Installation(packageName, installer, service, options);
		ends.push(installation.stop.bind(installation));
	});
	return () => {
		if (!installation) throw new Error('nothing is set up');
		return installation;
	};
}
