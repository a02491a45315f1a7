import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import location from '../../testkit/n8n/location.cjs';
import type { Desk } from '../support/desk.ts';
import { useExamples } from '../support/examples.ts';

const story = useExamples();

/** The function with which n8n writes the type definition that its AI builder reads about a community node. */
const synthesizer = join(
	location.current.root,
	'node_modules/n8n/dist/modules/mcp-registry/synthesize-type-def.js',
);

/** Returns the type definition of a node, written by the installed n8n on its own Node. */
const typeDefinitionOf = (description: INodeTypeDescription): string =>
	execFileSync(
		location.current.node,
		[
			'-e',
			`const { synthesizeNodeTypeDef } = require(${JSON.stringify(synthesizer)});
			const description = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
			process.stdout.write(synthesizeNodeTypeDef(description));`,
		],
		{ input: JSON.stringify(description), encoding: 'utf8' },
	);

/** Returns a node of the package as n8n lists it. */
async function nodeType(desk: Desk, name: string): Promise<INodeTypeDescription> {
	const types = await desk.rest.nodeTypes<INodeTypeDescription>();
	const found = types.find((type) => type.name === `n8n-nodes-link-management.${name}`);
	if (!found) throw new Error(`n8n does not list ${name}`);
	return found;
}

const limits = { link: 55_000, pixel: 22_000, linkTrigger: 5_500 };

story('has type definitions that leave room in the context of an AI builder', async (desk) => {
	const sizes: Record<string, number> = {};
	for (const [name, limit] of Object.entries(limits)) {
		const definition = typeDefinitionOf(await nodeType(desk, name));
		sizes[name] = Buffer.byteLength(definition);
		expect({ name, size: Math.max(sizes[name], limit) }).toEqual({ name, size: limit });
		expect(definition).toContain(`type: 'n8n-nodes-link-management.${name}'`);
	}
	expect(sizes.link).toBeGreaterThan(40_000);
});

story('gives an AI builder its hints', async (desk) => {
	const batches =
		'Takes all items at once and respects the rate limit: no Loop, Wait or Retry On Fail needed. For a sheet use Sync, or Create or Update with mapped columns';
	const searchHints = {
		link: batches,
		pixel: batches,
		linkTrigger: 'Only starts workflows. To create links use Link',
	};
	for (const [name, searchHint] of Object.entries(searchHints)) {
		const type = await nodeType(desk, name);
		expect(type.builderHint?.searchHint).toBe(searchHint);
		expect(typeDefinitionOf(type)).toContain(`@builderHint ${searchHint}`);
		for (const { nodeType: related } of type.builderHint?.relatedNodes ?? []) {
			await nodeType(desk, related.replace(/^.*\./, ''));
		}
		expect(type.builderHint?.relatedNodes).not.toHaveLength(0);
	}
});
