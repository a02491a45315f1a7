import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '../ports.ts';
import { launchN8n, type RunningN8n } from './instance.ts';
import { installPackage } from './package.ts';
import { startPostgres, type RunningPostgres } from './postgres.ts';
import type { RunningProgram } from './program.ts';
import { startRedis } from './redis.ts';

export interface QueueModeOptions {
	/** Folder of its own: user folders, logs. */
	folder: string;
	/** Tarball of the package; all processes load it from one user folder. */
	tarball: string;
	/** Processes that execute workflows. */
	workers: number;
	/** Executions that each of them takes at a time; n8n's default of 10 unless told. */
	concurrency?: number;
	/** What else all processes are told by their environment. */
	settings?: Record<string, string>;
}

/** Redis with the queue, PostgreSQL, and what is done to them. */
interface Stores {
	redis: RunningProgram;
	readonly redisPort: number;
	readonly postgres: RunningPostgres;
}

/** A real n8n in queue mode: a main process, which takes webhook calls and polls, and workers, which execute. */
export class QueueMode {
	private readonly options: QueueModeOptions;
	private readonly stores: Stores;
	private main?: RunningN8n;
	readonly workers: RunningN8n[] = [];
	private started = 0;

	private constructor(options: QueueModeOptions, stores: Stores) {
		this.options = options;
		this.stores = stores;
	}

	/** Starts everything, and waits until it is ready. */
	static async start(options: QueueModeOptions): Promise<QueueMode> {
		const { folder, tarball, workers } = options;
		const [redisPort = 0, postgresPort = 0] = await freePorts(2);
		const [redis, postgres] = await Promise.all([
			startRedis(join(folder, 'redis'), redisPort),
			startPostgres(postgresPort),
			mkdir(join(folder, 'files'), { recursive: true }),
			installPackage(join(folder, 'n8n'), tarball),
		]);
		const started = new QueueMode(options, { redis, redisPort, postgres });
		// First alone: it makes the tables of the database.
		await started.startMain();
		await Promise.all(Array.from({ length: workers }, async () => await started.addWorker()));
		return started;
	}

	private get settings(): Record<string, string> {
		const { postgres, redisPort } = this.stores;
		return {
			...this.options.settings,
			EXECUTIONS_MODE: 'queue',
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redisPort),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: postgres.user,
			N8N_ENCRYPTION_KEY: 'queue-mode-encryption-key-0123456789',
		};
	}

	private async launch(
		args: string[],
		name: string,
		given: { folder?: string; settings?: Record<string, string> } = {},
	): Promise<RunningN8n> {
		const [port = 0] = await freePorts(2);
		const { folder = join(this.options.folder, 'n8n') } = given;
		const files = join(this.options.folder, 'files');
		const settings = { ...this.settings, ...given.settings, QUEUE_HEALTH_CHECK_PORT: String(port) };
		return await launchN8n({ folder, port, files, settings }, args, name);
	}

	private async startMain(): Promise<void> {
		this.main = await this.launch(['start'], 'main');
	}

	/** Address of the main process. */
	get url(): string {
		return this.main?.url ?? '';
	}

	/** Starts another worker, by default with the package that all others have. */
	async addWorker(tarball?: string): Promise<RunningN8n> {
		this.started += 1;
		const name = `worker-${this.started}`;
		const { concurrency = 10 } = this.options;
		const own = tarball === undefined ? undefined : join(this.options.folder, name);
		if (own && tarball) await installPackage(own, tarball);
		const worker = await this.launch(['worker', `--concurrency=${concurrency}`], name, {
			folder: own,
			settings: { QUEUE_HEALTH_CHECK_ACTIVE: 'true' },
		});
		this.workers.push(worker);
		return worker;
	}

	/** Starts another worker in the place of one, which is ended where it still runs. */
	async replaceWorker(worker: RunningN8n, tarball?: string): Promise<void> {
		await worker.stop();
		this.workers.splice(this.workers.indexOf(worker), 1);
		await this.addWorker(tarball);
	}

	/** Ends Redis and starts it again with what it had stored. */
	async restartRedis(): Promise<void> {
		const { redis, redisPort } = this.stores;
		await redis.stop();
		this.stores.redis = await startRedis(join(this.options.folder, 'redis'), redisPort);
	}

	/** The rows that a query gives in n8n's own database. */
	readonly query = async (sql: string): Promise<Record<string, string>[]> =>
		await this.stores.postgres.query(sql);

	/** Ends all processes. */
	async stop(): Promise<void> {
		const { redis, postgres } = this.stores;
		await Promise.all([...this.workers, this.main].map(async (one) => await one?.stop()));
		await Promise.all([redis.stop(), postgres.stop()]);
	}
}
