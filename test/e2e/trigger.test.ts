import { type IDataObject } from 'n8n-workflow';
import { everyFiveSeconds, useEngines, type Engine } from '../support/polling.ts';

const both = useEngines();

const all = [
	'clicked',
	'clicksReached',
	'created',
	'deleted',
	'disabled',
	'enabled',
	'expired',
	'updated',
];

/** The times at which something happens to links, one after the other. */
const times = ['running', 'crashed', 'off', 'outage'] as const;

type Time = (typeof times)[number];

/** What a test knows of an engine: the workflows, the IDs of the links by their aliases, and the events to expect. */
interface Watched {
	/** A workflow that starts for all events. */
	all: string;
	readonly ids: Map<string, number>;
	readonly expected: string[];
}

const watched = new Map<Engine, Watched>();

function of(engine: Engine): Watched {
	const known = watched.get(engine) ?? { all: '', ids: new Map(), expected: [] };
	watched.set(engine, known);
	return known;
}

/** Creates a link whose ID the test will need. */
async function create(engine: Engine, alias: string, fields: IDataObject = {}): Promise<void> {
	of(engine).ids.set(alias, await engine.create(alias, fields));
}

/** Adds the links that something will happen to at a time. */
async function prepare(engine: Engine, time: Time): Promise<void> {
	for (const name of ['clicked', 'disabled', 'expired', 'changed', 'deleted'])
		await create(engine, `${name}-${time}`);
	await create(engine, `enabled-${time}`, { disabled: 1 });
}

/** Lets each event happen to a link. */
async function change(engine: Engine, time: Time): Promise<void> {
	const { ids, expected } = of(engine);
	const path = (name: string) => `/${ids.get(`${name}-${time}`)}`;
	await create(engine, `created-${time}`);
	await engine.click(`clicked-${time}`, 2);
	await engine.change('PUT', path('disabled'), { disabled: 1 });
	await engine.change('PUT', path('enabled'), { disabled: 0 });
	await engine.change('PUT', path('expired'), { expiration_clicks: 1 });
	await engine.click(`expired-${time}`);
	await engine.change('PUT', path('changed'), { url: 'https://example.com/moved' });
	await engine.change('DELETE', path('deleted'));
	expected.push(
		`clicked clicked-${time} 2`,
		`clicked expired-${time} 1`,
		`clicksReached clicked-${time} 2`,
		`created created-${time}`,
		`deleted deleted-${time}`,
		`disabled disabled-${time}`,
		`enabled enabled-${time}`,
		`expired expired-${time}`,
		`updated changed-${time} url`,
		`updated disabled-${time} disabled`,
		`updated enabled-${time} disabled`,
		`updated expired-${time} expirationClicks`,
	);
}

/** One line for an event that a workflow was started with. */
function lineOf(
	{ ids }: Watched,
	{ event, id, threshold, newClicks, changes }: IDataObject,
): string {
	const alias = [...ids].find(([, known]) => known === id)?.[0] ?? `link ${String(id)}`;
	const fields = Object.keys((changes as IDataObject | undefined) ?? {}).join();
	return [event, alias, threshold ?? newClicks ?? fields].filter((word) => word !== '').join(' ');
}

/** Waits for all events that are expected, and for one more poll, in which none may come. */
async function expectAll(engine: Engine): Promise<void> {
	const known = of(engine);
	await engine.seenAtLeast(known.all, known.expected.length);
	await engine.polls(1);
	const seen = await engine.seen(known.all);
	expect({
		engine: engine.name,
		seen: seen.map((event) => lineOf(known, event)).sort(),
		eventIds: new Set(seen.map(({ eventId }) => eventId)).size,
	}).toEqual({
		engine: engine.name,
		seen: [...known.expected].sort(),
		eventIds: known.expected.length,
	});
}

it('is activated, without an event of what is there already, and fails with a sentence where the key is wrong', async () => {
	await both(async (engine) => {
		for (const time of times) await prepare(engine, time);
		await create(engine, 'known');
		await engine.click('known', 3);
		await create(engine, 'over', { expiration_clicks: 1 });
		await engine.click('over');
		const watches = of(engine);
		const created = { events: ['created'], pollTimes: everyFiveSeconds };
		const unable = await engine.addWorkflow('Wrong key', created, 'wrong');
		const end = engine.activate(unable);

		watches.all = await engine.addWorkflow('All events', {
			events: all,
			thresholds: '2',
			pollTimes: everyFiveSeconds,
		});
		expect(await engine.activate(watches.all)).toMatchObject({ status: 'published' });
		// The durable engine does not keep what a quiet activation has found, so that its first tick is the beginning.
		await engine.polls(3);
		expect(await engine.seen(watches.all)).toEqual([]);

		const { status, triggers } = await end;
		expect({ engine: engine.name, status, triggers }).toEqual({
			engine: engine.name,
			status: 'failed',
			triggers: [
				expect.objectContaining({
					errorMessage: expect.stringContaining(
						'The service did not accept the API key (HTTP 401)',
					) as string,
				}),
			],
		});
		await engine.deactivate(unable);
	});
});

it('keeps its state where the engine keeps it', async () => {
	await both(async (engine) => {
		const { all: id } = of(engine);
		const [stored] = engine.rows(`SELECT staticData FROM workflow_entity WHERE id = '${id}'`);
		const cursors = engine.rows(`SELECT cursor FROM poller_state WHERE workflowId = '${id}'`);
		const jobs = engine.rows('SELECT cronExpression FROM scheduled_job');
		expect(engine.log).not.toContain('durable poll cursors stay disabled');
		const state = expect.stringContaining('"poll":{"version":4') as string;
		expect({ engine: engine.name, ...stored, cursors, jobs: jobs.length }).toEqual(
			engine.name === 'classic'
				? { engine: 'classic', staticData: state, cursors: [], jobs: 0 }
				: { engine: 'durable', staticData: null, cursors: [{ cursor: state }], jobs: 12 },
		);
	});
});

it('starts the workflow for each event, once', async () => {
	await both(async (engine) => {
		await change(engine, 'running');
		await expectAll(engine);
	});
});

it('goes on after n8n has crashed, and was started while the service was down', async () => {
	await both(async (engine) => {
		const { all: id } = of(engine);
		await engine.kill();
		await change(engine, 'crashed');
		engine.breakDown();
		await engine.start();
		await engine.failures(id, 1);
		// n8n gives up a trigger that it has tried in vain to activate for 15 seconds; this one waits for the service.
		expect(await engine.published(id)).toMatchObject({ status: 'published' });
		engine.recover();
		await expectAll(engine);
	});
});

it('reports what has happened while the workflow was switched off', async () => {
	await both(async (engine) => {
		const { all: id } = of(engine);
		await engine.deactivate(id);
		await change(engine, 'off');
		expect(await engine.activate(id)).toMatchObject({ status: 'published' });
		await expectAll(engine);
	});
});

it('loses nothing by an outage of the service, of which the classic engine tells once', async () => {
	await both(async (engine) => {
		const { all: id } = of(engine);
		const before = (await engine.errors(id)).length;
		engine.breakDown();
		await change(engine, 'outage');
		const isDurable = engine.name === 'durable';
		await engine.failures(id, isDurable ? 2 : 1);
		// A poll tries some more times.
		if (!isDurable) await engine.refusals(10);
		engine.recover();
		await expectAll(engine);
		const errors = (await engine.errors(id)).slice(before);
		const sentence = 'The service is not available at the moment (HTTP 503)';
		expect({ engine: engine.name, errors }).toEqual({
			engine: engine.name,
			errors: isDurable ? errors.map(() => sentence) : [sentence],
		});
	});
});
