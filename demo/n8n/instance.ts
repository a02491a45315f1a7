import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { DemoError } from '../ports.ts';
import location from './location.cjs';

export type Installation = (typeof location)['current'];

export interface N8nOptions {
	/** Folder of this instance: database, installed packages, log. */
	folder: string;
	/** Tarball of the package, as `npm pack` makes it. */
	tarball: string;
	/** Port of the editor; the next one is the task broker's. */
	port: number;
	/** The only folder that workflows may read and write files in. */
	files: string;
	/** What else n8n is told by its environment. */
	settings?: Record<string, string>;
	/** Which of the installed ones; by default the current generation. */
	installation?: Installation;
}

export interface RunningN8n {
	url: string;
	log: string;
	stop(): Promise<void>;
	/** Ends it as a crash would. */
	kill(): Promise<void>;
}

/** Runs npm quietly in a folder. */
async function npm(args: string[], cwd: string): Promise<string> {
	const child = spawn('npm', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
	const texts = ['', ''];
	child.stdout.on('data', (chunk) => (texts[0] += String(chunk)));
	child.stderr.on('data', (chunk) => (texts[1] += String(chunk)));
	const [code] = await once(child, 'close');
	if (code !== 0) throw new DemoError(`npm ${args[0]} failed: ${texts[1]?.trim()}`);
	return texts[0]?.trim() ?? '';
}

/** Packs the built package into a folder and returns the tarball's path. */
export async function pack(projectRoot: string, folder: string): Promise<string> {
	await mkdir(folder, { recursive: true });
	return join(folder, await npm(['pack', '--silent', '--pack-destination', folder], projectRoot));
}

/** Installs the package where n8n looks for community packages, without the peer that n8n itself provides. */
async function installPackage({ folder, tarball }: N8nOptions): Promise<void> {
	const packages = join(folder, '.n8n', 'nodes');
	await mkdir(packages, { recursive: true });
	await writeFile(join(packages, 'package.json'), '{ "private": true }');
	await npm(['install', tarball, '--legacy-peer-deps', '--no-audit', '--no-fund'], packages);
}

/** Keeps n8n on this machine and to itself: loopback only, and no requests to n8n's own servers. */
const environmentOf = ({ folder, port, files, settings }: N8nOptions) => ({
	...settings,
	N8N_USER_FOLDER: folder,
	N8N_PORT: String(port),
	N8N_RUNNERS_BROKER_PORT: String(port + 1),
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_SECURE_COOKIE: 'false',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_RESTRICT_FILE_ACCESS_TO: files,
});

/** The path on which n8n finds the Node that its task runner is to run on. */
const pathFrom = (node: string) => `${dirname(node)}${delimiter}${process.env.PATH}`;

async function isHealthy(url: string): Promise<boolean> {
	try {
		const answer = await request(`${url}/healthz/readiness`);
		await answer.body.dump();
		return answer.statusCode === 200;
	} catch {
		// Nothing listens yet.
		return false;
	}
}

/** Ends a process and all that it started; one that does not listen is killed. */
async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
	const { pid } = child;
	if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, 'exit');
	process.kill(-pid, signal);
	const left = await Promise.race([ended.then(() => false), wait(8_000, true, { ref: false })]);
	if (left) process.kill(-pid, 'SIGKILL');
	await ended;
}

/** Starts a real n8n with the package installed as a community package, and waits until it is ready. */
export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	await installPackage(options);
	const log = join(options.folder, 'n8n.log');
	const output = createWriteStream(log);
	const { root, node } = options.installation ?? location.current;
	const program = join(root, 'node_modules', 'n8n', 'bin', 'n8n');
	// A process group of its own, so that its task runner ends with it.
	// Within tests, n8n would take these for a sign that it is being tested itself, and do nothing.
	const { NODE_ENV: _env, JEST_WORKER_ID: _worker, ...environment } = process.env;
	const child = spawn(node, [program, 'start'], {
		env: { ...environment, ...environmentOf(options), PATH: pathFrom(node) },
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: true,
	});
	child.stdout.pipe(output, { end: false });
	child.stderr.pipe(output, { end: false });
	const url = `http://127.0.0.1:${options.port}`;
	const deadline = Date.now() + 120_000;
	while (!(await isHealthy(url))) {
		if (child.exitCode !== null || Date.now() > deadline) {
			await end(child);
			const told = (await readFile(log, 'utf8')).trim().split('\n').slice(-8).join('\n  ');
			throw new DemoError(`n8n did not start. Its last words:\n  ${told}\n  The whole log: ${log}`);
		}
		await wait(300);
	}
	return {
		url,
		log,
		stop: async () => await end(child),
		kill: async () => await end(child, 'SIGKILL'),
	};
}
