import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Rest } from '../../testkit/n8n/rest.ts';
import { startService } from '../../testkit/service/index.ts';
import { apiKey, Desk } from './desk.ts';
import { login, type SharedN8n } from './sharedN8n.ts';

type Tell = (desk: Desk) => Promise<void>;

/**
 * For the tests of one file: the current n8n, or both. All stories begin at the same time, because they mostly wait. Each has
 * a strict service and a folder of its own; the test of its name waits for its end.
 */
export function useStories(
	which: 'both' | 'current' = 'current',
): (name: string, tell: Tell) => void {
	const all = JSON.parse(process.env.SHARED_N8N ?? '[]') as SharedN8n[];
	const shared = which === 'both' ? all : all.slice(0, 1);
	const ends: (() => Promise<void>)[] = [];
	const stories = new Map<string, Tell>();
	const told = new Map<string, Promise<void>>();

	beforeAll(async () => {
		for (const { version, url, files } of shared) {
			const rest = new Rest(url, version);
			await rest.logIn(login);
			for (const [name, tell] of stories) {
				const service = await startService({ strict: true, apiKeys: [apiKey] });
				ends.push(service.stop);
				const end = tell(new Desk(url, rest, service, mkdtempSync(join(files, 'story-'))));
				// The test of the story says so; until then it is no unhandled rejection.
				end.catch(() => undefined);
				told.set(`${name} (n8n ${version})`, end);
			}
		}
	});
	afterAll(async () => {
		await Promise.allSettled(told.values());
		for (const end of ends) await end();
	});

	return (name, tell) => {
		stories.set(name, tell);
		for (const { version } of shared) {
			const title = `${name} (n8n ${version})`;
			it(title, async () => await told.get(title));
		}
	};
}
