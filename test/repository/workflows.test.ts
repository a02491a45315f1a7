import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../support/process.ts';

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
}

interface Job {
	needs?: string | string[];
	environment?: string;
	permissions?: Record<string, string>;
	strategy?: { matrix: { include?: { script: string }[] } };
	steps?: Step[];
}

interface Workflow {
	permissions: Record<string, string>;
	jobs: Record<string, Job>;
}

const folder = join(projectRoot, '.github', 'workflows');
const read = (file: string) => parse(readFileSync(join(folder, file), 'utf8')) as Workflow;
const files = readdirSync(folder);
const steps = files.flatMap((file) =>
	Object.values(read(file).jobs).flatMap((job) => job.steps ?? []),
);

/** The command that compares the tarball in a folder with the digest of the job that packed it. */
const compareDigest = (folder: string) =>
	`echo "$SHA256  $(ls ${folder}/*.tgz)" | sha256sum --check`;

it('runs in GitHub the scripts that .ci/run runs', () => {
	const ciRun = readFileSync(join(projectRoot, '.ci', 'run'), 'utf8');
	const direct = [...ciRun.matchAll(/npm (?:run --silent )?([a-z:]+)(?: &)?$/gm)].map(
		([, name]) => name,
	);
	const inLanes = [...ciRun.matchAll(/^\w+=\(([a-z0-9: ]+)\)$/gm)].flatMap(([, names]) =>
		names?.split(' '),
	);
	const scripts = [...direct, ...inLanes].filter((script) => script && script !== 'setup');
	const { check } = read('ci.yml').jobs;
	const inGitHub = check?.strategy?.matrix.include?.map(({ script }) => script);
	expect(inGitHub?.toSorted()).toEqual(scripts.toSorted());
	expect(check?.steps?.at(-1)?.run).toBe('npm run "$SCRIPT"');
});

it('pins each action by its commit, and leaves no token in a checkout', () => {
	const actions = steps.flatMap(({ uses }) => uses ?? []);
	expect(actions.length).toBeGreaterThan(5);
	for (const action of actions) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
	const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
	expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual([
		false,
		false,
		false,
		false,
	]);
});

it('inserts no text of a branch or tag into a command', () => {
	for (const { run = '' } of steps) expect(run).not.toContain('${{');
});

it('lets only the job that publishes prove to npm who it is, and this job runs no other code', () => {
	expect(read('ci.yml').permissions).toEqual({ contents: 'read' });
	const { permissions, jobs } = read('publish.yml');
	expect(permissions).toEqual({});
	const rights = Object.entries(jobs).map(([name, job]) => [name, job.permissions]);
	expect(Object.fromEntries(rights)).toEqual({
		ci: { contents: 'read' },
		tarball: { contents: 'read' },
		scan: { contents: 'read' },
		publish: { 'id-token': 'write' },
		'github-release': { contents: 'write' },
	});
	const { publish } = jobs;
	expect(publish).toMatchObject({ environment: 'npm', needs: ['ci', 'tarball', 'scan'] });
	const work = publish?.steps?.map(({ uses, run }) => uses?.replace(/@.*/, '') ?? run);
	expect(work).toEqual([
		'actions/download-artifact',
		'actions/setup-node',
		compareDigest('.'),
		'npm publish ./*.tgz --provenance --access public --ignore-scripts',
	]);
});

it('scans the tarball that it publishes', () => {
	const { tarball, scan } = read('publish.yml').jobs;
	expect(tarball?.steps?.flatMap(({ run }) => run ?? [])).toEqual([
		'npm run release:check -- "$TAG" "$RUNNER_TEMP/release/notes.md"',
		'npm run pack -- "$RUNNER_TEMP/release"',
		'echo "sha256=$(sha256sum "$RUNNER_TEMP"/release/*.tgz | cut -d \' \' -f 1)" | tee -a "$GITHUB_OUTPUT"',
	]);
	expect(scan?.steps?.flatMap(({ run }) => run ?? [])).toEqual([
		compareDigest('"$RUNNER_TEMP"/release'),
		'npm run lint',
		'TARBALL=$(ls "$RUNNER_TEMP"/release/*.tgz) npm run test:package',
	]);
});
