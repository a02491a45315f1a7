import { execFileSync } from 'node:child_process';
import {
	cpSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkContract } from '../../nodes/Link/link.contract';
import { projectRoot as root } from '../support/process.ts';

describe('the output schemas', () => {
	it('have a folder for each version of a node', () => {
		const copy = mkdtempSync(join(tmpdir(), 'versions-'));
		for (const name of ['dist', 'gulpfile.js', 'package.json'])
			cpSync(join(root, name), join(copy, name), { recursive: true });
		symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
		const file = join(copy, 'dist', 'nodes', 'Link', 'Link.node.js');
		const code = readFileSync(file, 'utf8');
		expect(code).toContain('version: 1,');
		writeFileSync(file, code.replace('version: 1,', 'version: [1, 1.1, 2],'));
		execFileSync(process.execPath, [join('node_modules', '.bin', 'gulp'), 'schemas'], {
			cwd: copy,
		});
		const schemas = join(copy, 'dist', 'nodes', 'Link', '__schema__');
		expect(readdirSync(schemas).toSorted()).toEqual(['v1.0.0', 'v1.1.0', 'v2.0.0']);
		for (const version of readdirSync(schemas)) {
			const operations = readdirSync(join(schemas, version, 'link')).toSorted();
			expect(operations).toEqual(
				linkContract.operations.map(({ value }) => `${value}.json`).toSorted(),
			);
		}
	});

	it('belong to a version that is raised by a rule', () => {
		const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
		expect(contributing).toMatch(/Raise `version` if/);
	});
});
