import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import location from '../testkit/n8n/location.cjs';
import type { Rest, Workflow } from '../testkit/n8n/rest.ts';
import { DemoError } from '../testkit/ports.ts';
import type { RecordedRequest, RunningService } from '../testkit/service/index.ts';

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

async function readCsv(file: string): Promise<Record<string, string>[]> {
	return parse(await readFile(file), { columns: true, bom: true });
}

/** Imports the demo's workflow, whose files are in the demo's folder instead of /files, and returns its ID. */
export async function importWorkflow(
	projectRoot: string,
	{ files, rest }: Pick<Campaign, 'files' | 'rest'>,
	credential: { id: string; name: string },
): Promise<string> {
	const text = await readFile(join(projectRoot, 'demo', 'campaign-from-csv.json'), 'utf8');
	const workflow = JSON.parse(text.replaceAll('/files/', `${files}/`)) as Workflow;
	return (await rest.addWorkflow(workflow, credential)).id;
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
function watch({ service }: Campaign, rows: number): () => void {
	const refusedNow = () => service.requests.filter(({ status }) => status === 429).length;
	let [links, refused] = [service.counts().links, refusedNow()];
	return () => {
		const before = { links, refused };
		[links, refused] = [service.counts().links, refusedNow()];
		if (links !== before.links) console.log(`${links} of ${rows} links at the service`);
		const { limit, windowSeconds } = throttle;
		if (refused > before.refused)
			console.log(`waiting: the service takes ${limit} requests in ${windowSeconds} seconds`);
	};
}

/** What a request that the service carried out sent as `disabled`. */
const disabledIn = ({ body }: RecordedRequest) => new URLSearchParams(body).get('disabled');

/** What became of the links of the rows, by the service's journal; what did not occur is left out. */
function outcomesIn(journal: readonly RecordedRequest[], rows: number): string {
	const carriedOut = (verb: string) =>
		journal.filter(({ method, status = 0 }) => method === verb && status < 300);
	const changes = carriedOut('PUT');
	const disabled = changes.filter((request) => disabledIn(request) === '1').length;
	const created = carriedOut('POST').length;
	const updated = changes.length - disabled;
	const outcomes = [
		[created, 'created'],
		[updated, 'updated'],
		[changes.filter((request) => disabledIn(request) === '0').length, 'of them switched on again'],
		[rows - created - updated, 'unchanged'],
		[disabled, 'in no row and disabled'],
	] as const;
	return outcomes
		.filter(([count]) => count > 0)
		.map(([count, word]) => `${count} ${word}`)
		.join(', ');
}

/** Runs the demo's workflow in n8n, waits for its end, and prints what it did. */
export async function runCampaign(campaign: Campaign): Promise<void> {
	const { files, rest, service, workflowId } = campaign;
	const rows = (await readCsv(join(files, 'campaign.csv'))).length;
	service.requests.length = 0;
	const look = watch(campaign, rows);
	const startedAt = performance.now();
	const executionId = await rest.start(workflowId, 'When run by hand');
	let execution = await rest.ended(executionId);
	while (!execution) {
		look();
		await wait(200);
		execution = await rest.ended(executionId);
	}
	const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
	look();
	if (execution.status !== 'success') {
		throw new DemoError(
			`The workflow ended with status "${execution.status}". Open execution ${executionId} in the editor to see why.`,
		);
	}
	const { requests } = service;
	console.log(
		`${rows} rows: ${outcomesIn(requests, rows)}, by n8n ${location.current.version} in ${seconds} s, with ${requests.length} requests`,
	);
	const output = await readCsv(join(files, 'campaign-links.csv'));
	const shortUrls = new Set(output.flatMap((row) => row.short_url || []));
	if (shortUrls.size !== rows) throw new DemoError('Some rows have no short URL of their own.');
}
