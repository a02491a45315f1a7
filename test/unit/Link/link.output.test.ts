import { linkOutput, statusOf } from '../../../nodes/Link/link.output';

const now = Date.now();

const at = (milliseconds: number) => new Date(now + milliseconds).toISOString();

it.each<[link: Record<string, unknown>, status: string]>([
	[{}, 'active'],
	[{ disabled: 1 }, 'disabled'],
	[{ disabled: 1, ends_at: at(-60_000) }, 'disabled'],
	[{ ends_at: at(-60_000) }, 'expired'],
	[{ ends_at: at(60_000) }, 'active'],
	[{ ends_at: at(-60_000).replace('T', ' ').replace('Z', '') }, 'expired'],
	[{ ends_at: '2020-01-01T00:00:00+02:00' }, 'expired'],
	[{ ends_at: 'soon' }, 'active'],
	[{ ends_at: 5 }, 'active'],
	[{ clicks: 10, expiration_clicks: 10 }, 'expired'],
	[{ clicks: 9, expiration_clicks: 10 }, 'active'],
	[{ clicks: 9, expiration_clicks: 0 }, 'active'],
	[{ expiration_clicks: 1 }, 'active'],
])('knows the status of %j', (link, status) => {
	expect(statusOf({ disabled: 0, ...link })).toBe(status);
});

it.each([
	['Pacific/Kiritimati', 'expired'],
	['UTC', 'active'],
	['Pacific/Niue', 'active'],
	// The time zone of a workflow can be unknown to Node.js.
	['Mars/Base', 'active'],
])('reads an end without a zone in %s: %s', (timeZone, status) => {
	const clock = at(60 * 60_000).slice(0, 19);
	for (const ends_at of [clock, clock.replace('T', ' '), clock.slice(0, 16)]) {
		expect(statusOf({ disabled: 0, ends_at }, timeZone)).toBe(status);
	}
	expect(statusOf({ disabled: 0, ends_at: `${clock}Z` }, timeZone)).toBe('active');
});

it('gives each output field another name', () => {
	const names = linkOutput.map(({ name }) => name);
	expect(new Set(names).size).toBe(names.length);
});

it.each([
	['https://short.example/one', 'https://short.example/one'],
	['x', null],
	['javascript:alert(1)', null],
	['data:text/html,x', null],
	[3, null],
])('the short URL %j is %j', (shortUrl, expected) => {
	const field = linkOutput.find(({ name }) => name === 'shortUrl');
	expect(field?.from.read({ short_url: shortUrl })).toBe(expected);
});

it('shows rules also if they are JSON', () => {
	const field = linkOutput.find(({ name }) => name === 'countryRules');
	const rules = [{ key: 'DE', value: 'https://example.com/' }];
	expect(field?.from.read({ country_target: JSON.stringify(rules) })).toEqual(rules);
});
