import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { programOf } from './debian.ts';
import { launch, type RunningProgram } from './program.ts';

/** Returns whether Redis responds. It does not respond while it loads its data. */
async function answersPing(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	try {
		await once(socket, 'connect');
		socket.write('PING\r\n');
		const [answer] = (await once(socket, 'data')) as [Buffer];
		return String(answer).startsWith('+PONG');
	} catch {
		// Nothing listens yet.
		return false;
	} finally {
		socket.destroy();
	}
}

/**
 * Starts Redis on a loopback port. It writes all that it is told to a file, so that it has it still when it is started again
 * in the same folder.
 */
export async function startRedis(folder: string, port: number): Promise<RunningProgram> {
	const command = programOf('redis-server', 'redis-server');
	await mkdir(folder, { recursive: true });
	const settings = {
		port: String(port),
		bind: '127.0.0.1',
		dir: folder,
		appendonly: 'yes',
		save: '',
	};
	return await launch({
		name: 'Redis',
		command,
		args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
		log: join(folder, 'redis.log'),
		isReady: async () => await answersPing(port),
	});
}
