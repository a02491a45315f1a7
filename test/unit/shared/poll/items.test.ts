import { linkTrigger } from '../../../../nodes/LinkTrigger/linkTrigger.events';
import { eventSchema, itemOf } from '../../../../nodes/shared/poll/items';

const parts = {
	service: 'abcd',
	occurrence: 'begun-3',
	output: ({ id, alias }: Record<string, unknown>) =>
		({ id, alias, event: 'of the service' }) as never,
};

it('begins an item with the event, which a field of the service does not replace', () => {
	const happening = {
		event: 'clicksReached',
		id: 7,
		resource: { id: 7, alias: 'spring' },
		told: { threshold: 100 },
	};
	const { json } = itemOf(happening, parts);
	expect(json).toEqual({
		event: 'clicksReached',
		eventId: 'clicksReached-abcd-7-begun-3',
		threshold: 100,
		id: 7,
		alias: 'spring',
	});
	expect(Object.keys(json)).toEqual(['event', 'eventId', 'threshold', 'id', 'alias']);
});

it.each([
	[undefined, 'created-abcd-7-begun-3'],
	['', 'created-abcd-7'],
	['100', 'created-abcd-7-100'],
])('makes the ID of an event from %p', (once, eventId) => {
	const happening = { event: 'created', id: 7, resource: { id: 7 }, once };
	expect(itemOf(happening, parts).json.eventId).toBe(eventId);
});

it('shows the ID of a link that is gone', () => {
	expect(itemOf({ event: 'deleted', id: 7, once: '' }, parts).json).toEqual({
		event: 'deleted',
		eventId: 'deleted-abcd-7',
		id: 7,
		deleted: true,
	});
});

it('describes the events and the fields of Simplified', () => {
	const { type, version, properties } = eventSchema(linkTrigger);
	expect([type, version]).toEqual(['object', 1]);
	expect(properties).toMatchObject({
		event: {
			type: 'string',
			enum: [
				...['clicksReached', 'created', 'deleted', 'disabled', 'enabled', 'expired', 'updated'],
			],
		},
		eventId: { type: 'string' },
	});
	const simple = linkTrigger.resource.output.filter(({ isSimple }) => isSimple);
	expect(Object.keys(properties)).toEqual(['event', 'eventId', ...simple.map(({ name }) => name)]);
	expect(simple.length).toBeGreaterThan(5);
});
