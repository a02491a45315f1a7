import { linkTrigger } from '../../../nodes/LinkTrigger/linkTrigger.events';

it('has a watch for each event, and a name for each event of a watch', () => {
	const watched = linkTrigger.watches.flatMap(({ events }) => events);
	expect(watched.toSorted()).toEqual(linkTrigger.events.map(({ value }) => value).toSorted());
});

it('sorts the filters by their labels', () => {
	expect(linkTrigger.filters.map(({ displayName }) => displayName)).toEqual([
		...['Alias Starts With', 'Domain', 'Pixel', 'Space'],
	]);
	for (const { description } of linkTrigger.filters)
		expect(description).not.toContain('Rows without');
});

it.each<[clicks: unknown, thresholds: number[], extra: object | undefined]>([
	[700, [100, 500, 1000], { threshold: 500 }],
	[100, [100], { threshold: 100 }],
	[99, [100], undefined],
	['150', [100], { threshold: 100 }],
	[null, [100], undefined],
])('shows for %p clicks the threshold of %j', (clicks, thresholds, extra) => {
	const event = linkTrigger.events.find(({ value }) => value === 'clicksReached');
	expect(event?.sample.tell?.({ clicks }, thresholds)).toEqual(extra);
});

it('shows a change of the destination for an update', () => {
	const event = linkTrigger.events.find(({ value }) => value === 'updated');
	expect(event?.sample.tell?.({ url: 'https://example.com/' }, [])).toEqual({
		changes: { url: 'https://example.com/' },
	});
});
