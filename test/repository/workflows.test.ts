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

it('runs in GitHub the scripts that .ci/run runs', () => {
	const ciRun = readFileSync(join(projectRoot, '.ci', 'run'), 'utf8');
	const scripts = [
		...ciRun.matchAll(/(?:npm run(?: --silent)?|^start) ((?:test:)?[a-z]\S+)|npm (test)$/gm),
	]
		.map(([, script, test]) => script ?? test)
		.filter((script) => script !== 'setup');
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
		publish: { 'id-token': 'write' },
		'github-release': { contents: 'write' },
	});
	const { publish } = jobs;
	expect(publish).toMatchObject({ environment: 'npm', needs: ['ci', 'tarball'] });
	const work = publish?.steps?.map(({ uses, run }) => uses?.replace(/@.*/, '') ?? run);
	expect(work).toEqual([
		'actions/download-artifact',
		'actions/setup-node',
		'npm publish ./*.tgz --provenance --access public --ignore-scripts',
	]);
});

it('compares the tag, packs, lints and scans before it publishes', () => {
	const { tarball } = read('publish.yml').jobs;
	expect(tarball?.steps?.flatMap(({ run }) => run ?? [])).toEqual([
		'npm run release:check -- "$TAG" "$RUNNER_TEMP/release/notes.md"',
		'npm run pack -- "$RUNNER_TEMP/release"',
		'npm run lint',
		'npm run test:package',
	]);
});
