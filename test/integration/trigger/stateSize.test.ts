import type { INodeParameters } from 'n8n-workflow';
import { eventExamples } from '../../support/eventExamples.ts';
import { eventNames } from '../../support/eventNames.ts';
import { eventsOf, useTriggers } from '../../support/triggers.ts';

const { trigger, begun, addLinks, change, remove } = useTriggers();

const past = '2020-01-01T00:00:00.000000Z';
const allEvents: INodeParameters = { events: eventNames, thresholds: '5, 50' };

describe('the size of the state', () => {
	const sizeOf = async (parameters: INodeParameters, polls = 30) => {
		const node = trigger(parameters);
		await node.activate();
		for (let count = 0; count < polls; count += 1) eventsOf(await node.poll());
		return JSON.stringify(await node.data()).length;
	};

	it('is under 20 kB with 2,000 that are past a threshold, expired, and disabled', async () => {
		const ids = addLinks(6000);
		const every = (step: number, from = 0) => ids.filter((id) => id % 3 === from && id % step >= 0);
		change(every(3), { disabled: 1 });
		change(every(3, 1), { ends_at: past });
		change(every(3, 2), { clicks: 70 });
		const events = eventNames.filter((event) => !eventExamples[event].hasLargeState);
		expect(await sizeOf({ events, thresholds: '5, 50' })).toBeLessThan(20_000);
	});

	it.each([7_000, 10_000])('is under 500 kB with all events of %i links', async (count) => {
		addLinks(count);
		expect(await sizeOf(allEvents, 8)).toBeLessThan(500_000);
	});

	it('does not grow while links come and go', async () => {
		const node = await begun(allEvents, {}, 1);
		const sizes: number[] = [];
		for (let round = 0; round < 12; round += 1) {
			const ids = addLinks(150, { clicks: 60, disabled: 1, ends_at: past });
			await node.pollAll();
			remove(...ids);
			await node.pollAll();
			await node.pollAll();
			sizes.push(JSON.stringify(await node.data()).length);
		}
		expect(Math.max(...sizes.slice(6))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 6)) + 40);
	});
});
