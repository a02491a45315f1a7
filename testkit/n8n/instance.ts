import { delimiter, dirname, join } from 'node:path';
import location from './location.cjs';
import { installPackage } from './package.ts';
import { answers, launch, type RunningProgram } from './program.ts';

/** An n8n that setup has installed, and the Node that it runs on. */
export type Installation = (typeof location)['current'];

/** One process of n8n. */
export interface N8nProcess {
	/** Folder of this instance: database, installed packages, log. */
	folder: string;
	/** Port of the editor; the next one is the task broker's. */
	port: number;
	/** The only folder that workflows may read and write files in. */
	files: string;
	/** Additional environment variables of n8n. */
	settings?: Record<string, string>;
	/** The n8n installation; the current version by default. */
	installation?: Installation;
}

export interface N8nOptions extends N8nProcess {
	/** Tarball of the package, as `npm pack` makes it. */
	tarball: string;
}

export interface RunningN8n extends RunningProgram {
	url: string;
}

/** Keeps n8n on this machine and to itself: loopback only, and no requests to n8n's own servers. */
const environmentOf = ({ folder, port, files, settings }: N8nProcess) => ({
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

/** n8n 1 says that it is ready before it has the routes of its REST interface, which a worker never has. */
const isReady = async (url: string, command?: string) =>
	(await answers(`${url}/healthz/readiness`)) &&
	(command !== 'start' || (await answers(`${url}/rest/settings`)));

/**
 * Starts a process of n8n, and waits until it is ready.
 *
 * @param args what it is to do: `start`, or `worker` with its options
 * @param name as sentences and the name of its log have it
 */
export async function launchN8n(
	options: N8nProcess,
	args: string[] = ['start'],
	name = 'n8n',
): Promise<RunningN8n> {
	const { root, node } = options.installation ?? location.current;
	// Within tests, n8n would take these for a sign that it is being tested itself, and do nothing.
	const { NODE_ENV: _env, JEST_WORKER_ID: _worker, ...environment } = process.env;
	// n8n finds on this path the Node that its task runner is to run on.
	const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
	const url = `http://127.0.0.1:${options.port}`;
	const running = await launch({
		name,
		command: node,
		args: [join(root, 'node_modules', 'n8n', 'bin', 'n8n'), ...args],
		env: { ...environment, ...environmentOf(options), PATH: path },
		log: join(options.folder, `${name}.log`),
		isReady: async () => await isReady(url, args[0]),
	});
	return { ...running, url };
}

/** Starts a real n8n with the package installed as a community package, and waits until it is ready. */
export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	await installPackage(options.folder, options.tarball);
	return await launchN8n(options);
}
