import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { startService, type RunningService } from '../../testkit/service/index.ts';
import { PollRun, type PollingNode } from '../support/pollRun.ts';
import { projectRoot } from '../support/process.ts';
import { apiKey } from '../support/service.ts';
import { useVirtualTime } from '../support/virtualTime.ts';

/** A copy of the source to which an event is added as CONTRIBUTING.md says: a file and a row, and nothing else. */
const copy = mkdtempSync(join(tmpdir(), 'new-event-'));
const folder = join(copy, 'nodes', 'LinkTrigger');

const detector = `import { listMembership } from './listMembership';

/** Finds links that enter the list of active links (contract 3). */
export const activeLinks = listMembership({
	name: 'active',
	list: { name: 'active links', params: [['status', '1']] },
	entered: 'activated',
});
`;

const row = `	{
		name: 'Link Activated',
		value: 'activated',
		description: 'A link became active',
		cost: '1 API request per poll',
		detector: activeLinks,
	},
`;

function addEvent(): void {
	writeFileSync(join(folder, 'detectors', 'active.ts'), detector);
	const file = join(folder, 'events.ts');
	const imported = "import { activeLinks } from './detectors/active';\n";
	const place = "	{\n		name: 'Link Created',";
	const text = readFileSync(file, 'utf8');
	if (!text.includes(place)) throw new Error('The table of events has no row of Link Created');
	writeFileSync(file, imported + text.replace(place, row + place));
}

let service: RunningService | undefined;

useVirtualTime();

beforeAll(async () => {
	for (const name of ['nodes', 'credentials', 'index.ts', 'tsconfig.json', 'package.json']) {
		cpSync(join(projectRoot, name), join(copy, name), { recursive: true });
	}
	symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'));
	addEvent();
	service = await startService({ apiKeys: [apiKey] });
});
afterAll(async () => {
	await service?.stop();
	rmSync(copy, { recursive: true });
});

/** Sends a request to the reference service, as another program would. */
async function send(method: 'GET' | 'POST' | 'PUT', path: string, body?: string) {
	const headers = {
		...{ accept: 'application/json', authorization: `Bearer ${apiKey}` },
		...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
	};
	const answer = await request(`${service?.url ?? ''}${path}`, { method, headers, body });
	return { statusCode: answer.statusCode, headers: {}, body: await answer.body.text() };
}

it('passes the type check', () => {
	const compiler = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
	const { stdout } = spawnSync(process.execPath, [compiler, '--noEmit'], {
		cwd: copy,
		encoding: 'utf8',
	});
	expect(stdout).toBe('');
}, 120_000);

it('is offered by the form, and reported by a poll', async () => {
	const { LinkTrigger } = jest.requireActual<{
		LinkTrigger: new () => PollingNode & { description: { properties: { options?: unknown }[] } };
	}>(join(folder, 'LinkTrigger.node.ts'));
	const node = new LinkTrigger();
	expect(node.description.properties[0]?.options).toContainEqual({
		name: 'Link Activated',
		value: 'activated',
		description: 'A link became active. Uses 1 API request per poll.',
	});
	const run = new PollRun(
		node,
		'classic',
		{ events: ['activated', 'created'] },
		async (url) => await send('GET', url.slice('https://links.example'.length)),
	);
	for (const disabled of [0, 1]) {
		const form = `url=https%3A%2F%2Fexample.com&domain_id=1&alias=new-${disabled}&disabled=${disabled}`;
		expect((await send('POST', '/api/v1/links', form)).statusCode).toBe(201);
	}
	expect(await run.activate()).toMatchObject({ events: [], isSaved: true });
	expect((await send('PUT', '/api/v1/links/2', 'disabled=0')).statusCode).toBe(200);
	const { events, error } = await run.poll();
	expect(error).toBeUndefined();
	expect(events.map(({ event, id, alias }) => [event, id, alias])).toEqual([
		['activated', 2, 'new-1'],
	]);
});
