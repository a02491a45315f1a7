// Checks whether a version can be released now. npm runs it before it changes a file.
import { git, needCleanTree } from './git.ts';
import { needVersion, ReleaseError, runCommand } from './releaseError.ts';

runCommand(() => {
	const version = process.env.npm_new_version ?? '';
	needVersion(version);
	needCleanTree();
	git('fetch', '--quiet');
	if (git('rev-parse', 'HEAD') !== git('rev-parse', '@{upstream}')) {
		throw new ReleaseError(
			'This branch and its upstream differ. Pull, push, and wait until CI has passed; then release.',
		);
	}
	const tag = `refs/tags/${version}`;
	if (git('tag', '--list', version) !== '') {
		throw new ReleaseError(
			`The tag ${version} exists in this clone. If an earlier try left it, remove it: git tag --delete ${version}`,
		);
	}
	if (git('ls-remote', 'origin', tag) !== '') {
		throw new ReleaseError(`The tag ${version} exists at the remote. Release another version.`);
	}
});
