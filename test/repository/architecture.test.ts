import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../support/process.ts';

/** The parsed source of the package, by path. */
const sources = globSync('{nodes,credentials}/**/*.ts', { cwd: projectRoot })
	.toSorted()
	.map((path) => {
		const text = readFileSync(join(projectRoot, path), 'utf8');
		return { path, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
	});

/** Yields all nodes of a tree, each one before its children. */
function* nodesIn(node: ts.Node): Generator<ts.Node> {
	yield node;
	const children: ts.Node[] = [];
	ts.forEachChild(node, (child) => void children.push(child));
	for (const child of children) yield* nodesIn(child);
}

/** Returns the name of the outermost declaration that contains a node, such as that of a function or a class. */
function declarationAround(node: ts.Node): string {
	let outermost = node;
	while (!ts.isSourceFile(outermost.parent)) outermost = outermost.parent;
	const [variable] = ts.isVariableStatement(outermost)
		? outermost.declarationList.declarations
		: [];
	const name = ts.getNameOfDeclaration((variable ?? outermost) as ts.Declaration);
	return name?.getText() ?? ts.SyntaxKind[outermost.kind];
}

/** Returns the matching nodes of all sources, as `file: declaration`. */
const placesOf = (matches: (node: ts.Node) => boolean) =>
	sources.flatMap(({ path, tree }) => {
		const matching = [...nodesIn(tree)].filter(matches);
		return [...new Set(matching.map((node) => `${path}: ${declarationAround(node)}`))];
	});

/** Returns where a name or a text occurs. The name of a named import does not count. */
const named = (pattern: RegExp) =>
	placesOf(
		(node) =>
			(ts.isIdentifier(node) || ts.isStringLiteralLike(node)) &&
			pattern.test(node.text) &&
			(!ts.isImportSpecifier(node.parent) || node.parent.propertyName !== undefined),
	);

/** Texts, in quotes or in parts of a template, and patterns. */
const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
	ts.isLiteralExpression(node) ||
	ts.isTemplateHead(node) ||
	ts.isTemplateMiddleOrTemplateTail(node);

it('only the rate limiter and the pause between many rows wait', () => {
	expect(named(/^sleep/)).toEqual([
		'nodes/shared/execute/readRows.ts: yieldBetweenBatches',
		'nodes/shared/transport/connect.ts: processClock',
		'nodes/shared/transport/limiter.ts: RateLimiter',
		'nodes/shared/transport/throttle.ts: Clock',
	]);
});

it('no code uses a timer', () => {
	expect(named(/^set(Timeout|Interval|Immediate)$/)).toEqual([]);
});

it('no call spreads a list, because the stack may not have room for its items', () => {
	const spread = placesOf(
		(node) =>
			(ts.isCallExpression(node) || ts.isNewExpression(node)) &&
			node.arguments?.some(ts.isSpreadElement) === true,
	);
	expect(spread).toEqual([]);
});

// .dependency-cruiser.cjs checks the imports that it can see.
it('no code loads a module under a name that is only known at run time', () => {
	expect(named(/^(require|createRequire|getBuiltinModule)$/)).toEqual([]);
	const computed = placesOf(
		(node) =>
			ts.isCallExpression(node) &&
			node.expression.kind === ts.SyntaxKind.ImportKeyword &&
			!node.arguments.every(ts.isStringLiteralLike),
	);
	expect(computed).toEqual([]);
});

it('functions have at most four parameters and 60 lines', () => {
	const isLarge = (node: ts.Node) => {
		if (!ts.isFunctionLike(node)) return false;
		const { length } = node.getText().split('\n');
		return node.parameters.length > 4 || length > 60;
	};
	const large = sources.flatMap(({ path, tree }) =>
		[...nodesIn(tree)].filter(isLarge).map((node) => {
			const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
			return `${path}:${line + 1}: ${node.getText().split('\n', 1)[0]}`;
		}),
	);
	expect(large).toEqual([]);
});

it('the contract layer defines no property of a form', () => {
	const isProperty = (node: ts.Node) => {
		if (!ts.isObjectLiteralExpression(node)) return false;
		const names = node.properties.map(({ name }) => name?.getText());
		return names.includes('show') || (names.includes('type') && names.includes('default'));
	};
	const properties = placesOf(isProperty);
	const inFolder = (folder: string) =>
		properties.filter((place) => place.startsWith(`nodes/shared/${folder}/`));
	expect(inFolder('contract')).toEqual([]);
	expect(inFolder('description')).not.toEqual([]);
});

it('the shared layers name no resource of the service', () => {
	const legitimate: Record<string, string[]> = {
		// The example of an address.
		'nodes/shared/transport/account.ts': ['https://links.example.com'],
		'nodes/shared/transport/explanations.ts': ['https://links.example.com'],
		// The name of the credential, which saved workflows contain.
		'nodes/shared/transport/connect.ts': ['linkManagementApi'],
		// The list whose entries show the version of the service.
		'nodes/shared/transport/generation.ts': ['/links'],
		// The key of a page's addresses in the service's envelope.
		'nodes/shared/transport/pages.ts': ['links'],
	};
	const resources = sources
		.filter(({ path }) => path.startsWith('nodes/shared/'))
		.flatMap(({ path, tree }) => {
			const texts = [...nodesIn(tree)]
				.filter((node) => ts.isIdentifier(node) || isText(node))
				.map(({ text }) =>
					(legitimate[path] ?? []).reduce(
						(remaining, part) => remaining.replaceAll(part, ''),
						text,
					),
				);
			return texts
				.filter((text) => /link|pixel|alias|short.?url/i.test(text))
				.map((text) => `${path}: ${text}`);
		});
	expect(resources).toEqual([]);
});
