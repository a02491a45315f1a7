import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { linkContract } from '../../nodes/Link/link.contract';
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

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const readWorkflow = (file: string) => parse(read(join('.github/workflows', file))) as Workflow;
const [ci, publish] = [readWorkflow('ci.yml'), readWorkflow('publish.yml')];
const steps = readdirSync(join(projectRoot, '.github/workflows'))
	.flatMap((file) => Object.values(readWorkflow(file).jobs))
	.flatMap((job) => job.steps ?? []);

/** The command that compares the downloaded files with the digests of the job that packed them. */
const compareDigests = 'sha256sum --check --strict <<< "$CHECKSUMS"';

it('runs in GitHub the scripts that .ci/run runs', () => {
	const lanes = [...read('.ci/run').matchAll(/^\w+=\(([a-z0-9: ]+)\)$/gm)];
	const scripts = lanes.flatMap(([, names = '']) => names.split(' '));
	const { strategy, steps: own } = ci.jobs.check ?? {};
	const inGitHub = strategy?.matrix.include?.map(({ script }) => script) ?? [];
	expect(['setup', ...inGitHub].toSorted()).toEqual(scripts.toSorted());
	expect(own?.at(-1)?.run).toBe('npm run "$SCRIPT"');
});

it('pins each action by its commit, leaves no token in a checkout, and inserts no text of a branch into a command', () => {
	const actions = steps.flatMap(({ uses }) => uses ?? []);
	expect(actions.length).toBeGreaterThan(5);
	for (const action of actions) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
	const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
	const kept = checkouts.filter((step) => step.with?.['persist-credentials'] !== false);
	expect([checkouts.length, kept]).toEqual([4, []]);
	for (const { run = '' } of steps) expect(run).not.toContain('${{');
});

it('lets only the job that publishes prove to npm who it is, and this job runs no other code', () => {
	expect(ci.permissions).toEqual({ contents: 'read' });
	expect(publish.permissions).toEqual({});
	const rights = Object.entries(publish.jobs).map(([name, job]) => [name, job.permissions]);
	expect(Object.fromEntries(rights)).toEqual({
		ci: { contents: 'read' },
		tarball: { contents: 'read' },
		scan: { contents: 'read' },
		publish: { 'id-token': 'write' },
		'github-release': { contents: 'write' },
	});
	const job = publish.jobs.publish;
	expect(job).toMatchObject({ environment: 'npm', needs: ['ci', 'tarball', 'scan'] });
	expect(job?.steps?.map(({ uses, run }) => uses?.replace(/@.*/, '') ?? run)).toEqual([
		...['actions/setup-node', 'actions/download-artifact', compareDigests],
		'npm publish "./release/n8n-nodes-link-management-$TAG.tgz" --provenance --access public --ignore-scripts',
	]);
});

it('scans the tarball that it publishes, and each job compares it with the digests of the job that packed it', () => {
	const { tarball, scan } = publish.jobs;
	expect(tarball?.steps?.flatMap(({ run }) => run ?? [])).toEqual([
		'npm run release:check -- "$TAG" "$RUNNER_TEMP/release/notes.md"',
		'npm run pack -- "$RUNNER_TEMP/release"',
		`printf 'checksums<<END\\n%s\\nEND\\n' "$(sha256sum -- *)" | tee -a "$GITHUB_OUTPUT"`,
	]);
	expect(scan?.steps?.flatMap(({ run }) => run ?? [])).toEqual([
		...[compareDigests, 'npm run lint'],
		'TARBALL=$(ls "$RUNNER_TEMP"/release/*.tgz) npm run test:package',
	]);
	const downloads = Object.entries(publish.jobs).flatMap(([name, { needs, steps: own = [] }]) =>
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

it('updates each folder that has a lock file, but leaves packages with the version of n8n to a person', () => {
	const { updates } = parse(read('.github/dependabot.yml')) as {
		updates: {
			'package-ecosystem': string;
			directory: string;
			ignore?: { 'dependency-name': string; 'update-types'?: string[] }[];
		}[];
	};
	const npm = updates.filter((update) => update['package-ecosystem'] === 'npm');
	const list = ['ls-files', '*package-lock.json'];
	const locks = execFileSync('git', list, { cwd: projectRoot, encoding: 'utf8' });
	const folders = locks.trim().split('\n');
	expect(npm.map(({ directory }) => directory).toSorted()).toEqual(
		folders.map((file) => join('/', dirname(file))).toSorted(),
	);
	const ignored = npm.find(({ directory }) => directory === '/')?.ignore ?? [];
	const names = ignored
		.filter((entry) => !('update-types' in entry))
		.map((entry) => entry['dependency-name']);
	expect(names).toEqual(expect.arrayContaining(['n8n-core', 'n8n-workflow']));
});

it('asks a bug report for all operations of the nodes', () => {
	const { body } = parse(read('.github/ISSUE_TEMPLATE/bug_report.yml')) as {
		body: { id?: string; attributes: { options?: string[] } }[];
	};
	const listed = body.find(({ id }) => id === 'operation')?.attributes.options;
	expect(listed).toEqual(expect.arrayContaining(linkContract.operations.map(({ name }) => name)));
});
