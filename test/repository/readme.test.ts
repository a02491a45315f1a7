import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LinkManagementApi } from '../../credentials/LinkManagementApi.credentials';
import { measuredTables, outdated, readResults } from '../../scripts/docs/measured.ts';
import { filled, namesOn, pages, tablesOf } from '../../scripts/docs/tables.ts';
import { linkContract } from '../../nodes/Link/link.contract';
import { events } from '../../nodes/LinkTrigger/events';
import { pixelContract } from '../../nodes/Pixel/pixel.contract';
import { output, outputFields } from '../../nodes/shared/description/output';
import { itemsOf } from '../../nodes/shared/execute/items';
import { RowNumbers } from '../../nodes/shared/execute/sheet';
import type { Failure } from '../../nodes/shared/transport/failures';
import { executionLike, nodeLike } from '../support/execution.ts';

const root = join(__dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const packageJson = JSON.parse(read('package.json'));
const readme = read('README.md');
const reference = read('docs/reference.md');
const errors = read('docs/errors.md');

/** Every page that people read, relative to the root. */
const documents = ['.', 'bench', 'docs', 'examples/queue-mode'].flatMap((folder) =>
	readdirSync(join(root, folder))
		.filter((name) => name.endsWith('.md'))
		.map((name) => join(folder, name)),
);

/** Pixels that a cell takes at the least: its longest word at GitHub's and npm's size of type, and its padding. */
const widthOf = (cell = '') =>
	Math.max(...cell.split(/[\s-]|<[^>]*>|\]\([^)]*\)/).map(({ length }) => length)) * 8.2 + 27;

describe('the tables of the documentation', () => {
	const tables = { ...tablesOf(), ...measuredTables(root) };

	it.each(pages)('are in %s what `npm run docs` makes', (page) => {
		expect(read(page)).toBe(filled(read(page), tables));
	});

	it('list each event as the form does, and what it promises', () => {
		const page = read('docs/trigger.md');
		const rows = page.match(/^\| .*<br>.*$/gm) ?? [];
		const cells = rows.map((row) => row.slice(2, -2).split(' | '));
		expect(cells).toEqual(
			events.map(({ name, value, description, cost }) => [
				...[`${name}<br>\`${value}\``, description],
				...[`${cost[0]?.toUpperCase()}${cost.slice(1)}`, expect.stringMatching(/^Reports .{20}/)],
			]),
		);
	});

	it('stand there once each', () => {
		// The test of the load compares the limits, because their simulation takes minutes.
		const names = [...Object.keys(tables), 'limits'];
		expect(pages.flatMap((page) => namesOn(read(page))).sort()).toEqual(names.sort());
	});

	it.each([linkContract, pixelContract])('name what a $value field is sent as', ({ fields }) => {
		for (const { name, wire } of fields) {
			expect(wire.key).toBe(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
		}
	});

	// The narrowest page that GitHub and npm show has 600 pixels.
	it.each(documents)('need no scrolling in %s', (page) => {
		for (const [table] of read(page).matchAll(/(?:^\|.*\n)+/gm)) {
			const rows = table.trim().split('\n');
			const cells = rows.map((row) => row.slice(1, -1).split(/(?<!\\)\|/));
			const columns = (cells[0] ?? []).map((_title, column) =>
				Math.max(...cells.map((row) => widthOf(row[column]))),
			);
			const width = columns.reduce((sum, each) => sum + each, 0);
			expect({ table: rows[0], isNarrow: width <= 600, width }).toMatchObject({ isNarrow: true });
		}
	});
});

/** A heading's place in its page, as GitHub and npm name it. */
const slug = (heading: string) =>
	heading
		.toLowerCase()
		.replaceAll(/[^\w\s-]/g, '')
		.replaceAll(' ', '-');

/** Whether a link of a page leads to a file, and to a heading of it where it names one. */
function leadsSomewhere(page: string, link: string): boolean {
	const [path = '', heading] = link.split('#');
	const target = path === '' ? page : join(dirname(page), path);
	if (!existsSync(join(root, target))) return false;
	const headings = heading === undefined ? [] : [...read(target).matchAll(/^#+ (.+)$/gm)];
	return heading === undefined || headings.some(([, text = '']) => slug(text) === heading);
}

describe('the links of the documentation', () => {
	it.each(documents)('in %s lead somewhere', (page) => {
		const links = /(?:\]\(|(?:src|srcset)=")(?!https?:|mailto:)([^)"]+)/g;
		for (const [, link = ''] of read(page).matchAll(links)) {
			expect({ link, leads: leadsSomewhere(page, link) }).toEqual({ link, leads: true });
		}
	});

	it('lead from the editor to the first link', () => {
		const codexes = ['Link/Link', 'LinkTrigger/LinkTrigger', 'Pixel/Pixel'].map(
			(node) => JSON.parse(read(`nodes/${node}.node.json`)).resources,
		) as Record<string, { url: string }[]>[];
		const urls = codexes.flatMap((resources) => Object.values(resources).flat());
		// The build completes the links of a codex. The credential needs a complete link in the source.
		const home = `${packageJson.homepage.split('#')[0]}/blob/main/`;
		const { documentationUrl } = new LinkManagementApi();
		expect(documentationUrl.startsWith(home)).toBe(true);
		const links = [...urls.map(({ url }) => url), documentationUrl.slice(home.length)];
		for (const link of links) {
			expect(link).toMatch(/^docs\/first-link\.md(#|$)/);
			expect({ link, leads: leadsSomewhere('README.md', link) }).toEqual({ link, leads: true });
		}
	});

	it('lead to every picture', () => {
		const text = documents.map(read).join('\n');
		const pictures = readdirSync(join(root, 'docs', 'pictures'));
		expect(pictures.filter((name) => !text.includes(`pictures/${name}`))).toEqual([]);
	});

	it('lead from the index to every page', () => {
		const listed = [...read('docs/README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(
			([, name]) => name,
		);
		const names = documents
			.filter((page) => dirname(page) === 'docs' && basename(page) !== 'README.md')
			.map((page) => basename(page));
		expect(listed.toSorted()).toEqual(names.toSorted());
	});
});

describe('the results of the benchmark', () => {
	it('in the documentation are of this minor version or the last', () => {
		const { rows, bursts } = readResults(root);
		expect(outdated([...rows, ...bursts], packageJson.version)).toEqual([]);
	});

	it.each([
		['0.7.2', '0.8.0', false],
		['0.6.9', '0.8.0', true],
		['0.9.0', '1.0.0', false],
		['0.9.0', '1.1.0', true],
		['1.0.0', '1.0.3', false],
	])('of %s are outdated in %s: %s', (measured, version, expected) => {
		const results = [{ version: measured, date: '2031-01-01' }];
		expect(outdated(results, version)).toEqual(expected ? results : []);
	});
});

describe('the README', () => {
	it('shows a picture, both commands and the installation on the first screen, and they exist', () => {
		const firstScreen = readme.split('\n').slice(0, 30).join('\n');
		for (const text of ['<picture>', 'npm run demo', 'npm test', packageJson.name]) {
			expect(firstScreen).toContain(text);
		}
		expect(firstScreen).toContain('first-link.md');
		expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(['demo', 'test']));
	});

	it('is short', () => {
		expect(readme.split('\n').length).toBeLessThanOrEqual(100);
	});

	it('says on the first screen for which services the nodes are', () => {
		expect(readme.split('\n').slice(0, 8).join('\n')).toContain('phpShort 5.0 to 45');
	});
});

it('names the choices of Output and its two parameters', () => {
	for (const { displayName, name } of [output, outputFields(linkContract.output)])
		expect(reference).toContain(`**${displayName}** (\`${name}\`)`);
	for (const { name, value } of output.options)
		expect(reference).toContain(`- **${name}** (\`${value}\``);
});

it('describes exactly what a failed item holds', () => {
	const node = { ...nodeLike(), onError: 'continueRegularOutput' } as const;
	const failure: Failure = {
		...{ cause: 'rejected', message: 'Refused', advice: 'Correct it.', statusCode: 422 },
		fieldErrors: { alias: ['Taken.'] },
	};
	const items = [{ json: { alias: 'a', error: 'old', errorDetails: 'old' } }];
	const run = { context: executionLike(), node, contract: linkContract, items };
	const sheet = { rows: [0], empty: [], numbers: new RowNumbers([], true) };
	const row = { index: 0, encoded: [], name: 'a' };
	const [item] = itemsOf({ ...run, ...sheet }, { index: 0, failure, row }, false);
	const section = errors.split('## When an item fails')[1]?.split('\n## ')[0] ?? '';
	const names = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
	expect(names).toEqual(Object.keys(Object(item?.json.errorDetails)));
	expect(section).toContain('`error` with one sentence');
});

it('explains only error texts that the code has', () => {
	const sources = readdirSync(join(root, 'nodes'), { recursive: true, encoding: 'utf8' })
		.map((file) => join('nodes', file))
		.filter((file) => file.endsWith('.ts'))
		.map(read)
		.join('\n')
		.replaceAll(/\$\{referenceText\([^)]*\)\}/g, 'short URL')
		.replaceAll(/\$\{[^}]*\}/g, '…');
	const section = errors.split('## What to do')[1] ?? '';
	const cells = [...section.matchAll(/^- (".+?"): /gm)].map(([, cell = '']) => cell);
	const texts = cells.flatMap((cell) => [...cell.matchAll(/"([^"]+)"/g)].map(([, text]) => text));
	expect(texts.length).toBeGreaterThan(10);
	for (const text of texts) expect(sources).toContain(text);
});

it('lists exactly the assumptions that the code names', () => {
	const files = readdirSync(join(root, 'nodes'), { recursive: true, encoding: 'utf8' });
	const sources = files
		.filter((file) => file.endsWith('.ts'))
		.map((file) => read(join('nodes', file)));
	const named = sources.flatMap((source) =>
		[...source.matchAll(/\(assumption: ([^)]+)\)/g)].map(([, name = '']) =>
			name.replaceAll(/\s+(\* )?/g, ' '),
		),
	);
	const listed = [...read('docs/service-behavior.md').matchAll(/^### (.+)$/gm)].map(
		([, name]) => name ?? '',
	);
	expect(listed.toSorted()).toEqual([...new Set(named)].toSorted());
});

it('names only files that exist in the architecture', () => {
	const files = ['nodes', 'scripts', 'test'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
			join('/', folder, file),
		),
	);
	const named = read('docs/architecture.md').matchAll(/`([\w./]+\.ts)`/g);
	const missing = [...named].filter(([, name]) => !files.some((file) => file.endsWith(`/${name}`)));
	expect(missing.map(([, name]) => name)).toEqual([]);
});
