import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, selectors } from 'playwright-core';
import executablePath from '../../../scripts/chromium.cjs';
import { startN8n } from '../../../testkit/n8n/instance.ts';
import { pack } from '../../../testkit/n8n/package.ts';
import { Rest } from '../../../testkit/n8n/rest.ts';
import { startService, type RunningService } from '../../../testkit/service/index.ts';
import { freePorts } from '../../../testkit/ports.ts';
import { projectRoot } from '../../support/process.ts';
import { Editor } from './editor.ts';

export const apiKey = 'browser-key-0123456789';

/** Creates a link with a destination of its own, in domain 1, as another program does. Returns the ID. */
export const createLink = ({ links }: RunningService, alias: string, url: string) =>
	Number(links.create({ alias, url, domain_id: '1' }).id);

export const createPixel = ({ pixels }: RunningService, name: string, type: string) =>
	Number(pixels.create({ name, type, value: '123' }).id);

/** The credential that every test but those of the credential itself uses. */
export const account = 'Demo account';

const login = { email: 'browser@example.com', password: 'Browser-password-1' };

/** Without a display, and without the services that Chromium would otherwise look for on the network. */
const flags = [
	...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
	...['--disable-background-networking', '--disable-component-update'],
];

export interface Stage {
	editor: Editor;
	rest: Rest;
	service: RunningService;
	/** The only folder that workflows may read and write files in. */
	files: string;
	/** The stored credential, as nodes refer to it. */
	credential: { id: string; name: string };
}

/** The service on the port that the pictures show, or on another while that one is taken. */
async function startServiceOnKnownPort(): Promise<RunningService> {
	const options = { apiKeys: [apiKey], strict: true };
	return await startService({ ...options, port: 4010 }).catch(
		async () => await startService(options),
	);
}

/**
 * A strict reference service, a real n8n with the built package installed, and a Chromium that is signed in to it, for
 * the tests of one file. The service is emptied before each test.
 */
export function useStage(): () => Stage {
	const folder = mkdtempSync(join(tmpdir(), 'browser-'));
	const closing: (() => Promise<unknown>)[] = [];
	let stage: Stage | undefined;
	const current = () => {
		if (!stage) throw new Error('n8n or Chromium did not start');
		return stage;
	};

	beforeAll(async () => {
		const service = await startServiceOnKnownPort();
		closing.push(async () => await service.stop());
		const [port = 0] = await freePorts(2);
		const files = join(folder, 'files');
		await mkdir(files);
		const tarball = await pack(projectRoot, folder);
		const n8n = await startN8n({ folder: join(folder, 'n8n'), tarball, port, files });
		closing.push(async () => await n8n.stop());
		const rest = new Rest(n8n.url);
		await rest.setUpOwner(login);
		const credential = await rest.addCredential('linkManagementApi', account, {
			baseUrl: service.url,
			apiKey,
		});

		selectors.setTestIdAttribute('data-test-id');
		const browser = await chromium.launch({ executablePath, args: flags });
		closing.push(async () => await browser.close());
		const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC' });
		context.setDefaultTimeout(20_000);
		const editor = new Editor(await context.newPage(), n8n.url);
		await editor.signIn(login);
		stage = { editor, rest, service, files, credential };
	}, 180_000);
	beforeEach(async () => {
		current().service.clear();
		current().service.apiKeys.add(apiKey);
		await current().editor.reset();
	});
	afterAll(async () => {
		for (const close of closing.reverse()) await close();
		await rm(folder, { recursive: true, force: true });
	});
	return current;
}
