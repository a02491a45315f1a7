import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from '../../testkit/n8n/package.ts';
import { projectRoot } from '../support/process.ts';

/** What n8n's scanner says of a folder: whether it passes, and every finding as text. */
interface Verdict {
	passed: boolean;
	message?: string;
	details?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'scan-'));
const published = join(folder, 'package');
const source = join(folder, 'source');

/** The files that the scanner takes of each, as it does for a package on npm. */
const patterns = { [published]: "['**/*.js', 'package.json']", [source]: 'SOURCE_FILE_PATTERNS' };

/** Runs the scanner that n8n runs on a package that asks to be verified. In a process of its own: it is an ES module. */
function scan(place: string): Verdict {
	const code = `
		import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
		const verdict = await analyzePackage(${JSON.stringify(place)}, ${patterns[place]});
		console.log(JSON.stringify(verdict));
	`;
	const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
		cwd: projectRoot,
		encoding: 'utf8',
		// The scanner leaves an empty folder behind. With Jest's NODE_ENV its rules would take every file for a node.
		env: { ...process.env, TMPDIR: folder, NODE_ENV: 'production' },
	});
	return JSON.parse(output) as Verdict;
}

/** Puts a line in front of a file, and takes it away again after the work is done. */
function withLine<T>(line: string, file: string, work: () => T): T {
	const text = readFileSync(file, 'utf8');
	writeFileSync(file, `${line}\n${text}`);
	try {
		return work();
	} finally {
		writeFileSync(file, text);
	}
}

beforeAll(async () => {
	// The publish workflow names the tarball that it publishes.
	const tarball = process.env.TARBALL ?? (await pack(projectRoot, folder));
	execFileSync('tar', ['xzf', tarball, '-C', folder]);
	for (const name of ['package.json', 'nodes', 'credentials'])
		cpSync(join(projectRoot, name), join(source, name), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
	['the published package', published, 'dist/nodes/Link/Link.node.js', "require('axios');"],
	['the source', source, 'nodes/Link/Link.node.ts', "import 'axios';"],
])("n8n's scanner, on %s", (_, place, node, line) => {
	it('finds nothing', () => {
		expect(scan(place)).toEqual({ passed: true });
	});

	it('refuses an import of axios', () => {
		const verdict = withLine(line, join(place, node), () => scan(place));
		expect(verdict.passed).toBe(false);
		expect(verdict.details).toMatch(/Link\.node\.[jt]s\n[^\n]*axios[^\n]*no-restricted-imports/);
	});
});
