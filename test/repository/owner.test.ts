import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/process.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const { author, bugs, homepage, repository } = JSON.parse(read('package.json')) as {
	author: { name: string; email: string };
	bugs: { url: string };
	homepage: string;
	repository: { url: string };
};
const home = homepage.replace(/#.*/, '');

/** Returns the files of the repository, also new ones, that contain a text. */
const filesWith = (text: string): string[] =>
	execFileSync(
		'git',
		['grep', '--untracked', '--files-with-matches', '--fixed-strings', '-e', text],
		{ cwd: projectRoot, encoding: 'utf8' },
	)
		.trim()
		.split('\n');

it('names one repository in package.json', () => {
	expect({ repository, bugs }).toEqual({
		repository: { type: 'git', url: `git+${home}.git` },
		bugs: { url: `${home}/issues` },
	});
});

it('names the repository only in the files that docs/verification.md lists', () => {
	expect(filesWith(new URL(home).pathname.slice(1))).toEqual([
		'.github/ISSUE_TEMPLATE/config.yml',
		'credentials/LinkManagementApi.credentials.ts',
		'package.json',
	]);
});

it('names the e-mail address of the owner only in package.json', () => {
	expect(filesWith(author.email)).toEqual(['package.json']);
	for (const page of ['SECURITY.md', 'CODE_OF_CONDUCT.md'])
		expect(read(page)).toContain('e-mail address under `author` in [package.json](package.json)');
});
