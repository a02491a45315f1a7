import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../support/process.ts';

interface Step {
	uses?: string;
	run?: string;
	with?: Record<string, unknown>;
	env?: Record<string, string>;
	'working-directory'?: string;
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

/** The command that compares the downloaded files with the digests of the job that packed them. */
const compareDigests = 'sha256sum --check --strict <<< "$CHECKSUMS"';

it('runs in GitHub the scripts that .ci/run runs', () => {
	const ciRun = readFileSync(join(projectRoot, '.ci', 'run'), 'utf8');
	const lanes = [...ciRun.matchAll(/^\w+=\(([a-z0-9: ]+)\)$/gm)];
	const scripts = lanes.flatMap(([, names = '']) => names.split(' '));
	const { check } = read('ci.yml').jobs;
	const inGitHub = check?.strategy?.matrix.include?.map(({ script }) => script);
	expect(['setup', ...(inGitHub ?? [])].toSorted()).toEqual(scripts.toSorted());
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
		'actions/setup-node',
		'actions/download-artifact',
		compareDigests,
		'npm publish "./release/n8n-nodes-link-management-$TAG.tgz" --provenance --access public --ignore-scripts',
	]);
});

it('scans the tarball that it publishes', () => {
	const { tarball, scan } = read('publish.yml').jobs;
	expect(tarball?.steps?.flatMap(({ run }) => run ?? [])).toEqual([
		'npm run release:check -- "$TAG" "$RUNNER_TEMP/release/notes.md"',
		'npm run pack -- "$RUNNER_TEMP/release"',
		`printf 'checksums<<END\\n%s\\nEND\\n' "$(sha256sum -- *)" | tee -a "$GITHUB_OUTPUT"`,
	]);
	expect(scan?.steps?.flatMap(({ run }) => run ?? [])).toEqual([
		compareDigests,
		'npm run lint',
		'TARBALL=$(ls "$RUNNER_TEMP"/release/*.tgz) npm run test:package',
	]);
});

it('compares what a job downloads with the digests of the job that packed it, before the job uses it', () => {
	const { jobs } = read('publish.yml');
	const downloads = Object.entries(jobs).flatMap(([name, { needs, steps: own = [] }]) =>
		own.flatMap(({ uses, with: settings }, index) => {
			if (!uses?.startsWith('actions/download-artifact@')) return [];
			expect([needs].flat()).toContain('tarball');
			expect(own[index + 1]).toMatchObject({
				run: compareDigests,
				env: { CHECKSUMS: '${{ needs.tarball.outputs.checksums }}' },
				'working-directory': settings?.path,
			});
			return [name];
		}),
	);
	expect(downloads).toEqual(['scan', 'publish', 'github-release']);
});
