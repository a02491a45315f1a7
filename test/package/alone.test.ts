import { execFileSync } from 'node:child_process';
import {
	appendFileSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pack } from '../../testkit/n8n/package.ts';
import { projectRoot } from '../support/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'alone-'));
const ours = 'n8n-nodes-link-management';

/** Returns where a package is installed in a folder. */
const packageIn = (root: string) => join(root, 'node_modules', ours);

beforeAll(async () => {
	const tarball = await pack(projectRoot, folder);
	const unpacked = packageIn(join(folder, 'installed'));
	mkdirSync(unpacked, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
	// n8n provides this package, and no other.
	const provided = dirname(require.resolve('n8n-workflow/package.json'));
	symlinkSync(provided, join(dirname(unpacked), 'n8n-workflow'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Loads all entry points of the package in a process of its own, and returns the names that each exports. */
function exportsIn(root: string): Record<string, string[]> {
	const unpacked = packageIn(root);
	const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
	const entries = [manifest.main, ...manifest.n8n.nodes, ...manifest.n8n.credentials] as string[];
	const code = `console.log(JSON.stringify(Object.fromEntries(${JSON.stringify(entries)}.map(
		(entry) => [entry, Object.keys(require('./' + entry)).sort()],
	))))`;
	// Without NODE_PATH, which would let Node find more packages.
	const env = { PATH: process.env.PATH };
	const options = { cwd: unpacked, env, encoding: 'utf8', stdio: 'pipe' } as const;
	return JSON.parse(execFileSync(process.execPath, ['-e', code], options));
}

it('loads with n8n-workflow as the only other package', () => {
	expect(exportsIn(join(folder, 'installed'))).toEqual({
		'dist/index.js': ['Link', 'LinkManagementApi', 'LinkTrigger', 'Pixel'],
		'dist/nodes/Link/Link.node.js': ['Link'],
		'dist/nodes/LinkTrigger/LinkTrigger.node.js': ['LinkTrigger'],
		'dist/nodes/Pixel/Pixel.node.js': ['Pixel'],
		'dist/credentials/LinkManagementApi.credentials.js': ['LinkManagementApi'],
	});
});

it('does not load if one of its files requires a development dependency', () => {
	// In this project the package is found.
	const name = 'fast-check';
	expect(require.resolve(name)).toContain(name);
	const changed = join(folder, 'changed');
	cpSync(join(folder, 'installed'), changed, { recursive: true, verbatimSymlinks: true });
	const file = join(packageIn(changed), 'dist/nodes/shared/contract/values.js');
	appendFileSync(file, `require('${name}');\n`);
	expect(() => exportsIn(changed)).toThrow(`Cannot find module '${name}'`);
});
