import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answers, launch, type RunningProgram } from '../n8n/program.ts';
import { npm } from '../npm.ts';
import { freePorts } from '../ports.ts';
import location from './location.cjs';

/** An npm registry on this machine. */
export interface Registry extends Pick<RunningProgram, 'stop'> {
	/** Without a slash at its end. */
	url: string;
	/**
	 * Publishes a tarball as the latest version of its package.
	 *
	 * @throws DemoError with the output of npm, for example because the registry has this version
	 */
	publish(tarball: string): Promise<void>;
}

/**
 * The settings of Verdaccio, without an uplink: the registry has what tests publish, and asks no other registry. Everybody
 * may publish. Verdaccio reads YAML, and JSON is YAML.
 */
const settingsOf = (folder: string) => ({
	storage: join(folder, 'storage'),
	uplinks: {},
	packages: { '**': { access: '$all', publish: '$all' } },
	web: { enable: false },
	log: { type: 'stdout', format: 'pretty', level: 'warn' },
});

/** npm publishes only with a token, even if the registry ignores it. */
const tokenOf = (url: string) => `--${url.slice('http:'.length)}/:_authToken=anybody`;

/**
 * Starts an empty npm registry on a free loopback port, and waits until it is ready.
 *
 * @param folder takes its settings, its packages and its log
 */
export async function startRegistry(folder: string): Promise<Registry> {
	const [port = 0] = await freePorts(1);
	const url = `http://127.0.0.1:${port}`;
	const config = join(folder, 'config.yaml');
	await mkdir(folder, { recursive: true });
	await writeFile(config, JSON.stringify(settingsOf(folder)));
	const program = join(location.root, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
	const { stop } = await launch({
		name: 'the npm registry',
		command: location.node,
		args: [program, '--config', config, '--listen', url],
		log: join(folder, 'registry.log'),
		isReady: async () => await answers(`${url}/-/ping`),
	});
	const publish = async (tarball: string) => {
		const flags = ['--registry', url, '--provenance=false', '--tag', 'latest', tokenOf(url)];
		await npm(['publish', tarball, '--loglevel=error', ...flags], folder);
	};
	return { url, publish, stop };
}
