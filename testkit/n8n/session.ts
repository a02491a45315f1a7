import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DemoError, needPort } from '../ports.ts';
import { startService, type RunningService, type ServiceOptions } from '../service/index.ts';
import location from './location.cjs';

/** The reference service and n8n side by side, for a person who uses them until Ctrl-C. */
export interface Session {
	/** Of n8n's editor. */
	port: number;
	service: RunningService;
	/** What Ctrl-C ends, the latest first. */
	running: { stop(): Promise<void> }[];
}

/** The command line options that choose other ports. */
export const portOptions = {
	port: { type: 'string', default: '5678' },
	'service-port': { type: 'string', default: '4010' },
} as const;

/** A command that runs a session. */
interface Command {
	/** As sentences name it. */
	name: string;
	/** Values of {@link portOptions}. */
	ports: Record<keyof typeof portOptions, string>;
	/** Keeps the data of the service, and can contain the user folder of n8n. */
	folder: string;
	service: ServiceOptions;
}

/** Starts the service. */
async function startSession({ name, ports, folder, service }: Command): Promise<Session> {
	const [port, servicePort] = [Number(ports.port), Number(ports['service-port'])];
	await needPort(port, 'the editor of n8n', `${name} -- --port`);
	await needPort(port + 1, 'the task broker of n8n', `${name} -- --port`);
	await needPort(servicePort, 'the reference service', `${name} -- --service-port`);
	await mkdir(folder, { recursive: true });
	// The package would find this project's n8n-workflow otherwise, whose errors n8n does not recognize.
	await rm(join(folder, 'node_modules'), { force: true });
	await symlink(join(location.current.root, 'node_modules'), join(folder, 'node_modules'));
	const database = join(folder, 'service.sqlite');
	const started = await startService({ ...service, port: servicePort, database });
	return { port, service: started, running: [started] };
}

/**
 * Starts the service, and then what a command needs. All of it runs until Ctrl-C, which is a failure before the command is
 * ready.
 *
 * @param work starts the rest, and returns whether it is to run on; a DemoError of it ends all with its message
 */
export async function runSession(
	command: Command,
	work: (session: Session) => Promise<boolean>,
): Promise<void> {
	let session: Session | undefined;
	let isReady = false;
	const stop = async () => {
		for (const part of session?.running.splice(0).reverse() ?? []) await part.stop();
	};
	for (const signal of ['SIGINT', 'SIGTERM'] as const)
		process.once(signal, async () => {
			console.log('\nStopping …');
			await stop();
			process.exit(isReady ? 0 : 130);
		});
	try {
		session = await startSession(command);
		isReady = await work(session);
	} catch (error) {
		if (!(error instanceof DemoError)) throw error;
		console.error(error.message);
		process.exitCode = 1;
	} finally {
		if (!isReady) await stop();
	}
}
