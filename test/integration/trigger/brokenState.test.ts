import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { eventNames } from '../../support/eventNames.ts';
import { engines } from '../../support/pollingTrigger.ts';
import { eventsOf, shortly, useTriggers } from '../../support/triggers.ts';

const { trigger, begun, addLink, addLinks, change, remove, set } = useTriggers();

const past = '2020-01-01T00:00:00.000000Z';
const allEvents: INodeParameters = { events: eventNames, thresholds: '5, 50' };

/** Each place in some JSON, as the names that lead to it. */
const placesIn = (value: unknown, path: string[] = []): string[][] =>
	typeof value === 'object' && value !== null
		? Object.entries(value).flatMap(([name, inner]) => [
				[...path, name],
				...placesIn(inner, [...path, name]),
			])
		: [];

/** A copy of some JSON with another value in one place; undefined takes it out. */
function withValue(data: IDataObject, path: string[], value: unknown): IDataObject {
	const copy = structuredClone(data);
	let at = copy;
	for (const name of path.slice(0, -1)) at = at[name] as IDataObject;
	const last = path.at(-1) ?? '';
	if (value === undefined) Reflect.deleteProperty(at, last);
	else at[last] = value as IDataObject;
	return copy;
}

/** What can stand in the place of anything. */
const absurd = [undefined, null, true, -1, 0, 1.5, 1e9, 2 ** 53 - 1, '', '!', '?????', [], {}];

/** What can stand in the place of a text as well. */
const absurdTexts = ['A', 'B_____H', '_'.repeat(12), 'x'.repeat(20_000)];

describe('a state that is broken', () => {
	/** Links with some of each kind, and the data of a trigger that has polled them, broken in each place in each way. */
	const brokenOnes = async (parameters: INodeParameters, within: string) => {
		const ids = addLinks(12);
		change(ids.slice(0, 2), { disabled: 1 });
		change(ids.slice(2, 4), { ends_at: past });
		change(ids.slice(4, 6), { clicks: 7 });
		const data = await (await begun(parameters, {}, 2)).data();
		const places = placesIn(data).filter((place) => `${place.join('.')}.`.startsWith(within));
		return places.flatMap((place) => {
			const now = place.reduce((at, name) => at[name] as IDataObject, data);
			const values = typeof now === 'string' ? [...absurd, ...absurdTexts] : absurd;
			return values.map((value) => ({
				told: `${place.join('.')} = ${JSON.stringify(value)?.slice(0, 30)}`,
				broken: withValue(data, place, value),
			}));
		});
	};

	// The state outside `parts` is the same for all events.
	it.each([
		['Created', { events: ['created'] }, 'poll.'],
		['Clicks Reached', { events: ['clicksReached'], thresholds: '5' }, 'poll.parts.'],
		['Clicked', { events: ['clicked'] }, 'poll.parts.'],
		['Deleted', { events: ['deleted'] }, 'poll.parts.'],
		['Expired', { events: ['expired'] }, 'poll.parts.'],
		['Updated', { events: ['updated'] }, 'poll.'],
	] as [string, INodeParameters, string][])(
		'anywhere makes no poll of %s fail, and the event is soon found again',
		async (_, parameters, within) => {
			const wrong: unknown[] = [];
			const note = (told: string, what: unknown) => wrong.push([told, what]);
			for (const { told, broken } of await brokenOnes(parameters, within)) {
				const node = trigger(parameters, { data: broken });
				const poll = async () => {
					const { events, error } = await node.poll();
					if (error) note(told, error.message);
					return shortly(events);
				};
				await poll();
				await poll();
				const id = addLink();
				const events = await poll();
				change(id, { clicks: 9, alias: `renamed-${id}`, ends_at: past });
				events.push(...(await poll()));
				remove(id);
				events.push(...(await poll()));
				const found = events.filter((text) => text.split(' ')[1] === String(id));
				if (found.length !== 1) note(told, found);
			}
			expect(wrong).toEqual([]);
		},
	);

	it.each([
		['another version', { poll: { version: 2, startId: 'x', round: 0, detectors: {} } }],
		['no version', { poll: { startId: 'x', round: 0, detectors: {} } }],
		['a text', { poll: '{"version":3}' }],
		['a list', { poll: [1, 2] }],
		['what another node keeps', { lastTimeChecked: '2026-01-01', poll: { cursor: 'abc' } }],
	] as [string, IDataObject][])('of %s starts over', async (_, data) => {
		addLinks(3);
		const node = trigger(allEvents, { data });
		expect(eventsOf(await node.activate())).toEqual([]);
		expect(eventsOf(await node.poll())).toEqual([]);
		addLink();
		expect(eventsOf(await node.poll())).toEqual(['created 4']);
	});

	it.each(engines)(
		'leaves other keys of the static data alone, in the %s engine',
		async (engine) => {
			const other = { lastTimeChecked: '2026-01-01', nested: { list: [1, { two: 2 }] } };
			const node = await begun({ events: ['created'] }, { engine, data: other });
			addLink();
			expect(eventsOf(await node.poll())).toEqual(['created 1']);
			expect(node.stored).toMatchObject(other);
			set({ faults: [{ effect: { kind: 'status', status: 404 } }] });
			expect((await node.poll()).error).toBeDefined();
			expect(await node.data()).toMatchObject(other);
		},
	);
});
