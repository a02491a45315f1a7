// The demo: the reference service and a real n8n side by side, and a sheet of links that the one keeps in sync with the other.
// `npm run demo` keeps both running until Ctrl-C; with `-- --once` it ends after the summary.
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startN8n } from '../testkit/n8n/instance.ts';
import { pack } from '../testkit/n8n/package.ts';
import location from '../testkit/n8n/location.cjs';
import { Rest } from '../testkit/n8n/rest.ts';
import { portOptions, runSession, type Session } from '../testkit/n8n/session.ts';
import { edits, editSheet, importWorkflow, runCampaign, throttle } from './campaign.ts';

const projectRoot = dirname(import.meta.dirname);
const folder = join(projectRoot, '.n8n-demo');
const files = join(folder, 'files');
const apiKey = 'demo-key-0123456789';
const login = { email: 'demo@example.com', password: 'Demo-password-1' };
const show = (line: string) => console.log(line);

const { values: options } = parseArgs({
	options: { ...portOptions, once: { type: 'boolean', default: false } },
});

/** Returns whether n8n is to run on. */
async function demo({ port, service, running }: Session): Promise<boolean> {
	// The service keeps its data, so a second demo has almost nothing to do. n8n starts from scratch.
	await rm(join(folder, 'n8n'), { recursive: true, force: true });
	await mkdir(files, { recursive: true });
	const sheet = join(projectRoot, 'examples', 'data', 'campaign.csv');
	await copyFile(sheet, join(files, 'campaign.csv'));
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
	show('First run: the sheet as it is');
	await runCampaign(campaign);
	await editSheet(campaign);
	const { moved, takenOut } = edits;
	show(`\nSecond run: ${moved.join(', ')} lead elsewhere now, and ${takenOut} is out of the sheet`);
	await runCampaign(campaign);
	const result = join(projectRoot, 'campaign-links.csv');
	await copyFile(join(files, 'campaign-links.csv'), result);
	show(`\nShort URLs:  ${result}`);
	if (options.once) return false;
	show(`Editor:      ${n8n.url}/workflow/${workflowId}`);
	show(`Login:       ${login.email} / ${login.password}`);
	show('Press Ctrl-C to end both.');
	return true;
}

const service = { apiKeys: [apiKey], settings: { throttle } };
await runSession({ name: 'npm run demo', ports: options, folder, service }, demo);
