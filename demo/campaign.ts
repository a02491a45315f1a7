import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import type { Rest, Workflow } from './n8n/rest.ts';
import { DemoError } from './ports.ts';
import type { RunningService } from './service/index.ts';

/** Where the example workflow reads and writes; the demo puts its own folder in its place. */
const exampleFolder = '/files/';

/** A rate limit as such services have it, so that the demo shows how the node waits. */
export const throttle = { limit: 120, windowSeconds: 20 };

export interface Campaign {
	/** Folder that holds campaign.csv and takes campaign-links.csv. */
	files: string;
	rest: Rest;
	service: RunningService;
	credential: { id: string; name: string };
}

export interface Summary {
	workflowId: string;
	/** Rows of the input file. */
	rows: number;
	/** Distinct short URLs in the output file. */
	shortUrls: string[];
	created: number;
	updated: number;
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

/** Prints a line when links were created, and one when the node begins to wait for the rate limit. */
function watch({ service }: Campaign, rows: number, show: (line: string) => void): () => void {
	let [links, refusals] = [service.counts().links, 0];
	return () => {
		const held = service.counts().links;
		if (held !== links) show(`${held} of ${rows} links at the service`);
		links = held;
		const refused = service.requests.filter(({ status }) => status === 429).length;
		const { limit, windowSeconds } = throttle;
		if (refused > refusals) {
			show(`waiting: the service takes ${limit} requests in ${windowSeconds} seconds`);
		}
		refusals = refused;
	};
}

/** How many requests of a verb the service carried out. */
const carriedOut = ({ service }: Campaign, verb: string) =>
	service.requests.filter(({ method, status = 0 }) => method === verb && status < 300).length;

/**
 * Runs the example workflow in n8n and waits for its end.
 *
 * @param show prints one line
 */
export async function runCampaign(
	projectRoot: string,
	campaign: Campaign,
	show: (line: string) => void,
): Promise<Summary> {
	const { files, rest } = campaign;
	const workflowId = await importWorkflow(projectRoot, campaign);
	const rows = (await readCsv(join(files, 'campaign.csv'))).length;
	const look = watch(campaign, rows, show);
	const startedAt = performance.now();
	const executionId = await rest.start(workflowId, 'Start');
	let execution = await rest.ended(executionId);
	while (!execution) {
		look();
		await wait(500);
		execution = await rest.ended(executionId);
	}
	look();
	if (execution.status !== 'success') {
		throw new DemoError(
			`The workflow ended with status "${execution.status}". Open execution ${executionId} in the editor to see why.`,
		);
	}
	const output = await readCsv(join(files, 'campaign-links.csv'));
	const shortUrls = [...new Set(output.map((row) => row.short_url ?? ''))].filter(Boolean);
	return {
		workflowId,
		rows,
		shortUrls,
		created: carriedOut(campaign, 'POST'),
		updated: carriedOut(campaign, 'PUT'),
		seconds: (performance.now() - startedAt) / 1000,
	};
}
