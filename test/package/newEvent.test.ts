import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainLink } from '../support/eventExamples.ts';
import { PollAccount } from '../support/pollAccount.ts';
import { PollRun, type PollingNode } from '../support/pollRun.ts';
import { projectRoot } from '../support/process.ts';

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
		cost: '1 request per poll',
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

beforeAll(() => {
	for (const name of ['nodes', 'credentials', 'index.ts', 'tsconfig.json', 'package.json']) {
		cpSync(join(projectRoot, name), join(copy, name), { recursive: true });
	}
	symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'));
	addEvent();
});
afterAll(() => rmSync(copy, { recursive: true }));

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
		description: 'A link became active. Uses 1 request per poll.',
	});
	const account = new PollAccount();
	const parameters = { events: ['activated', 'created'] };
	const run = new PollRun(node, 'classic', parameters, (url) => account.read(url));
	for (const disabled of [false, true])
		account.create({ ...plainLink, alias: `new-${Number(disabled)}`, disabled });
	expect(await run.activate()).toMatchObject({ events: [], isSaved: true });
	account.change(2, { disabled: false });
	const { events, error } = await run.poll();
	expect(error).toBeUndefined();
	expect(events.map(({ event, id, alias }) => [event, id, alias])).toEqual([
		['activated', 2, 'new-1'],
	]);
});
