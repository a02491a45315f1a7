import {
	Generation,
	isOfLaterGeneration,
	mayLoseValues,
	resourcesShown,
} from '../../../../nodes/shared/transport/generation';
import type { Method } from '../../../../nodes/shared/contract/endpoints';

const later = { id: 1, targets_type: null };
const supported = { id: 1, target_type: 0 };
const read = { method: 'GET', path: '/links' } as const;

it.each<[shown: number, body: unknown, path?: string, method?: Method]>([
	[1, { data: later, status: 200 }],
	[1, { data: [later] }, '/links/1'],
	[1, later, '/links/1', 'PUT'],
	[2, [later, supported]],
	[1, { data: [null, 'text', { name: 'no ID' }, later] }],
	[1, { data: { targets_type: 'country' } }, '/links', 'POST'],
	[0, { data: [] }],
	[0, { message: { url: ['No.'] } }],
	[0, null],
	[0, undefined],
	[0, { data: [later] }, '/pixels'],
	[0, { data: [later] }, '/linksets'],
	[0, { id: 1, object: 'link', deleted: true }, '/links/1', 'DELETE'],
])('shows %i resources in %j', (shown, body, path = '/links', method = 'GET') => {
	expect(resourcesShown({ method, path }, body)).toHaveLength(shown);
});

it.each([
	[true, later],
	[true, { targets_type: 'country' }],
	[false, supported],
	[false, { ...supported, ...later }],
	[false, { id: 1 }],
])('a service of a later version: %s for %j', (expected, resource) => {
	expect(isOfLaterGeneration(resource)).toBe(expected);
});

it.each<[expected: boolean, method: Method, path: string]>([
	[true, 'POST', '/links'],
	[true, 'PUT', '/links/1'],
	[false, 'DELETE', '/links/1'],
	[false, 'GET', '/links'],
	[false, 'POST', '/pixels'],
])('a write may lose values: %s for %s %s', (expected, method, path) => {
	expect(mayLoseValues({ method, path })).toBe(expected);
});

it('refuses requests only after a resource of a later version, also after a supported one', () => {
	const generation = new Generation();
	const exchange = { body: { data: [supported] } };
	expect(generation.check(read, { body: { data: [] } })).not.toHaveProperty('failure');
	expect(generation.isKnown).toBe(false);
	expect(generation.check(read, exchange)).toBe(exchange);
	expect(generation.isKnown).toBe(true);
	expect(generation.refusal(read, 'failed')).toBeUndefined();
	const write = { method: 'PUT', path: '/links/1' } as const;
	expect(generation.check(write, { body: later })).toMatchObject({
		failure: { cause: 'unsupported', outcome: 'unknown', written: later },
	});
	expect(generation.refusal(write, 'failed')?.advice).toMatch(/^Nothing was sent\. /);
	expect(generation.refusal(write, 'unknown')?.advice).toMatch(/may have processed the request/);
});
