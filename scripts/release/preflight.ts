// Checks whether a version can be released now. npm runs it before it changes a file.
import { git, need, needCleanTree, needVersion, runCommand } from './release.ts';

runCommand(() => {
	const version = process.env.npm_new_version ?? '';
	needVersion(version);
	needCleanTree();
	git('fetch', '--quiet');
	need(
		git('rev-parse', 'HEAD') === git('rev-parse', '@{upstream}'),
		'This branch and its upstream differ. Pull, push, and wait until CI has passed; then release.',
	);
	need(
		git('tag', '--list', version) === '',
		`The tag ${version} exists in this clone. If an earlier try left it, remove it: git tag --delete ${version}`,
	);
	need(
		git('ls-remote', 'origin', `refs/tags/${version}`) === '',
		`The tag ${version} exists at the remote. Release another version.`,
	);
});
