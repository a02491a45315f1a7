import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import { linkContract } from '../../nodes/Link/link.contract';
import { pixelContract } from '../../nodes/Pixel/pixel.contract';
import { pack } from '../../testkit/n8n/package.ts';

const root = join(__dirname, '..', '..');

/** The resources by the folders of their nodes. Link Trigger has none. */
const contracts = new Map([
	['Link', linkContract],
	['Pixel', pixelContract],
]);
const folder = mkdtempSync(join(tmpdir(), 'pack-'));

const unpacked = join(folder, 'package');

/** The part of package.json that n8n and npm read. */
interface Manifest {
	homepage: string;
	private?: boolean;
	dependencies?: Record<string, string>;
	optionalDependencies?: Record<string, string>;
	peerDependencies: Record<string, string>;
	n8n: { nodes: string[]; credentials: string[] };
}
let paths: string[];
let manifest: Manifest;

beforeAll(async () => {
	execFileSync('tar', ['xzf', await pack(root, folder), '-C', folder]);
	paths = readdirSync(unpacked, { recursive: true, encoding: 'utf8' }).filter((path) =>
		statSync(join(unpacked, path)).isFile(),
	);
	manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as Manifest;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('can be published, while the project itself is private', () => {
	const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
	expect(project.private).toBe(true);
	expect(manifest).not.toHaveProperty('private');
});

it('contains the license, the README, and the files that n8n loads', () => {
	const loaded =
		/^dist\/(index\.js|(credentials|nodes)\/.+\.(js|svg|node\.json)|nodes\/.+\/__schema__\/.+\.json)$/;
	const others = ['LICENSE', 'README.md', 'dist/nodes/shared/qrCode/uqr.LICENSE', 'package.json'];
	expect(paths.filter((path) => !loaded.test(path)).toSorted()).toEqual(others);
	const sizes = paths.map((path) => statSync(join(unpacked, path)).size);
	expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(450_000);
});

it('contains the license of the encoder of QR codes, and the encoder in one module', () => {
	const license = readFileSync(join(unpacked, 'dist/nodes/shared/qrCode/uqr.LICENSE'), 'utf8');
	expect(license).toBe(readFileSync(join(root, 'node_modules/uqr/LICENSE'), 'utf8'));
	expect(license).toContain('Permission is hereby granted, free of charge');
	const bundled = paths.filter(
		(path) =>
			path.endsWith('.js') && readFileSync(join(unpacked, path), 'utf8').includes('QrCodeDataType'),
	);
	expect(bundled).toEqual(['dist/nodes/shared/qrCode/encoder.js']);
});

it('has no runtime dependency, and n8n-workflow as its only peer', () => {
	expect(manifest.dependencies ?? {}).toEqual({});
	expect(manifest.optionalDependencies ?? {}).toEqual({});
	expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
});

it('imports nothing but its own files and n8n-workflow', () => {
	const imports = paths
		.filter((path) => path.endsWith('.js'))
		.flatMap((path) => {
			const code = readFileSync(join(unpacked, path), 'utf8');
			return [...code.matchAll(/(?:require|import)\(\s*['"]([^'"]+)['"]/g)].map(
				([, name]) => name ?? '',
			);
		})
		.filter((name) => !name.startsWith('.'));
	expect([...new Set(imports)]).toEqual(['n8n-workflow']);
});

it('names every built node and credential in package.json, each with its codex, icons and schemas', () => {
	const built = (kind: string, end: string) =>
		paths.filter((path) => path.startsWith(`dist/${kind}/`) && path.endsWith(end)).toSorted();
	expect(manifest.n8n.nodes.toSorted()).toEqual(built('nodes', '.node.js'));
	expect(manifest.n8n.credentials.toSorted()).toEqual(built('credentials', '.credentials.js'));
	for (const node of manifest.n8n.nodes) {
		const codex = JSON.parse(readFileSync(join(unpacked, node.replace(/js$/, 'json')), 'utf8'));
		const [home] = manifest.homepage.split('#');
		const page = `${home}/blob/main/docs/first-link.md`;
		expect(codex.resources).toEqual({
			credentialDocumentation: [{ url: `${page}#create-the-credential` }],
			primaryDocumentation: [{ url: page }],
		});
		expect(codex.alias).toEqual(
			expect.arrayContaining(['short link', 'URL shortener', 'phpShort']),
		);
		const folder = dirname(node);
		const schemas = paths.filter((path) => path.startsWith(`${folder}/__schema__/v1.0.0`));
		const contract = contracts.get(basename(folder));
		const operations = contract?.operations.map(({ value }) => value).toSorted();
		expect(schemas.map((path) => basename(path, '.json'))).toEqual(operations ?? ['v1.0.0']);
	}
	expect(paths.filter((path) => path.endsWith('.svg'))).toHaveLength(6);
});

it('is loaded by n8n, with its tool variants and its documented names', async () => {
	const loader = new PackageDirectoryLoader(root);
	await loader.loadAll();
	expect(Object.keys(loader.known.credentials)).toEqual(['linkManagementApi']);
	expect(Object.keys(loader.known.nodes).toSorted()).toEqual(['link', 'linkTrigger', 'pixel']);
	for (const name of ['link', 'linkTrigger', 'pixel']) {
		const { type } = loader.getNode(name);
		expect(type.description).toMatchObject({
			...(name === 'linkTrigger' ? { polling: true, inputs: [] } : { usableAsTool: true }),
			credentials: [{ name: 'linkManagementApi', required: true }],
			codex: {
				alias: expect.arrayContaining([name === 'pixel' ? 'tracking pixel' : 'short link']),
			},
		});
		expect(type.description.iconUrl).toEqual({
			light: expect.stringContaining(`${name}.svg`),
			dark: expect.stringContaining(`${name}.dark.svg`),
		});
	}
});

it('holds nothing that silences the linter or the compiler', () => {
	const sources = ['nodes', 'credentials'].flatMap((place) =>
		readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => join(place, name)),
	);
	expect(sources).toContain(join('nodes', 'Link', 'Link.node.ts'));
	const silencing = sources.filter((file) =>
		/eslint-disable|@ts-(ignore|expect-error|nocheck)/.test(readFileSync(join(root, file), 'utf8')),
	);
	expect(silencing).toEqual([]);
});
