import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { request } from 'undici';

test.each(['SIGINT', 'SIGTERM'] as const)('serves until %s', async (signal) => {
	const child = spawn(process.execPath, ['testkit/service/main.ts', 'first', 'second'], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
	const headers = { authorization: 'Bearer second', accept: 'application/json' };
	const { statusCode } = await request(`${line.split(' ').at(-1)}/api/v1/links`, { headers });
	expect(statusCode).toBe(200);
	const ended = once(child, 'exit');
	child.kill(signal);
	expect(await ended).toEqual([0, null]);
});
