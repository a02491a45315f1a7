import { spawnSync } from 'node:child_process';
import {
	appendFileSync,
	cpSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { startRegistry, type Registry } from '../../testkit/registry/registry.ts';
import { projectRoot } from '../support/process.ts';

const version = '99.0.0';
const entry = '### Added\n\n- An entry of the rehearsal.';
const folder = mkdtempSync(join(tmpdir(), 'release-'));
const remote = join(folder, 'origin.git');
/** Where a maintainer works. */
const clone = join(folder, 'clone');
/** Where the workflow builds the tarball. */
const build = join(folder, 'build');
let registry: Registry;

/** The commands of a job of the publish workflow. */
function commandsOf(job: string): string[] {
	const file = join(projectRoot, '.github', 'workflows', 'publish.yml');
	const { jobs } = parse(readFileSync(file, 'utf8')) as {
		jobs: Record<string, { steps: { run?: string }[] }>;
	};
	return jobs[job]?.steps.flatMap(({ run }) => run ?? []) ?? [];
}

/** Runs a shell command in a folder, with npm's settings for the registry, and returns its exit code and output. */
function shell(cwd: string, command: string): { code: number | null; output: string } {
	const token = `npm_config_//${registry.url.slice('http://'.length)}/:_authToken`;
	const env = {
		...process.env,
		PATH: `${join(projectRoot, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
		GIT_CONFIG_COUNT: '2',
		...{ GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'Maintainer' },
		...{ GIT_CONFIG_KEY_1: 'user.email', GIT_CONFIG_VALUE_1: 'maintainer@example.com' },
		npm_config_registry: registry.url,
		[token]: 'anybody',
		TAG: version,
		RUNNER_TEMP: folder,
		GITHUB_OUTPUT: join(folder, 'output'),
	};
	const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
		cwd,
		env,
		encoding: 'utf8',
	});
	return { code: status, output: `${stdout}${stderr}` };
}

/** Runs a command that must succeed, and returns its output. */
function succeed(cwd: string, command: string): string {
	const { code, output } = shell(cwd, command);
	if (code !== 0) throw new Error(`${command} failed: ${output}`);
	return output.trim();
}

/** Clones the remote. The installed packages are those of this project. */
function cloneInto(target: string, flags = ''): void {
	succeed(folder, `git clone --quiet ${flags} '${remote}' '${target}'`);
	symlinkSync(join(projectRoot, 'node_modules'), join(target, 'node_modules'));
}

/** Releases a version. The checks of types and words before it take minutes, so CI runs them on their own. */
const release = (name: string) => shell(clone, `npx release-it ${name} --ci --hooks.before:init=`);

/** Runs the check that the workflow runs first. */
const check = (tag: string) => shell(clone, `node scripts/release/check.ts ${tag}`);

/** Returns the versions of the package in the registry. */
function publishedVersions(): string[] {
	const { code, output } = shell(
		folder,
		'npm view n8n-nodes-link-management versions --json 2>/dev/null',
	);
	return code === 0 ? ([JSON.parse(output)].flat() as string[]) : [];
}

beforeAll(async () => {
	registry = await startRegistry(join(folder, 'registry'));
	succeed(folder, `git init --quiet --bare --initial-branch=main '${remote}'`);
	succeed(remote, 'git config receive.shallowUpdate true');
	succeed(projectRoot, `git push --quiet '${remote}' HEAD:refs/heads/main`);
	cloneInto(clone);
	const changelog = join(clone, 'CHANGELOG.md');
	const text = readFileSync(changelog, 'utf8');
	writeFileSync(changelog, text.replace(/(## \[Unreleased\]\n\n)[^]*?(?=## \[)/, `$1${entry}\n\n`));
	succeed(clone, 'git commit --quiet --all --message="docs: an entry" && git push --quiet');
});
afterAll(async () => {
	await registry.stop();
	rmSync(folder, { recursive: true, force: true });
});

it('does not publish from a clone', () => {
	expect(shell(clone, 'npm publish')).toEqual({
		code: 1,
		output: expect.stringContaining('EPRIVATE'),
	});
	expect(publishedVersions()).toEqual([]);
});

it('packs no clone without a build', () => {
	const { code, output } = shell(clone, 'node scripts/release/pack.ts');
	expect(code).toBe(1);
	expect(output).toContain('dist is missing. Run "npm run build" first.');
});

it('does not release a tree with changes', () => {
	appendFileSync(join(clone, 'README.md'), 'A change.\n');
	expect(release(version)).toMatchObject({
		code: 1,
		output: expect.stringContaining('Working dir must be clean'),
	});
	succeed(clone, 'git checkout --quiet README.md');
	expect(succeed(clone, 'git tag')).toBe('');
});

it('does not release a tree with a new file', () => {
	writeFileSync(join(clone, 'new.ts'), '');
	expect(release(version)).toMatchObject({
		code: 1,
		output: expect.stringContaining('Commit or remove these changes first:\n?? new.ts'),
	});
	rmSync(join(clone, 'new.ts'));
	expect(succeed(clone, 'git tag')).toBe('');
});

it.each(['0.06.0', 'v99.0.0', '99.0.0-beta.1'])('does not release the version %s', (name) => {
	const before = succeed(clone, 'git rev-parse HEAD');
	expect(shell(clone, `node scripts/release/preflight.ts ${name}`)).toEqual({
		code: 1,
		output: `release: "${name}" is not a version that can be released. Use three numbers, such as 0.6.0.\n`,
	});
	release(name);
	expect(succeed(clone, 'git rev-parse HEAD')).toBe(before);
	expect(succeed(clone, 'git tag')).toBe('');
});

it('does not release a commit that is not pushed', () => {
	succeed(clone, 'git commit --quiet --allow-empty --message=x');
	expect(release(version)).toMatchObject({
		code: 1,
		output: expect.stringContaining('This branch and its upstream differ'),
	});
	succeed(clone, 'git reset --quiet --hard HEAD~1');
});

it('makes a commit with a dated entry and the version everywhere, and a tag, which you push', () => {
	expect(release(version).code).toBe(0);
	expect(succeed(remote, 'git tag')).toBe('');
	succeed(clone, `git push --quiet --atomic origin main ${version}`);
	expect(succeed(remote, 'git tag')).toBe(version);
	expect(succeed(remote, `git log -1 --format=%s ${version}`)).toBe(`chore: release ${version}`);
	expect(succeed(remote, 'git rev-parse main')).toBe(
		succeed(remote, `git rev-parse ${version}^{commit}`),
	);
	const show = (file: string) => succeed(remote, `git show main:${file}`);
	expect(show('CHANGELOG.md')).toMatch(
		new RegExp(
			`## \\[Unreleased\\]\n\n## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d\n\n${entry}\n\n## \\[`,
		),
	);
	for (const file of ['package.json', 'package-lock.json']) {
		expect(JSON.parse(show(file))).toMatchObject({ version });
	}
	expect(show('examples/queue-mode/example.env')).toContain(`LINK_MANAGEMENT_VERSION=${version}\n`);
	expect(succeed(clone, 'git status --porcelain')).toBe('');
});

it('does not release a version again', () => {
	const preflight = () => shell(clone, `node scripts/release/preflight.ts ${version}`);
	expect(preflight()).toMatchObject({
		code: 1,
		output: expect.stringContaining(`The tag ${version} exists in this clone`),
	});
	succeed(clone, `git tag --delete ${version}`);
	// Fetching would bring the tag back.
	succeed(clone, 'git config remote.origin.tagOpt --no-tags');
	expect(preflight()).toMatchObject({
		code: 1,
		output: expect.stringContaining(`The tag ${version} exists at the remote`),
	});
	succeed(clone, 'git fetch --quiet --tags');
	expect(succeed(clone, 'git status --porcelain')).toBe('');
});

it('publishes what the workflow packs, with the text of the changelog', () => {
	cloneInto(build, `--branch ${version}`);
	const [compare = '', pack = '', digests = ''] = commandsOf('tarball');
	expect(succeed(build, compare)).toContain(`tag, versions and changelog agree on ${version}`);
	succeed(build, pack);
	const artifact = join(folder, 'release');
	expect(readFileSync(join(artifact, 'notes.md'), 'utf8')).toBe(`${entry}\n`);

	const [compareDigests = '', publish = ''] = commandsOf('publish');
	const printed = succeed(artifact, digests).split('\n');
	expect(printed).toEqual([
		'checksums<<END',
		expect.stringMatching(`^[0-9a-f]{64}  n8n-nodes-link-management-${version}.tgz$`),
		expect.stringMatching(/^[0-9a-f]{64} {2}notes\.md$/),
		'END',
	]);
	const withDigests = `CHECKSUMS='${printed.slice(1, -1).join('\n')}'; ${compareDigests}`;
	succeed(artifact, withDigests);
	const changed = join(folder, 'changed');
	cpSync(artifact, changed, { recursive: true });
	appendFileSync(join(changed, 'notes.md'), 'A change.\n');
	expect(shell(changed, withDigests).output).toContain('notes.md: FAILED');

	expect(publish).toContain('--provenance ');
	// Only npm's own registry can serve a provenance statement.
	succeed(folder, publish.replace('--provenance ', '--provenance=false '));
	expect(publishedVersions()).toEqual([version]);
});

it('refuses a second release without changes', () => {
	const { code, output } = release('99.0.1');
	expect(code).toBe(1);
	expect(output).toContain('There are no entries under "Unreleased"');
	expect(succeed(remote, 'git tag')).toBe(version);
});

describe('a tag that somebody made by hand', () => {
	it('is refused if package.json has another version', () => {
		succeed(clone, 'git tag 99.1.0');
		expect(check('99.1.0')).toEqual({
			code: 1,
			output: `release: The tag is 99.1.0, but package.json has the version ${version}. Delete the tag, and run "npm run release".\n`,
		});
	});

	it('is refused if the lock file has another version', () => {
		succeed(
			clone,
			`npm pkg set version=99.2.0 && git commit --quiet --all --message=x && git tag 99.2.0`,
		);
		expect(check('99.2.0').output).toContain(`package-lock.json has the version ${version}`);
	});

	it('is refused if the changelog has no entry', () => {
		succeed(
			clone,
			'npm version 99.3.0 --no-git-tag-version && git commit --quiet --all --message=x && git tag 99.3.0',
		);
		expect(check('99.3.0').output).toContain('has no section "## [99.3.0] - YYYY-MM-DD"');
	});

	it('is refused if its commit is not part of main', () => {
		const changelog = join(clone, 'CHANGELOG.md');
		const text = readFileSync(changelog, 'utf8');
		writeFileSync(
			changelog,
			text.replace('\n## [99.0.0]', '\n## [99.3.0] - 2026-12-01\n\n- x\n\n## [99.0.0]'),
		);
		succeed(clone, 'git commit --quiet --all --message=x && git tag --force 99.3.0');
		expect(check('99.3.0').output).toBe(
			'release: The commit of the tag 99.3.0 is not part of origin/main.\n',
		);
	});

	it('is refused if it is on another commit', () => {
		succeed(clone, 'git tag --force 99.3.0 HEAD~1');
		expect(check('99.3.0').output).toContain('is not on the commit that is checked out');
	});

	it('is refused in a tree with changes', () => {
		writeFileSync(join(clone, 'a file'), '');
		expect(check(version).output).toContain('Commit or remove these changes first:\n?? "a file"');
	});
});
