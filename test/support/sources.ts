import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

/** One parsed source file. */
export interface Source {
	/** From the project's root, with slashes. */
	path: string;
	tree: ts.SourceFile;
}

/** What one import, export or dynamic import names. */
export interface Import {
	/** As it is written; undefined where it is not a plain text. */
	specifier?: string;
	/** Whether nothing of it is left in the built code. */
	isTypeOnly: boolean;
}

/** The TypeScript files in these folders, parsed, by path. */
export function readSources(root: string, folders: string[]): Source[] {
	return folders
		.flatMap((folder) =>
			readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
				posix.join(folder, name.replaceAll('\\', '/')),
			),
		)
		.filter((path) => path.endsWith('.ts'))
		.toSorted()
		.map((path) => {
			const text = readFileSync(join(root, path), 'utf8');
			return { path, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
		});
}

/** All nodes of a tree, each one before its children. */
export function* nodesIn(node: ts.Node): Generator<ts.Node> {
	yield node;
	const children: ts.Node[] = [];
	ts.forEachChild(node, (child) => void children.push(child));
	for (const child of children) yield* nodesIn(child);
}

const textOf = (node?: ts.Node) => (node && ts.isStringLiteralLike(node) ? node.text : undefined);

/** Whether an import clause brings in types only, as the compiler sees it before it looks at any use. */
function bringsTypesOnly(clause?: ts.ImportClause): boolean {
	if (!clause) return false;
	if (clause.isTypeOnly) return true;
	const { name, namedBindings } = clause;
	if (name || !namedBindings || !ts.isNamedImports(namedBindings)) return false;
	return namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly);
}

function importIn(node: ts.Node): Import | undefined {
	if (ts.isImportDeclaration(node))
		return {
			specifier: textOf(node.moduleSpecifier),
			isTypeOnly: bringsTypesOnly(node.importClause),
		};
	if (ts.isExportDeclaration(node) && node.moduleSpecifier)
		return { specifier: textOf(node.moduleSpecifier), isTypeOnly: node.isTypeOnly };
	if (ts.isExternalModuleReference(node))
		return { specifier: textOf(node.expression), isTypeOnly: false };
	if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
		return { specifier: textOf(node.argument.literal), isTypeOnly: true };
	const isDynamic =
		ts.isCallExpression(node) &&
		(node.expression.kind === ts.SyntaxKind.ImportKeyword ||
			(ts.isIdentifier(node.expression) && node.expression.text === 'require'));
	return isDynamic ? { specifier: textOf(node.arguments[0]), isTypeOnly: false } : undefined;
}

/** Everything that a file imports, statically or dynamically, in the order of the text. */
export const importsOf = ({ tree }: Source): Import[] =>
	[...nodesIn(tree)].flatMap((node) => importIn(node) ?? []);

/** The path of the source that a relative import means, with or without a file of that name. */
export const targetOf = ({ path }: Source, specifier: string): string =>
	`${posix.join(posix.dirname(path), specifier)}.ts`;

/** The name of the outermost declaration that a node stands in, such as that of a function or a class. */
export function declarationAround(node: ts.Node): string {
	let outermost = node;
	while (!ts.isSourceFile(outermost.parent)) outermost = outermost.parent;
	const [variable] = ts.isVariableStatement(outermost)
		? outermost.declarationList.declarations
		: [];
	const name = ts.getNameOfDeclaration((variable ?? outermost) as ts.Declaration);
	return name?.getText() ?? ts.SyntaxKind[outermost.kind];
}
