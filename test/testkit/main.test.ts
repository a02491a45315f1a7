import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { key, useReferenceService } from '../support/referenceService.ts';

const { call, current } = useReferenceService();

describe('the command', () => {
	const start = (...args: string[]) =>
		spawn(process.execPath, ['testkit/service/main.ts', ...args], {
			stdio: ['ignore', 'pipe', 'pipe'],
		});
	const exit = async (child: ChildProcess) => ((await once(child, 'exit')) as unknown[])[0];

	test.each(['SIGINT', 'SIGTERM'] as const)('serves until %s', async (signal) => {
		await current().stop();
		const port = new URL(current().url).port;
		const args = ['--port', port, '--key', 'first', '--key', key, '--strict', '--throttle', '5/20'];
		const child = start(...args);
		const [line] = (await once(createInterface(child.stdout), 'line')) as unknown[];
		expect(line).toBe(`Reference service at ${current().url}`);
		const { status, headers } = await call('GET', '/api/v1/links?nonsense=1');
		expect([status, headers['x-ratelimit-limit']]).toEqual([422, '5']);
		const other = { authorization: 'Bearer first' };
		expect((await call('GET', '/api/v1/links', { headers: other })).status).toBe(200);
		const ended = exit(child);
		child.kill(signal);
		expect(await ended).toBe(0);
	});
});
