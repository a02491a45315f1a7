import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startN8n, type N8nOptions, type RunningN8n } from '../../testkit/n8n/instance.ts';
import { pack } from '../../testkit/n8n/package.ts';
import { Rest } from '../../testkit/n8n/rest.ts';
import { faultMix } from '../../testkit/service/faultMix.ts';
import { startService, type RunningService } from '../../testkit/service/index.ts';
import { freePorts } from '../../testkit/ports.ts';
import { bulkWorkflow, finished, hintIn } from '../../testkit/n8n/bulk.ts';
import { projectRoot } from '../support/process.ts';

const apiKey = 'bulk-key-0123456789';
const login = { email: 'bulk@example.com', password: 'Bulk-password-1' };
const folder = mkdtempSync(join(tmpdir(), 'bulk-'));

let service: RunningService | undefined;
let n8n: RunningN8n | undefined;
let options: N8nOptions | undefined;
let credential = { id: '', name: '' };

const current = () => {
	if (!service || !options) throw new Error('nothing runs');
	return { service, options };
};

beforeAll(async () => {
	const [port = 0] = await freePorts(2);
	const files = join(folder, 'files');
	await mkdir(files);
	service = await startService({ apiKeys: [apiKey] });
	const tarball = await pack(projectRoot, folder);
	options = { folder: join(folder, 'n8n'), tarball, port, files };
	n8n = await startN8n(options);
	const rest = new Rest(n8n.url);
	await rest.setUpOwner(login);
	credential = await rest.addCredential('linkManagementApi', 'Bulk', {
		baseUrl: service.url,
		apiKey,
	});
});
afterAll(async () => {
	await n8n?.stop();
	await service?.stop();
	await rm(folder, { recursive: true, force: true });
});

async function running(): Promise<Rest> {
	n8n ??= await startN8n(current().options);
	const rest = new Rest(n8n.url);
	await rest.logIn(login);
	return rest;
}

it('creates each of 1,000 links once, against dropped connections, server errors and a throttle', async () => {
	current().service.set({ throttle: { limit: 100, windowSeconds: 2 }, faults: faultMix });
	const rest = await running();
	const parameters = { alias: '={{ $json.alias }}' };
	const workflow = bulkWorkflow('create', 1000, {
		...parameters,
		options: { requests: { settings: { concurrency: 30 } } },
	});
	const { id } = await rest.addWorkflow(workflow, credential);
	const execution = await finished(rest, await rest.start(id, 'Start'));
	expect(execution.status).toBe('success');
	expect(hintIn(execution)).toMatch(
		/^1000 items: 1000 created; \d+ waits? of \d+ seconds in total, \d+ retries\.$/,
	);
	expect(current().service.counts().links).toBe(1000);
});

it('finishes 500 upserts after n8n was killed in the middle of them', async () => {
	const { service: target } = current();
	target.clear();
	target.set({ throttle: null, faults: [{ effect: { kind: 'latency', milliseconds: 20 } }] });
	const first = await running();
	const workflow = bulkWorkflow('upsert', 500, { alias: '={{ $json.alias }}' });
	const { id } = await first.addWorkflow(workflow, credential);
	await first.start(id, 'Start');
	while (target.counts().links < 100) await wait(50);
	await n8n?.kill();
	n8n = undefined;
	expect(target.counts().links).toBeLessThan(500);

	const second = await running();
	const execution = await finished(second, await second.start(id, 'Start'));
	expect(execution.status).toBe('success');
	expect(hintIn(execution)).toMatch(/^500 items: \d+ created, \d+ unchanged/);
	expect(target.counts().links).toBe(500);
});
