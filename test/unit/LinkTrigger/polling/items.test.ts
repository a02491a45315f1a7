import { events } from '../../../../nodes/LinkTrigger/events';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { fingerprint } from '../../../../nodes/LinkTrigger/polling/fingerprint';
import { eventSchema, itemOf } from '../../../../nodes/LinkTrigger/polling/items';

const service = fingerprint('https://links.example/api/v1', 4);

const parts = {
	root: 'https://links.example/api/v1',
	occurrence: 'begun-3',
	output: ({ id, alias }: Record<string, unknown>) =>
		({ id, alias, event: 'of the service' }) as never,
};

it('begins an item with the event, which a field of the service does not replace', () => {
	const event = {
		event: 'clicksReached',
		id: 7,
		link: { id: 7, alias: 'spring' },
		extra: { threshold: 100 },
	};
	const { json } = itemOf(event, parts);
	expect(json).toEqual({
		event: 'clicksReached',
		eventId: `clicksReached-${service}-7-begun-3`,
		threshold: 100,
		id: 7,
		alias: 'spring',
	});
	expect(Object.keys(json)).toEqual(['event', 'eventId', 'threshold', 'id', 'alias']);
});

it.each([
	[undefined, `created-${service}-7-begun-3`],
	['', `created-${service}-7`],
	['100', `created-${service}-7-100`],
])('makes the ID of an event from %p', (once, eventId) => {
	const event = { event: 'created', id: 7, link: { id: 7 }, once };
	expect(itemOf(event, parts).json.eventId).toBe(eventId);
});

it('shows the ID of a link that is gone', () => {
	expect(itemOf({ event: 'deleted', id: 7, once: '' }, parts).json).toEqual({
		event: 'deleted',
		eventId: `deleted-${service}-7`,
		id: 7,
		deleted: true,
	});
});

it('describes the events and the fields of Simplified', () => {
	const { type, version, properties } = eventSchema(events);
	expect([type, version]).toEqual(['object', 1]);
	expect(properties).toMatchObject({
		event: {
			type: 'string',
			enum: events.map(({ value }) => value),
		},
		eventId: { type: 'string' },
	});
	const simple = linkContract.output.filter(({ isSimple }) => isSimple);
	expect(Object.keys(properties)).toEqual(['event', 'eventId', ...simple.map(({ name }) => name)]);
	expect(simple.length).toBeGreaterThan(5);
});
