import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { linkContract } from '../../nodes/Link/link.contract';
import { projectRoot } from '../support/process.ts';

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const forms = join('.github', 'ISSUE_TEMPLATE');

interface Option {
	label: string;
	required?: boolean;
}

interface Part {
	type: string;
	id?: string;
	attributes: { label?: string; value?: string; options?: (string | Option)[] };
	validations?: { required: boolean };
}

interface Form {
	name: string;
	description: string;
	body: Part[];
}

const formOf = (file: string) => parse(read(join(forms, file))) as Form;

/** Returns the texts of the options of a part; empty if it has none. */
const optionsOf = ({ attributes: { options = [] } }: Part): string[] =>
	options.map((option) => (typeof option === 'string' ? option : option.label));

it('asks a bug report for all operations of the nodes, and to remove API keys', () => {
	const { body } = formOf('bug_report.yml');
	const part = (id: string) => body.find((each) => each.id === id);
	const operations = linkContract.operations.map(({ name }) => name);
	const operation = part('operation');
	expect(operation && optionsOf(operation)).toEqual(expect.arrayContaining(operations));
	expect(part('checks')?.attributes.options).toEqual([
		{ label: expect.stringContaining('API keys'), required: true },
	]);
	const required = body.filter(({ validations }) => validations?.required).map(({ id }) => id);
	expect(required).toEqual([
		...['n8n-version', 'package-version', 'service', 'operation'],
		'what-happened',
	]);
});

interface Update {
	'package-ecosystem': string;
	directory: string;
	schedule: { interval: string };
	groups: Record<string, { patterns: string[] }>;
	ignore?: { 'dependency-name': string; 'update-types'?: string[] }[];
}

describe('dependabot.yml', () => {
	const { version, updates } = parse(read('.github/dependabot.yml')) as {
		version: number;
		updates: Update[];
	};
	const foldersOf = (ecosystem: string) =>
		updates
			.filter((update) => update['package-ecosystem'] === ecosystem)
			.map(({ directory }) => directory);

	it('updates each folder that has a lock file, and the actions', () => {
		expect(version).toBe(2);
		const locks = execFileSync(
			'git',
			['ls-files', '--cached', '--others', '--exclude-standard', '*package-lock.json'],
			{ cwd: projectRoot, encoding: 'utf8' },
		);
		const folders = locks
			.trim()
			.split('\n')
			.map((file) => join('/', dirname(file)));
		expect(foldersOf('npm').toSorted()).toEqual(folders.toSorted());
		expect(foldersOf('github-actions')).toEqual(['/']);
		expect(existsSync(join(projectRoot, '.github', 'workflows'))).toBe(true);
	});

	it('leaves packages that have the version of n8n to a person', () => {
		const root = updates.find(
			(update) => update['package-ecosystem'] === 'npm' && update.directory === '/',
		);
		const ignored = root?.ignore?.filter((entry) => !('update-types' in entry)) ?? [];
		const names = ignored.map((entry) => entry['dependency-name']);
		expect(names).toEqual(expect.arrayContaining(['n8n-core', 'n8n-workflow']));
		const { devDependencies } = JSON.parse(read('package.json'));
		expect(names.filter((name) => !(name in devDependencies))).toEqual([]);
	});
});
