import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import type { Rest, Workflow } from './n8n/rest.ts';
import { DemoError } from './ports.ts';

/** Where the example workflow reads and writes; the demo puts its own folder in its place. */
const exampleFolder = '/files/';

export interface Campaign {
	/** Folder that holds campaign.csv and takes campaign-links.csv. */
	files: string;
	rest: Rest;
	credential: { id: string; name: string };
}

export interface Summary {
	workflowId: string;
	/** Rows of the input file. */
	rows: number;
	/** Distinct short URLs in the output file. */
	shortUrls: string[];
	seconds: number;
}

async function readCsv(file: string): Promise<Record<string, string>[]> {
	return parse(await readFile(file), { columns: true, bom: true });
}

/** Imports the example workflow with its paths pointing into the demo's folder; returns its id. */
async function importWorkflow(projectRoot: string, campaign: Campaign): Promise<string> {
	const file = join(projectRoot, 'examples', 'workflows', 'campaign-from-csv.json');
	const text = await readFile(file, 'utf8');
	const workflow = JSON.parse(text.replaceAll(exampleFolder, `${campaign.files}/`)) as Workflow;
	const { id } = await campaign.rest.addWorkflow(workflow, campaign.credential);
	return id;
}

/**
 * Runs the example workflow in n8n and waits for its end.
 *
 * @param created tells how many links the service holds, for the progress line
 * @param show prints one line
 */
export async function runCampaign(
	projectRoot: string,
	campaign: Campaign,
	created: () => number,
	show: (line: string) => void,
): Promise<Summary> {
	const workflowId = await importWorkflow(projectRoot, campaign);
	const rows = (await readCsv(join(campaign.files, 'campaign.csv'))).length;
	const startedAt = Date.now();
	const executionId = await campaign.rest.start(workflowId, 'Start');
	let shown = -1;
	for (;;) {
		const execution = await campaign.rest.ended(executionId);
		if (created() !== shown) {
			shown = created();
			show(`${shown} of ${rows} links created`);
		}
		if (execution && execution.status !== 'success') {
			throw new DemoError(
				`The workflow ended with status "${execution.status}". Open execution ${executionId} in the editor to see why.`,
			);
		}
		if (execution) break;
		await wait(500);
	}
	const output = await readCsv(join(campaign.files, 'campaign-links.csv'));
	const shortUrls = [...new Set(output.map((row) => row.short_url ?? ''))].filter(Boolean);
	return { workflowId, rows, shortUrls, seconds: (Date.now() - startedAt) / 1000 };
}
