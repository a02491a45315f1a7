import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { programOf } from './debian.ts';
import { launch, type RunningProgram } from './program.ts';

const run = promisify(execFile);
const user = 'n8n';
/** The database that each PostgreSQL has. */
const database = 'postgres';
const fromDebian = 'postgresql';

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
	const [initdb, postgres, psql] = ['initdb', 'postgres', 'psql'].map((name) =>
		programOf(name, fromDebian),
	) as [string, string, string];
	const owner = await ownerOf();
	// Not below the folder of the one who starts it: that may be closed to the user that it runs as.
	const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
	await chown(folder, owner.uid, owner.gid);
	const data = join(folder, 'data');
	await run(initdb, ['-D', data, '-U', user, '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
		...owner,
		cwd: folder,
	});
	const query = async (sql: string) => {
		const to = ['-h', '127.0.0.1', '-p', String(port), '-U', user, '-d', database];
		const { stdout } = await run(psql, [...to, '--csv', '-c', sql], { maxBuffer: 2 ** 28 });
		return parse<Record<string, string>>(stdout, { columns: true });
	};
	const settings = {
		port: String(port),
		listen_addresses: '127.0.0.1',
		unix_socket_directories: '',
		// What is measured is n8n; no test here outlives a crash of the machine.
		fsync: 'off',
	};
	const running = await launch({
		name: 'PostgreSQL',
		command: postgres,
		args: [
			...['-D', data],
			...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
		],
		owner,
		log: join(folder, 'postgres.log'),
		isReady: async () =>
			await query('SELECT 1').then(
				() => true,
				() => false,
			),
		// The signal for which it ends its connections as well.
		stopSignal: 'SIGINT',
	});
	const stop = async () => {
		await running.stop();
		await rm(folder, { recursive: true, force: true });
	};
	return { ...running, port, user, database, query, stop };
}
