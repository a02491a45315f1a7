import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startN8n } from '../../demo/n8n/instance.ts';
import { pack } from '../../demo/n8n/package.ts';
import { Rest } from '../../demo/n8n/rest.ts';
import { startService } from '../../demo/service/index.ts';
import { apiKey, Desk } from './desk.ts';
import { freePorts } from '../../demo/ports.ts';
import { projectRoot } from './process.ts';

/**
 * For the tests of one file: one real n8n for all of them. What `story` is given begins as soon as n8n is up, side by side
 * with all other stories, each with a strict service and a folder of its own; the test of that name waits for its end.
 */
export function useExamples(): (name: string, tell: (desk: Desk) => Promise<void>) => void {
	const folder = mkdtempSync(join(tmpdir(), 'examples-'));
	const ends: (() => Promise<void>)[] = [];
	const stories = new Map<string, (desk: Desk) => Promise<void>>();
	const told = new Map<string, Promise<void>>();

	beforeAll(async () => {
		const [port = 0] = await freePorts(2);
		const files = join(folder, 'files');
		mkdirSync(files);
		const tarball = await pack(projectRoot, folder);
		const settings = { GENERIC_TIMEZONE: 'UTC' };
		const n8n = await startN8n({ folder: join(folder, 'n8n'), tarball, port, files, settings });
		ends.push(n8n.stop);
		const rest = new Rest(n8n.url);
		await rest.setUpOwner({ email: 'examples@example.com', password: 'Examples-password-1' });
		for (const [name, tell] of stories) {
			const own = join(files, String(told.size));
			mkdirSync(own);
			const service = await startService({ strict: true, apiKeys: [apiKey] });
			ends.push(service.stop);
			const end = tell(new Desk(n8n.url, rest, service, own));
			// The test of the story says so; until then it is no unhandled rejection.
			end.catch(() => undefined);
			told.set(name, end);
		}
	});
	afterAll(async () => {
		await Promise.allSettled(told.values());
		for (const end of ends.reverse()) await end();
		await rm(folder, { recursive: true, force: true });
	});

	return (name, tell) => {
		stories.set(name, tell);
		it(name, async () => await told.get(name));
	};
}
