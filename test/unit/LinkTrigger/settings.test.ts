import { NodeOperationError } from 'n8n-workflow';
import { events } from '../../../nodes/LinkTrigger/events';
import {
	eventsProperty,
	filtersProperty,
	startFromProperty,
} from '../../../nodes/LinkTrigger/properties';
import { fitsFilters, fixedFilters, readSettings } from '../../../nodes/LinkTrigger/settings';
import { eventNames } from '../../support/eventNames.ts';
import { byId, accountWith, plainLink, pollContext } from '../../support/pollReading.ts';

const read = (parameters = {}) =>
	readSettings(
		pollContext(accountWith([]), { parameters: { events: ['created'], ...parameters } }).context,
		events,
		'UTC',
	);

/** The message and the remedy of the error. */
function errorOf(parameters: object): [string, string | null | undefined] {
	try {
		read(parameters);
	} catch (error) {
		if (error instanceof NodeOperationError) return [error.message, error.description];
	}
	throw new Error('No setting was refused');
}

it('offers the events by name, each with its cost', () => {
	const { name, type, required, options, ...rest } = eventsProperty(events);
	expect({ name, type, required }).toEqual({
		name: 'events',
		type: 'multiOptions',
		required: true,
	});
	expect(rest.default).toEqual(['created']);
	expect(options?.map((option) => option.name)).toEqual(events.map((event) => event.name));
	expect(options).toContainEqual({
		name: 'Link Created',
		value: 'created',
		description: 'A link was created. Uses 1 API request per poll.',
	});
});

it('offers the filters of the list', () => {
	const { name, type, options } = filtersProperty;
	expect({ name, type }).toEqual({ name: 'filters', type: 'collection' });
	expect(options?.map((option) => option.name)).toEqual([
		...['aliasStartsWith', 'domainId', 'pixelId', 'spaceId'],
	]);
	expect(options?.some((option) => 'scope' in option)).toBe(false);
});

it('offers where to start', () => {
	const { name, options, ...rest } = startFromProperty;
	expect(name).toBe('startFrom');
	expect(rest.default).toBe('now');
	expect(rest.description).toMatch(/^Which events the first polls report/);
	expect(options).toEqual([
		{
			name: 'All',
			value: 'all',
			description: 'Also report events from before the first poll',
		},
		{ name: 'Now', value: 'now', description: 'Report only events from now on' },
	]);
});

it.each<[events: unknown, names: string[]]>([
	[['created'], ['created']],
	[
		['deleted', 'created', 'deleted'],
		['created', 'deleted'],
	],
	['created, deleted', ['created', 'deleted']],
	['created', ['created']],
	[
		['Link Created', ' updated '],
		['created', 'updated'],
	],
	[['created', ''], ['created']],
])('reads the events %j', (selected, names) => {
	expect([...read({ events: selected }).events]).toEqual(names);
});

const names = eventNames.join(', ');

it.each<[events: unknown, message: string]>([
	[['opened'], `Events has no "opened"; use ${names}`],
	[['created', ' opened '], `Events has no "opened"; use ${names}`],
	[[5], `Events has no 5; use ${names}`],
	[[], 'Events is empty; choose at least one'],
	[[''], 'Events is empty; choose at least one'],
	['', 'Events is empty; choose at least one'],
])('refuses the events %j', (events, message) => {
	expect(errorOf({ events })).toEqual([message, 'No request was sent.']);
});

it.each<[thresholds: unknown, numbers: number[]]>([
	['100', [100]],
	['1000, 100', [100, 1000]],
	[' 100 ; 100', [100]],
	[
		[1000, '100'],
		[100, 1000],
	],
	[1, [1]],
])('reads the thresholds %j', (thresholds, numbers) => {
	expect(read({ events: ['clicksReached'], thresholds }).thresholds).toEqual(numbers);
});

it.each<[thresholds: unknown, message: string]>([
	['', 'Thresholds is empty; enter at least one number'],
	[[], 'Thresholds is empty; enter at least one number'],
	['0', 'Thresholds "0" is not a whole number of at least 1; enter thresholds as 100, 1000'],
	['100, -5', 'Thresholds "-5" is not a whole number of at least 1; enter thresholds as 100, 1000'],
	['0x10', 'Thresholds "0x10" is not a whole number of at least 1; enter thresholds as 100, 1000'],
	[[[100]], 'Thresholds [100] is not a whole number of at least 1; enter thresholds as 100, 1000'],
])('refuses the thresholds %j', (thresholds, message) => {
	expect(errorOf({ events: ['clicksReached'], thresholds })[0]).toBe(message);
});

it('reads no thresholds for another event', () => {
	expect(read({ thresholds: 'none' }).thresholds).toEqual([]);
});

it.each<[startFrom: unknown, startsFromAll: boolean]>([
	['all', true],
	['All', true],
	['now', false],
	[undefined, false],
])('reads Start From %j', (startFrom, startsFromAll) => {
	expect(read({ startFrom }).startsFromAll).toBe(startsFromAll);
});

it.each<[startFrom: unknown, message: string]>([
	['yesterday', 'Start From "yesterday" does not exist; choose from the list'],
	[['all'], 'Start From ["all"] does not exist; choose from the list'],
])('refuses Start From %j', (startFrom, message) => {
	expect(errorOf({ startFrom })[0]).toBe(message);
});

it('reads the filters in their order, and which no update can change', () => {
	const filters = { domainId: byId(1), aliasStartsWith: 'spring-', spaceId: byId('2') };
	const { filters: scope } = read({ filters });
	expect(scope.map(({ property, text }) => `${property.name} ${text}`)).toEqual([
		...['aliasStartsWith spring-', 'domainId 1', 'spaceId 2'],
	]);
	expect(fixedFilters(scope).map(({ property }) => property.name)).toEqual(['domainId']);
});

it('reads no filters of anything but an object', () => {
	expect(read({ filters: 'domain 1' }).filters).toEqual([]);
});

it.each<[filters: object, message: string]>([
	[
		{ domainId: byId('short.example') },
		'Domain "short.example" is not an ID; choose the domain from the list',
	],
	[{ spaceId: byId('') }, 'Space is part of the filters and empty; fill it in, or remove it'],
])('refuses the filters %j', (filters, message) => {
	expect(errorOf({ filters })[0]).toBe(message);
});

it('takes a UUID for an ID', () => {
	const uuid = '8b1c0d5e-4d5f-4a55-9a3c-0d5b0a9f1e11';
	expect(read({ filters: { spaceId: byId(uuid) } }).filters).toMatchObject([{ text: uuid }]);
});

it.each<[link: object, fits: boolean | undefined]>([
	[{ alias: 'spring-1', domain: { id: 1 } }, true],
	[{ alias: 'x-spring', domain: { id: 1 } }, false],
	[{ alias: 'spring-1', domain: { id: 2 } }, false],
	[{ alias: 'spring-1' }, undefined],
])('judges whether %j fits the filters', (link, fits) => {
	const { filters } = read({ filters: { domainId: byId(1), aliasStartsWith: 'spring-' } });
	expect(fitsFilters(filters, { ...plainLink, id: 5, ...{ domain: undefined }, ...link })).toBe(
		fits,
	);
});

it('makes the output that is set', () => {
	const { output } = read({ output: 'raw' });
	expect(output({ id: 5, any: 1 })).toEqual({ id: 5, any: 1 });
	expect(read().output({ id: 5, any: 1 })).toMatchObject({ id: 5, alias: null });
});

describe('Links to Watch', () => {
	const chosen = (...links: unknown[]) => ({
		events: ['clicked'],
		linksToWatch: { links: links.map((link) => ({ link })) },
	});
	const locator = (mode: string, value: unknown) => ({ __rl: true, mode, value });

	it.each<[what: string, parameters: object, texts: string[]]>([
		['no links', chosen(), []],
		[
			'IDs and short URLs',
			chosen(locator('list', 7), locator('id', ' 8 '), locator('url', 'go.example/a')),
			['7', '8', 'go.example/a'],
		],
		[
			'a list of an expression',
			chosen(locator('id', [7, 'https://go.example/a'])),
			['7', 'https://go.example/a'],
		],
		['a text of an expression', chosen(locator('id', '7, 8')), ['7', '8']],
		[
			'the same link twice',
			chosen(7, '7', 'https://go.example/a', 'HTTP://GO.example/a/'),
			['7', 'HTTP://GO.example/a/'],
		],
		['empty entries', chosen(locator('list', ''), 7), ['7']],
	])('reads %s', (_what, parameters, texts) => {
		expect(read(parameters).chosenLinks.map(({ text }) => text)).toEqual(texts);
	});

	it.each<[what: string, parameters: object, message: string]>([
		[
			'a name',
			chosen('spring'),
			'Links to Watch "spring" is not the ID or the short URL of a link; choose the link from the list',
		],
		[
			'more than 50 links',
			chosen(Array.from({ length: 51 }, (_, index) => index)),
			'Links to Watch has 51 links, but at most 50 are possible; remove some, or remove all of them to report the clicks of all links that match Filters',
		],
	])('refuses %s', (_what, parameters, message) => {
		expect(errorOf(parameters)[0]).toBe(message);
	});

	it('reads neither the links nor Min New Clicks for another event', () => {
		const { events, ...others } = chosen('spring');
		expect(read({ ...others, minNewClicks: -1 })).toMatchObject({
			chosenLinks: [],
			minNewClicks: 1,
		});
		expect(events).toEqual(['clicked']);
	});
});

it.each<[minNewClicks: unknown, number: number]>([
	[undefined, 1],
	['', 1],
	[5, 5],
	['10', 10],
])('reads Min New Clicks %j', (minNewClicks, number) => {
	expect(read({ events: ['clicked'], minNewClicks }).minNewClicks).toBe(number);
});

it.each([0, -1, 1.5, 'many'])('refuses Min New Clicks %j', (minNewClicks) => {
	expect(errorOf({ events: ['clicked'], minNewClicks })[0]).toMatch(
		/^Min New Clicks .* is not a whole number of at least 1$/,
	);
});
