// The demo: the reference service and a real n8n side by side, and a sheet of links that the one keeps in sync with the other.
// `npm run demo` keeps both running until Ctrl-C; with `-- --once` it ends after the summary.
import { copyFile, mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
	edits,
	editSheet,
	importWorkflow,
	runCampaign,
	throttle,
	type Summary,
} from './campaign.ts';
import { startN8n } from '../testkit/n8n/instance.ts';
import { pack } from '../testkit/n8n/package.ts';
import location from '../testkit/n8n/location.cjs';
import { Rest } from '../testkit/n8n/rest.ts';
import { DemoError, needPort } from '../testkit/ports.ts';
import { startService } from '../testkit/service/index.ts';

const projectRoot = dirname(import.meta.dirname);
const apiKey = 'demo-key-0123456789';
const login = { email: 'demo@example.com', password: 'Demo-password-1' };
const show = (line: string) => console.log(line);

const { values } = parseArgs({
	options: {
		once: { type: 'boolean', default: false },
		port: { type: 'string', default: '5678' },
		'service-port': { type: 'string', default: '4010' },
	},
});

/** What has to be ended, the latest first. */
const running: { stop(): Promise<void> }[] = [];
let finished = false;

async function stopAll(): Promise<void> {
	for (const part of running.splice(0).reverse()) await part.stop();
}

/** What a run came to, in one sentence; what did not occur is left out. */
function sentenceOn({ rows, requests, seconds, ...counts }: Summary): string {
	const { created, updated, switchedOn, disabled } = counts;
	const outcomes = [
		[created, 'created'],
		[updated, 'updated'],
		[switchedOn, 'of them switched on again'],
		[rows - created - updated, 'unchanged'],
		[disabled, 'in no row and disabled'],
	] as const;
	const became = outcomes.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
	const took = `${seconds.toFixed(1)} s, with ${requests} requests`;
	return `${rows} rows: ${became.join(', ')}, by n8n ${location.current.version} in ${took}`;
}

async function demo(): Promise<void> {
	const port = Number(values.port);
	const servicePort = Number(values['service-port']);
	await needPort(port, 'the editor of n8n', 'npm run demo -- --port');
	await needPort(port + 1, 'the task broker of n8n', 'npm run demo -- --port');
	await needPort(servicePort, 'the reference service', 'npm run demo -- --service-port');

	// The service keeps its data, so a second demo has almost nothing to do. n8n starts from scratch.
	const folder = join(projectRoot, '.n8n-demo');
	const files = join(folder, 'files');
	await rm(join(folder, 'n8n'), { recursive: true, force: true });
	await mkdir(files, { recursive: true });
	// The package would find this project's n8n-workflow otherwise, whose errors n8n does not recognize.
	await rm(join(folder, 'node_modules'), { force: true });
	await symlink(join(location.current.root, 'node_modules'), join(folder, 'node_modules'));
	await copyFile(
		join(projectRoot, 'examples', 'data', 'campaign.csv'),
		join(files, 'campaign.csv'),
	);

	const database = join(folder, 'service.sqlite');
	const service = await startService({
		port: servicePort,
		database,
		apiKeys: [apiKey],
		settings: { throttle },
	});
	running.push(service);
	show(`Reference service: ${service.url}`);

	show(`Starting n8n ${location.current.version} with the packed package …`);
	const tarball = await pack(projectRoot, folder);
	const n8n = await startN8n({ folder: join(folder, 'n8n'), tarball, port, files });
	running.push(n8n);

	const rest = new Rest(n8n.url);
	await rest.setUpOwner(login);
	const data = { baseUrl: service.url, apiKey };
	const credential = await rest.addCredential('linkManagementApi', 'Link Management account', data);
	const workflowId = await importWorkflow(projectRoot, { files, rest }, credential);
	const campaign = { files, rest, service, workflowId };
	const run = async () => {
		const summary = await runCampaign(campaign, show);
		show(sentenceOn(summary));
		if (summary.shortUrls.length === summary.rows) return;
		throw new DemoError('Some rows have no short URL of their own.');
	};

	show('First run: the sheet as it is');
	await run();
	await editSheet(campaign);
	show('');
	show(
		`Second run: ${edits.moved.join(', ')} lead elsewhere now, and ${edits.takenOut} is out of the sheet`,
	);
	await run();
	const result = join(projectRoot, 'campaign-links.csv');
	await copyFile(join(files, 'campaign-links.csv'), result);
	show('');
	show(`Short URLs:  ${result}`);
	if (values.once) return;
	show(`Editor:      ${n8n.url}/workflow/${workflowId}`);
	show(`Login:       ${login.email} / ${login.password}`);
	show('Press Ctrl-C to end both.');
	finished = true;
	// The servers keep the process alive; Ctrl-C ends it.
	await new Promise<never>(() => undefined);
}

/** Ctrl-C: ends what runs; before the summary it counts as a failure. */
async function interrupt(): Promise<void> {
	show('\nStopping …');
	await stopAll();
	process.exit(finished ? 0 : 130);
}

process.once('SIGINT', interrupt);
process.once('SIGTERM', interrupt);
try {
	await demo();
} catch (error) {
	if (!(error instanceof DemoError)) throw error;
	console.error(error.message);
	process.exitCode = 1;
} finally {
	await stopAll();
}
