import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/process.ts';

const textsOf = (pattern: string): string[] =>
	globSync(pattern, { cwd: projectRoot, exclude: (path) => path === 'node_modules' }).map((path) =>
		readFileSync(join(projectRoot, path), 'utf8'),
	);

/** Counts the lines of code as cloc does. */
const codeLines = (text: string): number =>
	text
		.replaceAll(/^\s*\/\*[^]*?\*\/.*$/gm, '')
		.split('\n')
		.filter((line) => /^\s*(?!\/\/)\S/.test(line)).length;

const lines = (text: string): number => text.split('\n').length - 1;
const words = (text: string): number => text.match(/\S+/g)?.length ?? 0;

const code = '*.{cjs,js,mjs,ts}';
const modules = '{credentials,nodes}/**/*.ts';

/** Limits that hold now, and the targets that they are lowered to. Code lines have neither comments nor blank lines. */
const budgets: [what: string, pattern: string, count: typeof lines, now: number, target: number][] =
	[
		['code lines of credentials', 'credentials/**/*.ts', codeLines, 90, 90],
		['code lines of Link', 'nodes/Link/**/*.ts', codeLines, 1150, 1150],
		['code lines of Pixel', 'nodes/Pixel/**/*.ts', codeLines, 280, 280],
		['code lines of LinkTrigger', 'nodes/LinkTrigger/**/*.ts', codeLines, 1400, 1400],
		['code lines of contract', 'nodes/shared/contract/**/*.ts', codeLines, 2268, 1900],
		['code lines of description', 'nodes/shared/description/**/*.ts', codeLines, 800, 800],
		['code lines of transport', 'nodes/shared/transport/**/*.ts', codeLines, 1350, 1350],
		['code lines of operations', 'nodes/shared/operations/**/*.ts', codeLines, 1724, 1500],
		['code lines of execute', 'nodes/shared/execute/**/*.ts', codeLines, 1400, 1400],
		['code lines of methods', 'nodes/shared/{methods,qrCode}/**/*.ts', codeLines, 330, 330],
		['code lines of the package', modules, codeLines, 10_500, 10_500],
		['files of the package', modules, () => 1, 102, 115],
		['lines of tests', `test/**/${code}`, lines, 30_000, 30_000],
		['lines of tools', `{bench,demo,scripts,testkit}/**/${code}`, lines, 6_000, 6_000],
		// The changelog grows with each version.
		[
			'words of docs',
			'{.github/**/,bench/,docs/**/,examples/**/,}!(CHANGELOG).md',
			words,
			18_000,
			18_000,
		],
	];

it.each(budgets)('the %s are within their limit', (_, pattern, count, now, target) => {
	const total = textsOf(pattern).reduce((sum, text) => sum + count(text), 0);
	expect(total).toBeGreaterThan(0);
	expect(total).toBeLessThanOrEqual(Math.max(now, target));
});
