import type { IDataObject } from 'n8n-workflow';
import { apiRequest } from '../../../../nodes/shared/contract/endpoints';
import { linkContract } from '../../../../nodes/Link/link.contract';
import {
	idIn,
	keyTextOf,
	nameOf,
	recordIn,
	requestResource,
} from '../../../../nodes/shared/operations/resource';
import { clientFor, rowOf } from '../../../support/operationRun.ts';

it.each<[body: unknown, record: unknown]>([
	[{ data: { id: 1 } }, { id: 1 }],
	[{ id: 1 }, { id: 1 }],
	[[{ id: 1 }], { id: 1 }],
	[{ data: [{ id: 1 }] }, { id: 1 }],
	[{ data: [] }, undefined],
	[[], undefined],
	[[{ id: 1 }, { id: 2 }], undefined],
	[{ data: null }, undefined],
	[null, undefined],
	['text', undefined],
	['t', undefined],
	[{ data: 'x' }, undefined],
])('finds the record in %j', (body, record) => {
	expect(recordIn(body)).toEqual(record);
});

it.each<[id: unknown, text: string | undefined]>([
	[7, '7'],
	['7', '7'],
	['b6f1', 'b6f1'],
	[0, '0'],
	['', undefined],
	[null, undefined],
	[undefined, undefined],
	[true, undefined],
	[{}, undefined],
	[2 ** 53 + 2, undefined],
	['\ud800', undefined],
])('reads the ID %p', (id, text) => {
	expect(idIn({ id } as IDataObject)).toBe(text);
});

it('reads no ID of no resource', () => {
	expect(idIn(undefined)).toBeUndefined();
});

it.each<[resource: IDataObject, text: string, name: string]>([
	[{ id: 12, alias: 'spring-7' }, 'spring-7', 'spring-7 (ID 12)'],
	[{ alias: 5 }, '5', '5 (ID unknown)'],
	[{ id: 12 }, '', 'ID 12'],
	[{ id: 12, alias: { text: 'a' } }, '', 'ID 12'],
])('names %j', (resource, text, name) => {
	const row = rowOf('get', { linkId: '1' });
	expect(keyTextOf(row, resource)).toBe(text);
	expect(nameOf(row, resource)).toBe(name);
});

describe('a request that is answered with one resource', () => {
	const request = async (endpoint: 'create' | 'get', body: unknown) => {
		const { requests } = clientFor(() => ({ body }));
		const own = requests();
		return await requestResource(own, apiRequest(linkContract, endpoint, [], '7')).finally(() =>
			own.end(),
		);
	};

	it.each(['create', 'get'] as const)('returns it: %s', async (endpoint) => {
		expect(await request(endpoint, { data: { id: 7 } })).toEqual({ id: 7 });
	});

	it.each<[endpoint: 'create' | 'get', id: unknown, outcome: string]>([
		['get', 2 ** 53 + 2, 'failed'],
		['create', 2 ** 53 + 2, 'unknown'],
	])('refuses a rounded ID: %s', async (endpoint, id, outcome) => {
		await expect(request(endpoint, { id })).rejects.toMatchObject({
			failure: { message: expect.stringContaining('IDs above'), outcome },
		});
	});

	it('takes an ID of any type for one that was read, but not for one that was made', async () => {
		expect(await request('get', { id: true })).toEqual({ id: true });
		await expect(request('create', { id: true })).rejects.toMatchObject({
			failure: { outcome: 'unknown', cause: 'rejected' },
		});
	});
});
