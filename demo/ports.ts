import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A reason to stop that the person at the keyboard can act on. */
export class DemoError extends Error {}

/**
 * Makes sure that a loopback port is free.
 *
 * @param use what the port is for, as the sentence names it
 * @throws DemoError that says how to choose another
 */
export async function needPort(port: number, use: string, flag: string): Promise<void> {
	const probe = createServer();
	const listening = once(probe.listen(port, '127.0.0.1'), 'listening');
	await listening.catch((error: NodeJS.ErrnoException) => {
		throw new DemoError(
			error.code === 'EADDRINUSE'
				? `Port ${port} for ${use} is taken. Stop the program that uses it, or choose another: npm run demo -- ${flag} ${port + 100}`
				: `Port ${port} for ${use} cannot be opened (${error.code}). Choose another: npm run demo -- ${flag} ${port + 100}`,
		);
	});
	await once(probe.close(), 'close');
}

/** Whether a loopback port is free at this moment. */
async function isFree(port: number): Promise<boolean> {
	const probe = createServer();
	const bound = await once(probe.listen(port, '127.0.0.1'), 'listening').then(
		() => true,
		() => false,
	);
	if (bound) await once(probe.close(), 'close');
	return bound;
}

/**
 * A run of free loopback ports. They lie below the range that systems take the ports of outgoing connections from: n8n needs
 * seconds until it listens, and a benchmark opens thousands of connections meanwhile.
 */
export async function freePorts(count: number): Promise<number[]> {
	const first = 20_000 + randomInt(10_000);
	const ports = Array.from({ length: count }, (_, index) => first + index);
	const free = await Promise.all(ports.map(isFree));
	return free.every(Boolean) ? ports : await freePorts(count);
}
