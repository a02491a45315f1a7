// Checks that a tag, package.json, package-lock.json and CHANGELOG.md describe the same release, and writes its notes.
// npm run release:check -- <tag> [<file for the notes>]
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { releaseNotes } from './changelog.ts';
import { git, need, needCleanTree, needVersion, runCommand } from './release.ts';

const read = (file: string) => readFileSync(file, 'utf8');

/** Checks that package.json and the lock file have the version of the tag. */
function needVersions(tag: string): void {
	const manifest = JSON.parse(read('package.json')) as { version: string };
	const lock = JSON.parse(read('package-lock.json')) as {
		version: string;
		packages: { '': { version: string } };
	};
	const versions = {
		'package.json': manifest.version,
		'package-lock.json': lock.version,
		'package-lock.json (packages)': lock.packages[''].version,
	};
	for (const [place, version] of Object.entries(versions))
		need(
			version === tag,
			`The tag is ${tag}, but ${place} has the version ${version}. Delete the tag, and run "npm run release".`,
		);
}

/** Checks that the tag is on the commit that is checked out, and that this commit is part of main. */
function needTagOnMain(tag: string): void {
	need(git('tag', '--list', tag) !== '', `There is no tag ${tag}.`);
	need(
		git('rev-parse', `${tag}^{commit}`) === git('rev-parse', 'HEAD'),
		`The tag ${tag} is not on the commit that is checked out.`,
	);
	const isOnMain = ['merge-base', '--is-ancestor', 'HEAD', 'origin/main'];
	const { status } = spawnSync('git', isOnMain, { stdio: 'ignore' });
	need(status === 0, `The commit of the tag ${tag} is not part of origin/main.`);
}

runCommand(() => {
	const [tag = '', file] = process.argv.slice(2);
	need(tag !== '', 'Name the tag: npm run release:check -- 0.6.0');
	needVersion(tag);
	needCleanTree();
	needVersions(tag);
	const notes = releaseNotes(read('CHANGELOG.md'), tag);
	needTagOnMain(tag);
	if (file) {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, `${notes}\n`);
	}
	console.log(`release: tag, versions and changelog agree on ${tag}`);
});
