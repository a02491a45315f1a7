import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePorts } from '../ports.ts';
import { composeEnvironment } from './compose.ts';
import { launchN8n, type RunningN8n } from './instance.ts';
import { installPackage } from './package.ts';
import type { RunningProgram } from './program.ts';
import { askRedis, startPostgres, startRedis, type RunningPostgres } from './stores.ts';

/** Seconds that a worker gets to end what it executes: more than any execution here takes. */
const executing = 120;

export interface QueueModeOptions {
	/** The checkout, whose compose file says how n8n is set up. */
	projectRoot: string;
	/** Folder of its own: user folders, logs. */
	folder: string;
	/** Tarball of the package; all processes load it from one user folder. */
	tarball: string;
	/** Processes that execute workflows. */
	workers: number;
	/** Additional environment variables of all processes. */
	settings?: Record<string, string>;
}

/** All processes share one user folder, and the package in it. */
const userFolderIn = (folder: string) => join(folder, 'n8n');

const redisFolderIn = (folder: string) => join(folder, 'redis');

/** The services that all processes share. */
interface Stores {
	/** Of the main process, which keeps its address when it is started again. */
	readonly mainPort: number;
	redis: RunningProgram;
	readonly redisPort: number;
	readonly postgres: RunningPostgres;
	/** The environment variables of n8n in the compose file. */
	readonly compose: Record<string, string>;
}

/** A real n8n in queue mode: a main process, which takes webhook calls and polls, and workers, which execute. */
export class QueueMode {
	readonly workers: RunningN8n[] = [];
	private readonly options: QueueModeOptions;
	private readonly stores: Stores;
	private main?: RunningN8n;
	private started = 0;

	private constructor(options: QueueModeOptions, stores: Stores) {
		[this.options, this.stores] = [options, stores];
	}

	/** Starts everything, and waits until it is ready. */
	static async start(options: QueueModeOptions): Promise<QueueMode> {
		const { projectRoot, folder, tarball, workers } = options;
		const [mainPort = 0, , redisPort = 0, postgresPort = 0] = await freePorts(4);
		const [redis, postgres, compose] = await Promise.all([
			startRedis(redisFolderIn(folder), redisPort),
			startPostgres(postgresPort),
			composeEnvironment(projectRoot),
			mkdir(join(folder, 'files'), { recursive: true }),
			installPackage(userFolderIn(folder), tarball),
		]);
		const started = new QueueMode(options, { mainPort, redis, redisPort, postgres, compose });
		// First alone: it makes the tables of the database.
		await started.startMain();
		await Promise.all(Array.from({ length: workers }, async () => await started.addWorker()));
		return started;
	}

	/** Starts a process of n8n with the environment of the example's compose file, and the addresses of this machine. */
	private async launch(args: string[], name: string, port: number): Promise<RunningN8n> {
		const { postgres, redisPort, compose } = this.stores;
		const settings = {
			...compose,
			...this.options.settings,
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redisPort),
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_DATABASE: postgres.database,
			DB_POSTGRESDB_USER: postgres.user,
			DB_POSTGRESDB_PASSWORD: 'any, because this PostgreSQL trusts whoever can reach it',
			N8N_ENCRYPTION_KEY: 'queue-mode-encryption-key-0123456789',
			QUEUE_HEALTH_CHECK_PORT: String(port),
		};
		const folder = userFolderIn(this.options.folder);
		const files = join(this.options.folder, 'files');
		return await launchN8n({ folder, port, files, settings }, args, name);
	}

	private async startMain(): Promise<void> {
		this.main = await this.launch(['start'], 'main', this.stores.mainPort);
	}

	/** Address of the main process. */
	get url(): string {
		return this.main?.url ?? '';
	}

	/** Starts another worker, with the package as it is installed now. */
	async addWorker(): Promise<void> {
		this.started += 1;
		const name = `worker-${this.started}`;
		const [port = 0] = await freePorts(2);
		this.workers.push(await this.launch(['worker', '--concurrency=10'], name, port));
	}

	/** Starts another worker in the place of one, which first ends what it executes. */
	async replaceWorker(worker: RunningN8n): Promise<void> {
		await worker.stop(executing);
		this.workers.splice(this.workers.indexOf(worker), 1);
		await this.addWorker();
	}

	/** Installs another version of the package where all processes have it. Those that run go on with what they loaded. */
	async install(tarball: string): Promise<void> {
		await installPackage(userFolderIn(this.options.folder), tarball);
	}

	/** Ends the main process as a crash would, and starts it again. */
	async crashMain(): Promise<void> {
		await this.main?.kill();
		await this.startMain();
	}

	/** Ends Redis and starts it again with what it had stored. */
	async restartRedis(): Promise<void> {
		const { redis, redisPort } = this.stores;
		await redis.stop();
		this.stores.redis = await startRedis(redisFolderIn(this.options.folder), redisPort);
	}

	/** Waits until no job is in the queue, and no worker executes one. */
	async untilIdle(): Promise<void> {
		for (const list of ['wait', 'active']) {
			const command = ['LLEN', `bull:jobs:${list}`];
			while ((await askRedis(this.stores.redisPort, ...command)) !== '0') await wait(500);
		}
	}

	/** The rows that a query gives in n8n's own database. */
	readonly query = async (sql: string): Promise<Record<string, string>[]> =>
		await this.stores.postgres.query(sql);

	/** Ends all processes. */
	async stop(): Promise<void> {
		const { redis, postgres } = this.stores;
		await Promise.all([...this.workers, this.main].map(async (program) => await program?.stop()));
		await Promise.all([redis.stop(), postgres.stop()]);
	}
}
