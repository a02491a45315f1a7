import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { projectRoot } from './process.ts';

/** A node of an example, as its file has it. */
export interface ExampleNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [x: number, y: number];
	parameters: IDataObject;
	disabled?: boolean;
	webhookId?: string;
	credentials?: Record<string, { id: string; name: string }>;
}

export interface Example {
	name: string;
	nodes: ExampleNode[];
	connections: Record<string, Record<string, { node: string; type: string; index: number }[][]>>;
	settings: IDataObject;
}

const folder = join(projectRoot, 'examples', 'workflows');

/** The names of all example workflows, without the ending of their files. */
export const exampleNames: readonly string[] = readdirSync(folder)
	.map((file) => file.replace(/\.json$/, ''))
	.sort();

/** An example workflow as a user imports it. */
export const readExample = (name: string): Example =>
	JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Example;

/** The workflow of the demo, which reads and writes CSV files in a folder. */
export function readDemo(files: string): Example {
	const text = readFileSync(join(projectRoot, 'demo', 'campaign-from-csv.json'), 'utf8');
	return JSON.parse(text.replaceAll('/files/', `${files}/`)) as Example;
}

/** The credentials that nodes of other packages ask for, by the types of those nodes. */
const credentialTypes: Record<string, string> = {
	'n8n-nodes-base.crypto': 'crypto',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
};

/** Chooses a stored credential in each node of another package that asks for one, as a person does after the import. */
export async function chooseCredentials(
	{ nodes }: Example,
	stored: (type: string) => Promise<{ id: string; name: string }>,
): Promise<void> {
	for (const node of nodes) {
		const type = credentialTypes[node.type];
		if (type !== undefined) node.credentials = { [type]: await stored(type) };
	}
}
