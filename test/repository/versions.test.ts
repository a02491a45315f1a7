import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import location from '../../testkit/n8n/location.cjs';
import { projectRoot } from '../support/process.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const { author, bugs, devDependencies, homepage, repository } = JSON.parse(read('package.json'));
const { current, older } = location;
const versions = [current.version, older.version];

/** Returns the files of the repository, also new ones, that contain a text. */
function filesWith(text: string, ...paths: string[]): string[] {
	const flags = ['--untracked', '--files-with-matches', '--fixed-strings'];
	const args = ['grep', ...flags, '-e', text, '--', ...paths];
	try {
		return execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim().split('\n');
	} catch {
		// Git's way to say that there is none.
		return [];
	}
}

it('is written once in code which n8n is tested with', () => {
	const naming = versions.flatMap((version) =>
		filesWith(version, '*.ts', '*.cjs', '*.mjs', '*.yml', '.ci/run'),
	);
	expect(naming).toEqual([]);
	const { packages } = JSON.parse(readFileSync(join(current.source, 'package-lock.json'), 'utf8'));
	for (const name of ['n8n-core', 'n8n-workflow'])
		expect([name, devDependencies[name]]).toEqual([name, packages[`node_modules/${name}`].version]);
});

it('names no other n8n in the documentation', () => {
	const list = ['ls-files', '*.md', ':!CHANGELOG.md'];
	const pages = execFileSync('git', list, { cwd: projectRoot, encoding: 'utf8' });
	const named = pages
		.trim()
		.split('\n')
		.flatMap((page) => read(page).match(/\b[12]\.\d{2,}\.\d+\b/g) ?? []);
	expect(new Set(named)).toEqual(new Set(versions));
});

it('names the repository and its owner only in the files that docs/verification.md lists', () => {
	const home: string = homepage.replace(/#.*/, '');
	expect({ repository, bugs }).toEqual({
		repository: { type: 'git', url: `git+${home}.git` },
		bugs: { url: `${home}/issues` },
	});
	expect(filesWith(new URL(home).pathname.slice(1))).toEqual([
		'.github/ISSUE_TEMPLATE/config.yml',
		'credentials/LinkManagementApi.credentials.ts',
		'package.json',
	]);
	expect(filesWith(author.email)).toEqual(['package.json']);
	for (const page of ['SECURITY.md', 'CODE_OF_CONDUCT.md'])
		expect(read(page)).toContain('e-mail address under `author` in [package.json](package.json)');
});
