import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commonPollingParameters } from 'n8n-core/dist/nodes-loader/constants';
import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import { exampleNames, readExample, type ExampleNode } from '../support/exampleFiles.ts';
import { loadPackage, nodeTypesOf } from '../support/n8n.ts';
import { projectRoot } from '../support/process.ts';

const examples = exampleNames.map((file) => ({ file, example: readExample(file) }));
const page = readFileSync(join(projectRoot, 'docs', 'examples.md'), 'utf8');

const stories = readFileSync(join(projectRoot, 'test', 'e2e', 'examples.test.ts'), 'utf8');

const isNote = ({ type }: ExampleNode) => type === 'n8n-nodes-base.stickyNote';
const isOurs = ({ type }: ExampleNode) => type.startsWith('n8n-nodes-link-management.');
const isTrigger = ({ type }: ExampleNode) => /(trigger|webhook)$/i.test(type);

/** A text as letters and digits alone, so that names compare however they are written. */
const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The name of a node's type without its package, such as `httpRequest`. */
const kindOf = ({ type }: ExampleNode) => type.split('.').at(-1) ?? '';

it('there are twelve', () => {
	expect(exampleNames).toHaveLength(12);
});

describe.each(examples)('$file', ({ file, example }) => {
	const { nodes, connections } = example;
	const steps = nodes.filter((node) => !isNote(node));
	const notes = nodes.filter(isNote).map(({ parameters }) => String(parameters.content));

	it('is explained by notes: what it does, how to set it up, what to change', () => {
		const text = notes.join('\n');
		expect(notes.length).toBeGreaterThan(1);
		expect(notes[0]).toMatch(/^## \w/);
		expect(text).toMatch(/\*\*Set up\*\*\n1\. .+\n2\. /);
		expect(text).toContain('**To change:**');
		expect(text).toContain('Google Sheets');
		// What stands in italics is the name of a node.
		const named = [...text.matchAll(/(?<![\w`])_([^_`]+)_(?!\w)/g)].map(([, name]) => name);
		expect(named.length).toBeGreaterThan(0);
		expect(steps.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
	});

	it('holds no credential, and nothing of the n8n that it was made in', () => {
		expect(nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
		expect(Object.keys(example).sort()).toEqual(['connections', 'name', 'nodes', 'settings']);
		const text = JSON.stringify(nodes.filter((node) => !isNote(node)));
		expect(text).not.toMatch(/api[_-]?key|bearer|secret|token|instanceId/i);
	});

	it('reads and writes no files, which n8n Cloud cannot, and sends no message before its node is set up', () => {
		expect(steps.map(({ type }) => type)).not.toContain('n8n-nodes-base.readWriteFile');
		expect(JSON.stringify(example)).not.toContain('/files/');
		const messages = steps.filter(({ type }) => /\.(emailSend|slack)$/.test(type));
		expect(messages.filter(({ disabled }) => disabled !== true)).toEqual([]);
	});

	it('begins with a dry run if it can remove links, and says how to turn it off', () => {
		const isRemoval = ({ parameters: { operation } }: ExampleNode) =>
			['delete', 'disable', 'sync'].includes(String(operation));
		for (const { name, parameters } of nodes.filter(isOurs).filter(isRemoval)) {
			expect(parameters.options).toMatchObject({ dryRun: true });
			expect(notes[0]).toMatch(/\d\. Turn \*\*Dry Run\*\* off/);
			expect(notes[0]).toContain(`_${name}_`);
		}
	});

	it('names each node by what it does', () => {
		const names = nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		for (const node of steps) {
			expect(node.name).toMatch(/^[A-Z][\w.-]*( [\w.:-]+)+\??$/);
			expect(plain(node.name)).not.toMatch(new RegExp(`^${plain(kindOf(node))}\\d*$`));
		}
	});

	it('connects all nodes', () => {
		const ends = Object.values(connections).flatMap((kinds) => Object.values(kinds).flat(2));
		const targets = new Set(ends.map(({ node }) => node));
		const names = steps.map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...targets]));
		// A tool and the model of an agent are where a connection begins.
		const begins = ({ name }: ExampleNode) =>
			Object.keys(connections[name] ?? {}).some((kind) => kind.startsWith('ai_'));
		const loose = steps.filter((node) => !targets.has(node.name) && !begins(node));
		expect(loose.length).toBeGreaterThan(0);
		expect(loose.filter((node) => !isTrigger(node) || !connections[node.name])).toEqual([]);
	});

	it('fills in parameters that our nodes have, and all that they demand', async () => {
		const types = nodeTypesOf(await loadPackage());
		const ours = nodes.filter(isOurs);
		expect(ours.length).toBeGreaterThan(0);
		for (const { type, ...rest } of ours) {
			const { description } = types.getByNameAndVersion(type.replace(/Tool$/, ''));
			const parameters = rest.parameters as INodeParameters;
			const node: INode = { ...rest, type, parameters };
			// n8n adds Poll Times to each node that polls.
			const properties = description.polling
				? [...commonPollingParameters, ...description.properties]
				: description.properties;
			// n8n drops what it does not know, and what it does not show.
			const accepted = NodeHelpers.getNodeParameters(
				...([properties, parameters, true, false, node, description] as const),
			);
			expect([node.name, accepted]).toMatchObject([node.name, parameters]);
			const issues = NodeHelpers.getNodeParametersIssues(properties, node, description);
			expect({ node: node.name, issues }).toEqual({ node: node.name, issues: null });
		}
	});

	it('is run in a real n8n, and has a section of its own in the documentation, with a picture', () => {
		expect(stories).toMatch(new RegExp(`story\\(\\s*'${file}: `));
		expect(page).toContain(`](../examples/workflows/${file}.json)`);
		expect(page).toContain(`](pictures/example-${file}.png)`);
	});
});

it('no two nodes of all examples have the same ID', () => {
	const ids = examples.flatMap(({ example }) => example.nodes.map(({ id }) => id));
	expect(new Set(ids).size).toBe(ids.length);
	for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});
