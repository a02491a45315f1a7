import { linkContract } from '../../../nodes/Link/link.contract';
import type { EventDefinition } from '../../../nodes/LinkTrigger/eventDefinition';
import { events } from '../../../nodes/LinkTrigger/events';
import { filters } from '../../../nodes/LinkTrigger/filters';
import { writtenFields } from '../../../nodes/LinkTrigger/detectors/updated';

function eventOf(name: string): EventDefinition {
	const event = events.find(({ value }) => value === name);
	if (event) return event;
	throw new Error(`There is no event ${name}`);
}

it('is sorted by label, and has each value once', () => {
	const names = events.map(({ name }) => name);
	expect(names).toEqual(names.toSorted());
	expect(new Set(events.map(({ value }) => value)).size).toBe(events.length);
});

it.each(events)('describes $name', ({ name, description, cost, promise, sample }) => {
	for (const text of [name, description, cost, promise, sample.advice])
		expect(text).toMatch(/\w{3}/);
});

it('gives each detector a name of its own', () => {
	const detectors = new Set(events.map(({ detector }) => detector));
	expect(new Set([...detectors].map(({ name }) => name)).size).toBe(detectors.size);
});

it('sorts the filters by their labels', () => {
	expect(filters.map(({ displayName }) => displayName)).toEqual([
		...['Alias Starts With', 'Domain', 'Pixel', 'Space'],
	]);
	for (const { description } of filters) expect(description).not.toContain('Items without');
});

it('compares an output field for each field that an update can write', () => {
	const written = linkContract.fields.filter(({ wire }) => wire.on.update);
	const names = writtenFields.map(({ name }) => name);
	for (const { name, wire } of written) expect(names).toContain(wire.shownAs ?? name);
	expect(names).toHaveLength(new Set(written.map(({ name, wire }) => wire.shownAs ?? name)).size);
	for (const name of ['id', 'title', 'clicks', 'updatedAt']) expect(names).not.toContain(name);
});

it.each<[clicks: unknown, thresholds: number[], isExample: boolean, threshold: number]>([
	[700, [100, 500, 1000], true, 500],
	[100, [100], true, 100],
	[99, [100, 200], false, 100],
	['150', [100], true, 100],
	[null, [100], false, 100],
])('shows for %p clicks the threshold of %j', (clicks, thresholds, isExample, threshold) => {
	const { sample } = eventOf('clicksReached');
	const settings = { thresholds, minNewClicks: 1 };
	expect(sample.isExample?.({ clicks }, settings)).toBe(isExample);
	expect(sample.extraOf?.({ clicks }, settings)).toEqual({ threshold });
});

it.each<[clicks: unknown, isExample: boolean, extra: object]>([
	[12, true, { clicks: 12, previousClicks: 9, newClicks: 3 }],
	[3, true, { clicks: 3, previousClicks: 0, newClicks: 3 }],
	['2', false, { clicks: 2, previousClicks: 0, newClicks: 2 }],
	[null, false, { clicks: 0, previousClicks: 0, newClicks: 0 }],
])('shows for %p clicks as many new ones as Min New Clicks', (clicks, isExample, extra) => {
	const { sample } = eventOf('clicked');
	const settings = { thresholds: [], minNewClicks: 3 };
	expect(sample.isExample?.({ clicks }, settings)).toBe(isExample);
	expect(sample.extraOf?.({ clicks }, settings)).toEqual(extra);
});

it('shows a change of the destination for an update', () => {
	const settings = { thresholds: [], minNewClicks: 1 };
	expect(eventOf('updated').sample.extraOf?.({ url: 'https://example.com/' }, settings)).toEqual({
		changes: { url: 'https://example.com/' },
	});
});
