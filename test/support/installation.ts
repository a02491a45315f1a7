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

const login = { email: 'install@example.com', password: 'Install-password-1' };

/** A package as n8n lists it under Settings > Community nodes. */
export interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	installedNodes: { type: string; name: string; latestVersion: number }[];
	failedLoading: boolean;
	updateAvailable?: string;
}

/** A real n8n into which a test installs a package from a registry, next to a service. */
export class Installation {
	readonly service: RunningService;
	readonly installer: Installer;
	private readonly packageName: string;
	private readonly options: N8nProcess;
	private n8n?: RunningN8n;
	private started?: Desk;

	constructor(
		packageName: string,
		options: N8nProcess,
		installer: Installer,
		service: RunningService,
	) {
		[this.packageName, this.options] = [packageName, options];
		[this.installer, this.service] = [installer, service];
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
	const folder = mkdtempSync(join(tmpdir(), 'install-'));
	const ends: (() => Promise<void>)[] = [];
	let installation: Installation | undefined;

	beforeAll(async () => {
		const registry = await startRegistry(join(folder, 'registry'));
		ends.push(registry.stop);
		for (const tarball of await tarballsIn(folder)) await registry.publish(tarball);
		const service = await startService({ strict: true, apiKeys: [apiKey] });
		ends.push(service.stop);
		const [port = 0] = await freePorts(2);
		const own = { folder: join(folder, 'n8n'), files: join(folder, 'files') };
		for (const each of Object.values(own)) await mkdir(each);
		// n8n looks for updates with npm's own setting.
		const options = { ...own, port, settings: { npm_config_registry: registry.url } };
		const installer = new Installer(own.folder, registry.url);
		installation = new Installation(packageName, options, installer, service);
		ends.push(installation.stop.bind(installation));
	});
	afterAll(async () => {
		for (const end of ends.reverse()) await end();
		await rm(folder, { recursive: true, force: true });
	});
	return () => {
		if (!installation) throw new Error('nothing is set up');
		return installation;
	};
}
