import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startN8n, type Installation, type N8nOptions } from '../../testkit/n8n/instance.ts';
import location from '../../testkit/n8n/location.cjs';
import { pack } from '../../testkit/n8n/package.ts';
import { Rest } from '../../testkit/n8n/rest.ts';
import { startService } from '../../testkit/service/index.ts';
import { apiKey, Desk } from './desk.ts';
import { freePorts } from '../../testkit/ports.ts';
import { projectRoot } from './process.ts';

type Tell = (desk: Desk) => Promise<void>;

/** Starts an n8n and all stories in it; returns the end of each by its name. */
async function startStories(
	stories: ReadonlyMap<string, Tell>,
	options: Pick<N8nOptions, 'folder' | 'installation' | 'tarball'>,
	ends: (() => Promise<void>)[],
): Promise<Map<string, Promise<void>>> {
	const [port = 0] = await freePorts(2);
	const files = join(options.folder, 'files');
	mkdirSync(files, { recursive: true });
	// Outside of the project, as an installed package is: inside, it would be given the project's n8n-workflow.
	const nodes = join(options.folder, 'nodes');
	cpSync(join(__dirname, 'probe'), nodes, { recursive: true });
	const settings = {
		GENERIC_TIMEZONE: 'UTC',
		N8N_CUSTOM_EXTENSIONS: nodes,
		// By default n8n 1 stores how an execution has ended before it stores what came of it.
		DB_SQLITE_POOL_SIZE: '2',
		// It looks after its database every two seconds, and refuses all requests for a while where the answer took five.
		DB_PING_INTERVAL_SECONDS: '3600',
	};
	const n8n = await startN8n({ ...options, port, files, settings });
	ends.push(n8n.stop);
	const rest = new Rest(n8n.url, options.installation?.version);
	await rest.setUpOwner({ email: 'examples@example.com', password: 'Examples-password-1' });
	const told = new Map<string, Promise<void>>();
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
	return told;
}

/**
 * For the tests of one file: one real n8n for all of them, or one of each generation. What `story` is given begins as soon as
 * n8n is up, side by side with all other stories, each with a strict service and a folder of its own; the test of that name
 * waits for its end.
 */
export function useExamples(
	installations: readonly Installation[] = [location.current],
): (name: string, tell: Tell) => void {
	const folder = mkdtempSync(join(tmpdir(), 'examples-'));
	const ends: (() => Promise<void>)[] = [];
	const stories = new Map<string, Tell>();
	const told = new Map<Installation, Map<string, Promise<void>>>();

	beforeAll(async () => {
		const tarball = await pack(projectRoot, folder);
		const start = async (installation: Installation) => {
			const own = { installation, tarball, folder: join(folder, installation.version) };
			told.set(installation, await startStories(stories, own, ends));
		};
		await Promise.all(installations.map(start));
	});
	afterAll(async () => {
		await Promise.allSettled([...told.values()].flatMap((each) => [...each.values()]));
		for (const end of ends.reverse()) await end();
		await rm(folder, { recursive: true, force: true });
	});

	return (name, tell) => {
		stories.set(name, tell);
		it.each(installations)(`${name} (n8n $version)`, async (installation) => {
			await told.get(installation)?.get(name);
		});
	};
}
