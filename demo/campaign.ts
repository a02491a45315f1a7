import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import type { Rest, Workflow } from '../testkit/n8n/rest.ts';
import { DemoError } from '../testkit/ports.ts';
import type { RecordedRequest, RunningService } from '../testkit/service/index.ts';

/** The folder that the demo's workflow reads and writes. The demo replaces it with its own folder. */
const exampleFolder = '/files/';

/** A rate limit as such services have it, so that the demo shows how the node waits. */
export const throttle = { limit: 120, windowSeconds: 20 };

/** What is edited in the sheet between the two runs. */
export const edits = { moved: ['Germany', 'France', 'Japan'], takenOut: 'Antarctica' };

export interface Campaign {
	/** The folder of campaign.csv and campaign-links.csv. */
	files: string;
	rest: Rest;
	service: RunningService;
	workflowId: string;
}

/** What one run of the workflow did, as the service saw it. */
export interface Summary {
	/** Rows of the input file. */
	rows: number;
	/** Distinct short URLs in the output file. */
	shortUrls: string[];
	created: number;
	/** Links that were changed because of their row; those that were switched on again are among them. */
	updated: number;
	switchedOn: number;
	/** Links that are in no row. */
	disabled: number;
	/** All requests, refused ones too. */
	requests: number;
	seconds: number;
}

async function readCsv(file: string): Promise<Record<string, string>[]> {
	return parse(await readFile(file), { columns: true, bom: true });
}

/** Imports the demo's workflow with its paths pointing into the demo's folder; returns its id. */
export async function importWorkflow(
	projectRoot: string,
	{ files, rest }: Pick<Campaign, 'files' | 'rest'>,
	credential: { id: string; name: string },
): Promise<string> {
	const file = join(projectRoot, 'demo', 'campaign-from-csv.json');
	const text = await readFile(file, 'utf8');
	const workflow = JSON.parse(text.replaceAll(exampleFolder, `${files}/`)) as Workflow;
	const { id } = await rest.addWorkflow(workflow, credential);
	return id;
}

/** Edits the sheet as a person would: some rows lead elsewhere, and one is gone. */
export async function editSheet({ files }: Pick<Campaign, 'files'>): Promise<void> {
	const { moved, takenOut } = edits;
	const sheet = join(files, 'campaign.csv');
	const lines = (await readFile(sheet, 'utf8')).split('\n');
	const remaining = lines.filter((line) => !line.startsWith(`${takenOut},`));
	const edited = remaining.map((line) =>
		moved.some((market) => line.startsWith(`${market},`))
			? line.replace('/spring?', '/spring-sale?')
			: line,
	);
	await writeFile(sheet, edited.join('\n'));
}

/** Prints a line when links were created, and one when the node begins to wait for the rate limit. */
function watch({ service }: Campaign, rows: number, show: (line: string) => void): () => void {
	const refusedIn = (requests: RecordedRequest[]) =>
		requests.filter(({ status }) => status === 429).length;
	let [links, refusals] = [service.counts().links, refusedIn(service.requests)];
	return () => {
		const stored = service.counts().links;
		if (stored !== links) show(`${stored} of ${rows} links at the service`);
		links = stored;
		const refused = refusedIn(service.requests);
		const { limit, windowSeconds } = throttle;
		if (refused > refusals) {
			show(`waiting: the service takes ${limit} requests in ${windowSeconds} seconds`);
		}
		refusals = refused;
	};
}

/** What a request that the service carried out sent as `disabled`. */
const disabledIn = ({ body }: RecordedRequest) => new URLSearchParams(body).get('disabled');

/** Counts in the service's journal what became of links. */
function countsOf(journal: readonly RecordedRequest[]) {
	const carriedOut = (verb: string) =>
		journal.filter(({ method, status = 0 }) => method === verb && status < 300);
	const changes = carriedOut('PUT');
	const disabled = changes.filter((request) => disabledIn(request) === '1').length;
	return {
		created: carriedOut('POST').length,
		updated: changes.length - disabled,
		switchedOn: changes.filter((request) => disabledIn(request) === '0').length,
		disabled,
		requests: journal.length,
	};
}

/**
 * Runs the demo's workflow in n8n and waits for its end.
 *
 * @param show prints one line
 */
export async function runCampaign(
	campaign: Campaign,
	show: (line: string) => void,
): Promise<Summary> {
	const { files, rest, service, workflowId } = campaign;
	const rows = (await readCsv(join(files, 'campaign.csv'))).length;
	const look = watch(campaign, rows, show);
	const earlier = service.requests.length;
	const startedAt = performance.now();
	const executionId = await rest.start(workflowId, 'When run by hand');
	let execution = await rest.ended(executionId);
	while (!execution) {
		look();
		await wait(200);
		execution = await rest.ended(executionId);
	}
	const seconds = (performance.now() - startedAt) / 1000;
	look();
	if (execution.status !== 'success') {
		throw new DemoError(
			`The workflow ended with status "${execution.status}". Open execution ${executionId} in the editor to see why.`,
		);
	}
	const output = await readCsv(join(files, 'campaign-links.csv'));
	const shortUrls = [...new Set(output.map((row) => row.short_url ?? ''))].filter(Boolean);
	return { rows, shortUrls, ...countsOf(service.requests.slice(earlier)), seconds };
}
