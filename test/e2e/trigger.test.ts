import type { IDataObject } from 'n8n-workflow';
import { everyFiveSeconds } from '../support/desk.ts';
import { eightEvents as events } from '../support/eventExamples.ts';
import { triggerWorkflow, useEngines, type Engine } from '../support/polling.ts';

const both = useEngines();

/** The times at which something happens to links, one after the other. */
const times = ['running', 'crashed', 'off', 'outage'] as const;

type Time = (typeof times)[number];

/** What a test knows of an engine. */
interface Watched {
	/** ID of the workflow that starts for all events. */
	id: string;
	/** The IDs of links by their aliases. */
	readonly ids: Map<string, number>;
	/** The events to expect, one line each. */
	readonly expected: string[];
}

const watched = new Map<Engine, Watched>();

function of(engine: Engine): Watched {
	const known = watched.get(engine) ?? { id: '', ids: new Map(), expected: [] };
	watched.set(engine, known);
	return known;
}

/** Creates a link whose ID the test needs. */
function create(engine: Engine, alias: string, fields: Record<string, string> = {}): void {
	const form = { domain_id: '1', alias, url: `https://example.com/${alias}`, ...fields };
	of(engine).ids.set(alias, Number(engine.service.links.create(form).id));
}

/** Adds the links that something happens to at a time. */
function prepare(engine: Engine, time: Time): void {
	for (const name of ['clicked', 'disabled', 'expired', 'changed', 'deleted'])
		create(engine, `${name}-${time}`);
	create(engine, `enabled-${time}`, { disabled: '1' });
}

/** Lets each event happen to a link. */
async function change(engine: Engine, time: Time): Promise<void> {
	const { ids, expected } = of(engine);
	const { desk, service } = engine;
	const idOf = (name: string) => ids.get(`${name}-${time}`) ?? 0;
	const update = (name: string, form: Record<string, string>) =>
		service.links.update(idOf(name), form);
	create(engine, `created-${time}`);
	await desk.click(`clicked-${time}`, 2);
	update('disabled', { disabled: '1' });
	update('enabled', { disabled: '0' });
	update('expired', { expiration_clicks: '1' });
	await desk.click(`expired-${time}`, 1);
	update('changed', { url: 'https://example.com/moved' });
	service.links.remove(idOf('deleted'));
	const lines = [
		...['clicked clicked * 2', 'clicked expired * 1', 'clicksReached clicked * 2'],
		...['created created *', 'deleted deleted *', 'disabled disabled *', 'enabled enabled *'],
		...['expired expired *', 'updated changed * url', 'updated disabled * disabled'],
		...['updated enabled * disabled', 'updated expired * expirationClicks'],
	];
	expected.push(...lines.map((line) => line.replace(' *', `-${time}`)));
}

/** One line for an event that a workflow was started with. */
function lineOf({ ids }: Watched, event: IDataObject): string {
	const alias = [...ids].find(([, known]) => known === event.id)?.[0] ?? `link ${String(event.id)}`;
	const fields = Object.keys(Object(event.changes)).join();
	const detail = event.threshold ?? event.newClicks ?? fields;
	return [event.event, alias, detail].filter((word) => word !== '').join(' ');
}

/** Waits for all events that are expected, and for one more poll, in which none may come. */
async function expectAll(engine: Engine): Promise<void> {
	const known = of(engine);
	await engine.seenAtLeast(known.id, known.expected.length);
	await engine.polls(1);
	const seen = await engine.seen(known.id);
	expect([engine.name, ...seen.map((event) => lineOf(known, event)).sort()]).toEqual([
		...[engine.name, ...known.expected.toSorted()],
	]);
	expect(new Set(seen.map(({ eventId }) => eventId)).size).toBe(known.expected.length);
}

it('is activated, without an event of what is there already, and fails with a sentence where the key is wrong', async () => {
	await both(async (engine) => {
		const { desk } = engine;
		for (const time of times) prepare(engine, time);
		await create(engine, 'known');
		await desk.click('known', 3);
		await create(engine, 'over', { expiration_clicks: '1' });
		await desk.click('over', 1);
		const known = of(engine);
		const wrong = await desk.addCredential({ apiKey: 'wrong-key-0123456789' });
		const failing = triggerWorkflow('Wrong key', { events: ['created'] });
		const unable = await desk.addWorkflow(failing, wrong);
		const end = desk.rest.activate(unable);

		known.id = await desk.addWorkflow(triggerWorkflow('All events', { events, thresholds: '2' }));
		await desk.activate(known.id);
		// The durable engine does not keep what a quiet activation has found, so that its first tick is the beginning.
		await engine.polls(3);
		expect(await engine.seen(known.id)).toEqual([]);

		const sentence: unknown = expect.stringContaining(
			'The service did not accept the API key (HTTP 401)',
		);
		expect({ engine: engine.name, ...(await end) }).toMatchObject({
			...{ engine: engine.name, status: 'failed', triggers: [{ errorMessage: sentence }] },
		});
		await desk.deactivate(unable);
	});
});

it('keeps its state where the engine keeps it', async () => {
	await both(async (engine) => {
		const { id } = of(engine);
		const [stored] = engine.rows(`SELECT staticData FROM workflow_entity WHERE id = '${id}'`);
		const cursors = engine.rows(`SELECT cursor FROM poller_state WHERE workflowId = '${id}'`);
		const jobs = engine.rows('SELECT cronExpression FROM scheduled_job');
		expect(engine.log).not.toContain('durable poll cursors stay disabled');
		const state = expect.stringContaining('"poll":{"version":4') as string;
		expect({ engine: engine.name, ...stored, cursors, jobs: jobs.length }).toEqual(
			engine.name === 'classic'
				? { engine: 'classic', staticData: state, cursors: [], jobs: 0 }
				: {
						...{ engine: 'durable', staticData: null, cursors: [{ cursor: state }] },
						jobs: everyFiveSeconds.item.length,
					},
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
		const { id } = of(engine);
		await engine.kill();
		await change(engine, 'crashed');
		engine.breakDown();
		await engine.start();
		await engine.failures(id, 1);
		// n8n gives up a trigger that it has tried in vain to activate for 15 seconds; this one waits for the service.
		expect(await engine.desk.rest.published(id)).toMatchObject({ status: 'published' });
		engine.recover();
		await expectAll(engine);
	});
});

it('reports what has happened while the workflow was switched off', async () => {
	await both(async (engine) => {
		const { id } = of(engine);
		await engine.desk.deactivate(id);
		await change(engine, 'off');
		await engine.desk.activate(id);
		await expectAll(engine);
	});
});

it('loses nothing by an outage of the service, of which the classic engine tells once', async () => {
	await both(async (engine) => {
		const { id } = of(engine);
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
		expect([engine.name, ...errors]).toEqual([
			...[engine.name, ...(isDurable ? errors.map(() => sentence) : [sentence])],
		]);
	});
});
