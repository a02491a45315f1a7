import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A reason to stop that the user can act on. */
export class DemoError extends Error {}

/** Whether nothing listens on a port. */
async function isFree(port: number, host?: string): Promise<boolean> {
	const server = createServer().listen({ port, host });
	try {
		await once(server, 'listening');
		return true;
	} catch {
		// Another program has it.
		return false;
	} finally {
		server.close();
	}
}

/**
 * Checks that a loopback port is free.
 *
 * @param use what the port is for, as the sentence names it
 * @param option the command and the option that chooses another port, such as `npm run demo -- --port`
 * @throws DemoError that says how to choose another
 */
export async function needPort(port: number, use: string, option: string): Promise<void> {
	if (await isFree(port, '127.0.0.1')) return;
	throw new DemoError(
		`Port ${port} for ${use} is taken. Stop the program that uses it, or choose another: ${option} ${port + 100}`,
	);
}

/**
 * Returns consecutive free ports. They are below the range that systems take the ports of outgoing connections from: n8n
 * needs seconds until it listens, and a benchmark opens thousands of connections at the same time.
 */
export async function freePorts(count: number): Promise<number[]> {
	const first = 20_000 + randomInt(10_000);
	const ports = Array.from({ length: count }, (_, index) => first + index);
	const free = await Promise.all(ports.map(async (port) => await isFree(port)));
	return free.every(Boolean) ? ports : await freePorts(count);
}
