import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { operationTable } from '../../nodes/shared/contract/operations';
import * as handlers from '../../nodes/shared/operations/handlers';
import { projectRoot } from '../support/process.ts';

const names = Object.keys(operationTable);

/** The only file that lists the operations, and the index of their code. */
const tables = ['nodes/shared/contract/operations.ts', 'nodes/shared/operations/handlers.ts'];

const sources = globSync('{nodes,credentials}/**/*.ts', { cwd: projectRoot })
	.filter((path) => !tables.includes(path))
	.toSorted()
	.map((path) => {
		const text = readFileSync(join(projectRoot, path), 'utf8');
		return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
	});

/** Yields all nodes of a tree. */
function* nodesIn(node: ts.Node): Generator<ts.Node> {
	yield node;
	const children: ts.Node[] = [];
	ts.forEachChild(node, (child) => void children.push(child));
	for (const child of children) yield* nodesIn(child);
}

/** Returns whether a text is an endpoint: the second argument of `apiRequest`, or a property `endpoint`. */
const isEndpoint = ({ parent }: ts.StringLiteralLike, node: ts.Node): boolean =>
	(ts.isCallExpression(parent) &&
		parent.expression.getText() === 'apiRequest' &&
		parent.arguments[1] === node) ||
	(ts.isPropertyAssignment(parent) && parent.name.getText() === 'endpoint');

/** Returns whether a text is the name of an operation in the table of a resource, next to its texts. */
const isEntry = ({ parent }: ts.StringLiteralLike): boolean =>
	ts.isPropertyAssignment(parent) &&
	parent.name.getText() === 'value' &&
	ts.isObjectLiteralExpression(parent.parent) &&
	parent.parent.properties.some((property) => property.name?.getText() === 'useWhen');

/** Returns whether a text is a choice for unmatched resources, which can be deleted or disabled as well. */
const isUnmatchedAction = (node: ts.StringLiteralLike): boolean =>
	['delete', 'disable'].includes(node.text) &&
	/unmatchedAction|UnmatchedAction/.test(declarationText(node));

function declarationText(node: ts.Node): string {
	let outermost = node;
	while (!ts.isSourceFile(outermost.parent)) outermost = outermost.parent;
	return outermost.getText();
}

/** Returns the texts and the keys of object literals that are names of operations. */
function namesIn(tree: ts.SourceFile): string[] {
	return [...nodesIn(tree)].flatMap((node) => {
		const place = () =>
			`${tree.fileName}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText()}`;
		if (ts.isStringLiteralLike(node) && names.includes(node.text)) {
			return isEndpoint(node, node) || isEntry(node) || isUnmatchedAction(node) ? [] : [place()];
		}
		if (!ts.isObjectLiteralExpression(node)) return [];
		const keys = node.properties.map((property) => property.name?.getText() ?? '');
		return keys.filter((key) => names.includes(key)).length > 1 ? [place()] : [];
	});
}

it('only the table of operations lists operations, or compares with the name of one', () => {
	const legitimate = [
		// The two policies for failures: of creates, and of requests that can be repeated.
		/^nodes\/shared\/transport\/retry\.ts:/,
		// Endpoints by their names.
		/^nodes\/shared\/contract\/endpoints\.ts:/,
	];
	const places = sources
		.flatMap(namesIn)
		.filter((place) => !legitimate.some((pattern) => pattern.test(place)));
	expect(places).toEqual([]);
});

it('each operation of the table has code', () => {
	expect(Object.keys(handlers).toSorted()).toEqual(names.toSorted());
});
