import { parseArgs } from 'node:util';
import { startService, type ServiceOptions } from './index.ts';

/** Reads the command line; throws a sentence for a person when it makes no sense. */
function readOptions(): ServiceOptions & { port: number } {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			database: { type: 'string' },
			key: { type: 'string', multiple: true },
			strict: { type: 'boolean' },
			throttle: { type: 'string' },
		},
	});
	const { database, key: apiKeys, strict } = values;
	const port = Number(values.port);
	if (!/^\d+$/.test(values.port) || port > 65_535)
		throw new Error(`--port takes a number up to 65535, not ${values.port}.`);
	return { port, database, apiKeys, strict, settings: readThrottle(values.throttle) };
}

/** `120/20` is 120 requests in 20 seconds. */
function readThrottle(value: string | undefined): ServiceOptions['settings'] {
	if (value === undefined) return undefined;
	const [, limit, windowSeconds] = /^(\d+)\/([1-9]\d*)$/.exec(value) ?? [];
	if (limit === undefined)
		throw new Error(`--throttle takes requests/seconds, such as 120/20, not ${value}.`);
	return { throttle: { limit: Number(limit), windowSeconds: Number(windowSeconds) } };
}

async function run(): Promise<void> {
	const options = readOptions();
	const service = await startService(options);
	console.log(`Reference service at ${service.url}`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const)
		process.once(signal, () => void service.stop());
}

/** A failed start as one sentence. */
function explain(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const isPortTaken = 'code' in error && error.code === 'EADDRINUSE' && 'port' in error;
	return isPortTaken
		? `Port ${String(error.port)} is already in use. Stop what uses it, or choose another with --port.`
		: error.message;
}

run().catch((error: unknown) => {
	console.error(explain(error));
	process.exitCode = 1;
});
