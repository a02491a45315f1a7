import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pack } from '../../testkit/n8n/package.ts';
import { projectRoot } from '../support/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'alone-'));

const unpacked = join(folder, 'node_modules', 'n8n-nodes-link-management');

beforeAll(async () => {
	const tarball = await pack(projectRoot, folder);
	mkdirSync(unpacked, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
	// n8n provides this package, and no other.
	const provided = dirname(require.resolve('n8n-workflow/package.json'));
	symlinkSync(provided, join(dirname(unpacked), 'n8n-workflow'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('loads with n8n-workflow as the only other package', () => {
	const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
	const entries: string[] = [manifest.main, ...manifest.n8n.nodes, ...manifest.n8n.credentials];
	const code = `console.log(JSON.stringify(Object.fromEntries(${JSON.stringify(entries)}.map(
		(entry) => [entry, Object.keys(require('./' + entry)).sort()],
	))))`;
	// Without NODE_PATH, which would let Node find more packages.
	const options = { cwd: unpacked, env: { PATH: process.env.PATH } };
	// In a process of its own, because Jest finds the packages of this project.
	const exported = execFileSync(process.execPath, ['-e', code], options);
	expect(JSON.parse(String(exported))).toEqual({
		'dist/index.js': ['Link', 'LinkManagementApi', 'LinkTrigger', 'Pixel'],
		'dist/nodes/Link/Link.node.js': ['Link'],
		'dist/nodes/LinkTrigger/LinkTrigger.node.js': ['LinkTrigger'],
		'dist/nodes/Pixel/Pixel.node.js': ['Pixel'],
		'dist/credentials/LinkManagementApi.credentials.js': ['LinkManagementApi'],
	});
});
