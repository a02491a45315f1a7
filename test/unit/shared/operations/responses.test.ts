import { rowOf, runRows, type Answer } from '../../../support/operationRun.ts';
import { ServiceError } from '../../../../nodes/shared/transport/failures';
import type { OperationName } from '../../../../nodes/shared/contract/types';

const parametersOf = (linkId: string) => ({
	...{ url: 'https://example.com/', linkId, updateFields: { alias: 'a' } },
});

/**
 * Executes one operation on the link 7, or on the given one, against a service that gives one answer.
 *
 * @param later what it answers from the second request on
 */
async function executed(
	operation: OperationName,
	body: string,
	status = 200,
	linkId = ' 7 ',
	later: Answer = { status, body },
) {
	const row = rowOf(operation, parametersOf(linkId));
	const { results } = await runRows([row], (_, earlier) =>
		earlier > 0 ? later : { status, body },
	);
	const [result] = results;
	if (!result) throw new Error('There is no result');
	return result instanceof ServiceError ? result.failure : result.resources;
}

describe.each(['get', 'create', 'update'] as const)('the resource in a response to %s', (name) => {
	const link = { id: 7, alias: 'a', space: null, pixels: [{ id: 1 }] };
	const open = { outcome: undefined, mayBeDone: undefined };
	const expected = name === 'get' ? open : { outcome: 'unknown', mayBeDone: true };

	it.each([{ data: link, status: 200 }, { data: [link] }, [link], link])(
		'is found in %j',
		async (body) => {
			expect(await executed(name, ` ${JSON.stringify(body)}\n`, 201)).toEqual([link]);
		},
	);

	it.each([
		...['', 'null', '{"data":[]}', '[{},{}]', '"x"'],
		// A resource without an ID is no resource.
		...['{"data":[{}]}', '{"data":{"id":""}}'],
	])('is missing in %j', async (body) => {
		expect({ ...open, ...(await executed(name, body)) }).toMatchObject({
			message: 'The response of the service contains no resource',
			...{ cause: 'rejected', ...expected },
		});
	});

	it('is missing with the message of the service', async () => {
		expect(await executed(name, '{"message":" Try later. ","status":200}')).toMatchObject({
			message: 'The response of the service contains no resource',
			advice: expect.stringContaining('The service said: Try later.'),
		});
	});

	it('has an ID that JSON did not round', async () => {
		expect({ ...open, ...(await executed(name, '{"id":9007199254740994}')) }).toMatchObject({
			message: expect.stringContaining('IDs above'),
			...expected,
		});
	});
});

it('accepts an ID of any type from a read, but not from a create', async () => {
	expect(await executed('get', '{"id":true}')).toEqual([{ id: true }]);
	expect(await executed('create', '{"id":true}')).toMatchObject({ outcome: 'unknown' });
});

it.each([
	['5', '5', undefined],
	['5', 6, 'The service returned the link 6 instead of 5'],
	['2-promo', 2, 'No link has the ID 2-promo'],
])('reads the link %s from a response with the ID %p', async (linkId, id, message) => {
	const result = await executed('get', JSON.stringify({ id }), 200, linkId);
	if (message === undefined) expect(result).toEqual([{ id }]);
	else expect(result).toMatchObject({ message });
});

describe('a delete', () => {
	it.each([
		['{"id":7,"object":"link","deleted":true,"status":200}', 200],
		['{"id":"7","deleted":"1"}', 200],
		['', 204],
		['true', 200],
	])('is confirmed by %j with status %d', async (body, status) => {
		expect(await executed('delete', body, status)).toEqual([{ id: 7, deleted: true }]);
	});

	it.each(['b6f1-x', '007', '9007199254740993', '-0'])('returns the ID %s as text', async (id) => {
		expect(await executed('delete', '', 204, id)).toEqual([{ id, deleted: true }]);
		const body = JSON.stringify({ id, deleted: true });
		expect(await executed('delete', body, 200, id)).toEqual([{ id, deleted: true }]);
	});

	describe.each([
		'{"id":7,"deleted":false}',
		'{"data":{"id":7,"deleted":0}}',
		'{"id":7}',
		'null',
		'false',
		'Deleted link 7.',
	])('that is answered with %j', (body) => {
		it.each([
			['succeeds if the link no longer exists', 404, [{ id: 7, deleted: true }]],
			['fails if the link still exists', 200, { message: 'The service did not delete the link 7' }],
			['is unknown if the link cannot be read', 403, { statusCode: 403, outcome: 'unknown' }],
		])('%s', async (_, status, expected) => {
			const then = { status, body: { data: { id: 7 } } };
			expect(await executed('delete', body, 200, '7', then)).toMatchObject(expected);
		});
	});

	it('reads first what a database may read as another ID', async () => {
		const message = 'No link has the ID 2-promo';
		expect(await executed('delete', '{"id":2}', 200, '2-promo')).toMatchObject({ message });
	});

	it('is unknown if the service deleted another link', async () => {
		expect(await executed('delete', '{"id":8,"deleted":true}')).toMatchObject({
			message: 'The service reported that it deleted the link 8 instead of 7',
			outcome: 'unknown',
		});
	});
});

describe('a response with an error status in its body', () => {
	it.each([
		['{"status":401,"message":"Unauthenticated."}', 401],
		['{"status":"422","errors":{"alias":["Taken."]}}', 422],
		['{"status":400,"data":[]}', 400],
		['{"id":7,"status":422,"message":{"url":["Invalid."]}}', 422],
	])('%s fails an update with status %d', async (body, statusCode) => {
		expect(await executed('update', body)).toMatchObject({ statusCode, outcome: 'unknown' });
	});

	it.each([
		...[200, 399, 600, 404.5, 'error', '', null].map((status) => ({ data: { id: 7 }, status })),
		// A bare resource may have a status of its own.
		...[200, 404, '500', 'active'].map((status) => ({ id: 7, status })),
	])('is none in %j', async (body) => {
		const resource = 'data' in body ? body.data : body;
		expect(await executed('get', JSON.stringify(body))).toEqual([resource]);
	});
});
