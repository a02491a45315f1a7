import ts from 'typescript';
import { projectRoot } from './support/process.ts';
import {
	declarationAround,
	importsOf,
	nodesIn,
	readSources,
	targetOf,
	type Source,
} from './support/sources.ts';

const sources = readSources(projectRoot, ['nodes', 'credentials']);
const byPath = new Map(sources.map((source) => [source.path, source]));

/** The layers of nodes/shared, each with those that it may import besides itself. */
const layers: Record<string, string[]> = {
	contract: [],
	description: ['contract'],
	transport: ['contract'],
	operations: ['transport', 'contract'],
	execute: ['operations', 'transport', 'description', 'contract'],
	methods: ['transport', 'operations', 'contract'],
	poll: ['execute', 'operations', 'transport', 'description', 'contract'],
};

/** The nodes that may import from another node. The others know themselves and the layers. */
const neighbours: Record<string, string[]> = { Link: ['Pixel'], LinkTrigger: ['Link', 'Pixel'] };

/** The layer from which the credential has the rules of an address. */
const credentialsKnow = ['nodes/shared/transport'];

/** What a path belongs to: a layer, a node, or the credentials. */
const placeOf = (path: string) => /^nodes\/shared\/\w+|^nodes\/\w+|^\w+/.exec(path)?.[0] ?? path;

/** The places that one place may import. */
function mayImport(place: string): string[] {
	const shared = (names: string[]) => names.map((name) => `nodes/shared/${name}`);
	const [, folder = '', layer] = place.split('/');
	if (folder === 'shared') return [place, ...shared(layers[layer ?? ''] ?? [])];
	if (folder === '') return [place, ...credentialsKnow];
	const others = (neighbours[folder] ?? []).map((name) => `nodes/${name}`);
	return [place, ...others, ...shared(Object.keys(layers))];
}

/** The imports of files of our own: who imports, what, and whether types are all that is meant. */
const relative = (source: Source) =>
	importsOf(source).flatMap(({ specifier, isTypeOnly }) =>
		specifier?.startsWith('.') ? [{ target: targetOf(source, specifier), isTypeOnly }] : [],
	);

/** Where a name or a text of this kind stands, as `file: declaration`. The name of a named import is no place. */
const placesOf = (pattern: RegExp) =>
	sources.flatMap(({ path, tree }) => {
		const found = [...nodesIn(tree)]
			.filter((node) => ts.isIdentifier(node) || ts.isStringLiteralLike(node))
			.filter(({ text }) => pattern.test(text))
			.filter(({ parent }) => !ts.isImportSpecifier(parent) || parent.propertyName)
			.map((node) => `${path}: ${declarationAround(node)}`);
		return [...new Set(found)];
	});

/** Texts, in quotes or in parts of a template, and patterns. */
const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
	ts.isLiteralExpression(node) ||
	ts.isTemplateHead(node) ||
	ts.isTemplateMiddleOrTemplateTail(node);

/** Circles of files in which each one imports the next by value. */
function findCircles(): string[][] {
	const circles: string[][] = [];
	const done = new Set<string>();
	const visit = (path: string, way: string[]): void => {
		if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path]);
		const source = byPath.get(path);
		if (!source || done.has(path) || way.includes(path)) return;
		for (const { target, isTypeOnly } of relative(source))
			if (!isTypeOnly) visit(target, [...way, path]);
		done.add(path);
	};
	for (const path of byPath.keys()) visit(path, []);
	return circles;
}

describe('time', () => {
	it('passes for the rate limiter, and for the pause between many rows, alone', () => {
		expect(placesOf(/^sleep/)).toEqual([
			'nodes/shared/execute/readRows.ts: yieldBetweenBatches',
			'nodes/shared/transport/clock.ts: Clock',
			'nodes/shared/transport/limiters.ts: processClock',
			'nodes/shared/transport/rateLimiter.ts: RateLimiter',
		]);
	});

	it('is told by no timer', () => {
		expect(placesOf(/^set(Timeout|Interval|Immediate)$/)).toEqual([]);
	});
});

it('no call spreads a list, because as many arguments as the list has may not fit on the stack', () => {
	const found = sources.flatMap(({ path, tree }) =>
		[...nodesIn(tree)]
			.filter((node) => ts.isCallExpression(node) || ts.isNewExpression(node))
			.filter((node) => node.arguments?.some(ts.isSpreadElement))
			.map((node) => `${path}: ${declarationAround(node)}`),
	);
	expect(found).toEqual([]);
});

describe('imports', () => {
	it('run one way between layers', () => {
		const wrong = sources.flatMap((source) => {
			const allowed = mayImport(placeOf(source.path));
			return relative(source)
				.filter(({ target }) => !byPath.has(target) || !allowed.includes(placeOf(target)))
				.map(({ target }) => `${source.path} imports ${target}`);
		});
		expect(wrong).toEqual([]);
	});

	it('know every folder of nodes/shared', () => {
		const places = sources.map(({ path }) => placeOf(path));
		const shared = places.filter((place) => place.startsWith('nodes/shared'));
		expect([...new Set(shared)]).toEqual(
			Object.keys(layers)
				.map((layer) => `nodes/shared/${layer}`)
				.toSorted(),
		);
	});

	it('make no circle', () => {
		expect(findCircles()).toEqual([]);
	});

	it('name no package but n8n-workflow', () => {
		const packages = sources.flatMap((source) =>
			importsOf(source)
				.map(({ specifier = '(computed)' }) => specifier)
				.filter((specifier) => !specifier.startsWith('.') && specifier !== 'n8n-workflow')
				.map((specifier) => `${source.path} imports ${specifier}`),
		);
		expect(packages).toEqual([]);
		// Under another name, or as a property, require would load what nothing here sees.
		expect(placesOf(/^(require|createRequire|getBuiltinModule)$/)).toEqual([]);
	});
});

describe('the shared layers', () => {
	it('name no resource of the service', () => {
		const legitimate: Record<string, string[]> = {
			// The example of an address.
			'nodes/shared/transport/baseUrl.ts': ['https://links.example.com'],
			'nodes/shared/transport/statusFailures.ts': ['https://links.example.com'],
			// The name of the credential, which saved workflows hold.
			'nodes/shared/transport/connect.ts': ['linkManagementApi'],
			// The key of a page's addresses in the service's envelope.
			'nodes/shared/transport/pages.ts': ['links'],
		};
		const named = sources
			.filter(({ path }) => path.startsWith('nodes/shared/'))
			.flatMap(({ path, tree }) => {
				const texts = [...nodesIn(tree)]
					.filter((node) => ts.isIdentifier(node) || isText(node))
					.map(({ text }) => text);
				const rest = texts.map((text) =>
					(legitimate[path] ?? []).reduce((left, part) => left.replaceAll(part, ''), text),
				);
				return rest.filter((text) => /link|pixel/i.test(text)).map((text) => `${path}: ${text}`);
			});
		expect(named).toEqual([]);
	});
});
