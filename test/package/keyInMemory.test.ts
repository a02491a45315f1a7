import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../support/process.ts';

const limitersFile = join(projectRoot, 'dist', 'nodes', 'shared', 'transport', 'connect.js');

it('keeps no key in memory, and lets a process end while a limiter is remembered', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'limiters-'));
	const snapshot = join(folder, 'memory.heapsnapshot');
	const key = 'key-of-this-account';
	// The program contains the key only in Base64.
	const script = `
		const { limiterFor } = require(${JSON.stringify(limitersFile)});
		const keyOf = () => Buffer.from('${btoa(key)}', 'base64').toString();
		const ask = () => limiterFor({ root: 'https://links.example', apiKey: keyOf() });
		ask().then(() => setImmediate(() => require('node:v8').writeHeapSnapshot(${JSON.stringify(snapshot)})));
	`;
	const child = spawn(process.execPath, ['-e', script]);
	expect(await once(child, 'exit')).toEqual([0, null]);
	const memory = readFileSync(snapshot, 'utf8');
	expect(memory).toContain('RateLimiter');
	expect(memory).not.toContain(key);
	rmSync(folder, { recursive: true });
});
