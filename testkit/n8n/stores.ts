import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { DemoError } from '../ports.ts';
import { launch, type RunningProgram } from './program.ts';

const run = promisify(execFile);
const [user, database] = ['n8n', 'postgres'];

/** Folders that Debian installs PostgreSQL's programs in, the newest version first; they are in no PATH. */
function postgresFolders(): string[] {
	const root = '/usr/lib/postgresql';
	const versions = existsSync(root) ? readdirSync(root) : [];
	return versions
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => join(root, version, 'bin'));
}

/**
 * The path of a program that queue mode needs.
 *
 * @throws DemoError that says what to install where it is missing
 */
function programOf(name: string): string {
	const folders = [...(process.env.PATH ?? '').split(delimiter), ...postgresFolders()];
	const path = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
	if (path) return path;
	throw new DemoError(
		`n8n's queue mode needs ${name}, which is not installed. On Debian: apt-get install redis-server postgresql.`,
	);
}

/** Sends Redis a command, and returns its response. Empty if nothing listens. */
export async function askRedis(port: number, ...command: string[]): Promise<string> {
	const args = ['-p', String(port), ...command];
	const { stdout } = await run(programOf('redis-cli'), args).catch(() => ({ stdout: '' }));
	return stdout.trim();
}

/**
 * Starts Redis on a loopback port. It writes all that it is told to a file, so that it has it still when it is started again
 * in the same folder.
 */
export async function startRedis(folder: string, port: number): Promise<RunningProgram> {
	await mkdir(folder, { recursive: true });
	const settings = { port, bind: '127.0.0.1', dir: folder, appendonly: 'yes', save: '' };
	return await launch({
		name: 'Redis',
		command: programOf('redis-server'),
		args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
		log: join(folder, 'redis.log'),
		// It does not respond while it loads its data.
		isReady: async () => (await askRedis(port, 'PING')) === 'PONG',
	});
}

export interface RunningPostgres extends RunningProgram {
	port: number;
	user: string;
	database: string;
	/** The rows that a query gives, by the names of its columns. */
	query(sql: string): Promise<Record<string, string>[]>;
}

/** Whom PostgreSQL runs as: it refuses to run as root, and Debian's package has made a user for it. */
async function ownerOf(): Promise<{ uid: number; gid: number }> {
	const { uid, gid } = userInfo();
	if (uid !== 0) return { uid, gid };
	const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
	return { uid: await idOf('-u'), gid: await idOf('-g') };
}

/** Starts PostgreSQL with an empty database on a loopback port, in a folder of its own that is removed when it stops. */
export async function startPostgres(port: number): Promise<RunningPostgres> {
	const command = programOf('postgres');
	const owner = await ownerOf();
	// Not below the folder of the one who starts it: that may be closed to the user that it runs as.
	const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
	await chown(folder, owner.uid, owner.gid);
	const data = join(folder, 'data');
	const setup = ['-D', data, '-U', user, '-A', 'trust', '-E', 'UTF8', '--no-sync'];
	await run(programOf('initdb'), setup, { ...owner, cwd: folder });
	const query = async (sql: string) => {
		const to = ['-h', '127.0.0.1', '-p', String(port), '-U', user, '-d', database];
		const options = { maxBuffer: 2 ** 28 };
		const { stdout } = await run(programOf('psql'), [...to, '--csv', '-c', sql], options);
		return parse<Record<string, string>>(stdout, { columns: true });
	};
	// Without fsync, because what is measured is n8n; no test here outlives a crash of the machine.
	const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
	const running = await launch({
		name: 'PostgreSQL',
		command,
		args: ['-D', data, ...[`port=${port}`, ...settings].flatMap((setting) => ['-c', setting])],
		owner,
		log: join(folder, 'postgres.log'),
		isReady: async () => (await query('SELECT 1').catch(() => [])).length > 0,
		// The signal for which it ends its connections as well.
		stopSignal: 'SIGINT',
	});
	const stop = async () => {
		await running.stop();
		await rm(folder, { recursive: true, force: true });
	};
	return { ...running, port, user, database, query, stop };
}
