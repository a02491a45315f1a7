// Runs n8n with this package for development: tsc compiles each change, and n8n loads it without a restart.
// `npm run dev` keeps its n8n, with workflows and credentials, in .n8n-demo/dev; remove that folder to start afresh.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { launchN8n } from '../testkit/n8n/instance.ts';
import location from '../testkit/n8n/location.cjs';
import { packagesIn } from '../testkit/n8n/package.ts';
import { Rest } from '../testkit/n8n/rest.ts';
import { portOptions, runSession, type Session } from '../testkit/n8n/session.ts';

const projectRoot = dirname(import.meta.dirname);
const folder = join(projectRoot, '.n8n-demo', 'dev');
const packageFolder = join(packagesIn(folder), 'node_modules', 'n8n-nodes-link-management');
const apiKey = 'dev-key-0123456789';
const login = { email: 'dev@example.com', password: 'Dev-password-1' };

/**
 * Copies the files that tsc leaves out. n8n watches the real path of a package, which for a link would be this checkout
 * with all of node_modules. So the package is a folder of its own, and tsc writes into it.
 */
async function makePackage(): Promise<void> {
	await rm(packageFolder, { recursive: true, force: true });
	await mkdir(packageFolder, { recursive: true });
	await writeFile(join(packagesIn(folder), 'package.json'), '{ "private": true }');
	await cp(join(projectRoot, 'package.json'), join(packageFolder, 'package.json'));
	for (const name of ['nodes', 'credentials'])
		await cp(join(projectRoot, name), join(packageFolder, 'dist', name), {
			recursive: true,
			filter: (source) => !source.endsWith('.ts'),
		});
}

/** Starts `tsc --watch`, prints what it reports, and resolves after the first compilation. */
async function watch({ running }: Session): Promise<void> {
	const tsc = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
	const output = ['--watch', '--preserveWatchOutput', '--outDir', join(packageFolder, 'dist')];
	const child = spawn(process.execPath, [tsc, ...output], {
		cwd: projectRoot,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const ended = once(child, 'exit');
	const stop = async () => {
		child.kill();
		await ended;
	};
	running.push({ stop });
	await new Promise<void>((resolve) => {
		createInterface(child.stdout).on('line', (line) => {
			if (line.trim() !== '') console.log(line);
			if (line.includes('Watching for file changes')) resolve();
		});
	});
}

/** Starts n8n. On the first start it creates the owner and the credential, which later starts find again. */
async function dev(session: Session): Promise<boolean> {
	const { port, service } = session;
	await makePackage();
	await watch(session);
	console.log(`Starting n8n ${location.current.version} …`);
	const isFirst = !existsSync(join(folder, '.n8n', 'database.sqlite'));
	const files = join(folder, 'files');
	await mkdir(files, { recursive: true });
	const n8n = await launchN8n({ folder, port, files, settings: { N8N_DEV_RELOAD: 'true' } });
	session.running.push(n8n);
	if (isFirst) {
		const rest = new Rest(n8n.url);
		await rest.setUpOwner(login);
		const data = { baseUrl: service.url, apiKey };
		await rest.addCredential('linkManagementApi', 'Link Management account', data);
	}
	console.log(`\nEditor:      ${n8n.url}`);
	console.log(`Login:       ${login.email} / ${login.password}`);
	console.log(`Service:     ${service.url} with the API key ${apiKey}`);
	console.log('Save a file in nodes or credentials, then reload the editor to see the change.');
	console.log('Press Ctrl-C to stop.\n');
	return true;
}

const { values: ports } = parseArgs({ options: portOptions });
const service = { apiKeys: [apiKey] };
await runSession({ name: 'npm run dev', ports, folder, service }, dev);
