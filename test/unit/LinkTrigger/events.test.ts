import { linkContract } from '../../../nodes/Link/link.contract';
import { events } from '../../../nodes/LinkTrigger/events';
import { filters } from '../../../nodes/LinkTrigger/filters';
import { writtenFields } from '../../../nodes/LinkTrigger/detectors/updated';

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

it.each<[clicks: unknown, thresholds: number[], extra: object | undefined]>([
	[700, [100, 500, 1000], { threshold: 500 }],
	[100, [100], { threshold: 100 }],
	[99, [100], undefined],
	['150', [100], { threshold: 100 }],
	[null, [100], undefined],
])('shows for %p clicks the threshold of %j', (clicks, thresholds, extra) => {
	const event = events.find(({ value }) => value === 'clicksReached');
	expect(event?.sample.extraOf?.({ clicks }, thresholds)).toEqual(extra);
});

it('shows a change of the destination for an update', () => {
	const event = events.find(({ value }) => value === 'updated');
	expect(event?.sample.extraOf?.({ url: 'https://example.com/' }, [])).toEqual({
		changes: { url: 'https://example.com/' },
	});
});
