import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startN8n, type Installation } from '../../testkit/n8n/instance.ts';
import location from '../../testkit/n8n/location.cjs';
import { pack } from '../../testkit/n8n/package.ts';
import { Rest } from '../../testkit/n8n/rest.ts';
import { freePorts } from '../../testkit/ports.ts';

const projectRoot = join(__dirname, '..', '..');

/** An n8n that all tests of e2e share. */
export interface SharedN8n {
	readonly version: string;
	readonly url: string;
	/** The only folder that workflows may read and write files in. */
	readonly files: string;
}

export const login = { email: 'examples@example.com', password: 'Examples-password-1' };

const ends: (() => Promise<void>)[] = [];

async function start(installation: Installation, root: string, tarball: string) {
	const folder = join(root, installation.version);
	const files = join(folder, 'files');
	mkdirSync(files, { recursive: true });
	// Outside of the project, as an installed package is: inside, it would be given the project's n8n-workflow.
	const nodes = join(folder, 'nodes');
	cpSync(join(__dirname, 'probe'), nodes, { recursive: true });
	const settings = {
		GENERIC_TIMEZONE: 'UTC',
		N8N_CUSTOM_EXTENSIONS: nodes,
		// By default n8n 1 stores how an execution has ended before it stores what came of it.
		DB_SQLITE_POOL_SIZE: '2',
		// It looks after its database every two seconds, and refuses all requests for a while where the answer took five.
		DB_PING_INTERVAL_SECONDS: '3600',
	};
	const [port = 0] = await freePorts(2);
	const n8n = await startN8n({ folder, installation, tarball, port, files, settings });
	ends.push(n8n.stop);
	await new Rest(n8n.url, installation.version).setUpOwner(login);
	return { version: installation.version, url: n8n.url, files };
}

/** Starts the current n8n and the last n8n 1 with the built package. Jest calls it before the tests of e2e. */
export default async function startShared(): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'e2e-'));
	ends.push(async () => await rm(folder, { recursive: true, force: true }));
	const tarball = await pack(projectRoot, folder);
	const started = [location.current, location.older].map(
		async (installation) => await start(installation, folder, tarball),
	);
	process.env.SHARED_N8N = JSON.stringify(await Promise.all(started));
}

/** Stops them. */
export async function stopShared(): Promise<void> {
	for (const end of ends.splice(0).reverse()) await end();
}
