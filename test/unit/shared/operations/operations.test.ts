import { linkContract } from '../../../../nodes/Link/link.contract';
import type { Service } from '../../../../nodes/shared/transport/exchange';
import { encodeOptions } from '../../../support/encodeOptions.ts';
import { executeOn } from '../../../support/client.ts';
import { singleRequests } from '../../../support/operationNames.ts';
import { ServiceError } from '../../../../nodes/shared/transport/failures';
import { encodeRow } from '../../../../nodes/shared/contract/encodeRow';
import type { OperationName } from '../../../../nodes/shared/contract/types';

/** Executes one operation on the link 7, or on the one given, against a service that gives one answer. */
async function executed(operation: OperationName, body: string, status = 200, linkId = ' 7 ') {
	const parameters = {
		url: 'https://example.com/',
		linkId,
		updateFields: { alias: 'a' },
	};
	const row = encodeRow({ contract: linkContract, operation, options: encodeOptions }, parameters);
	if (!('contract' in row)) throw new Error(JSON.stringify(row));
	const answer = { status, headers: {}, body };
	const service: Service = {
		root: 'https://links.example/api/v1',
		send: async () => await Promise.resolve(answer),
	};
	return await executeOn(service, row);
}

const failureOf = async (...given: Parameters<typeof executed>): Promise<unknown> =>
	await executed(...given).then(
		(found) => new Error(`It found ${JSON.stringify(found)}`),
		(error: unknown) => error,
	);

describe.each(['get', 'create', 'update'] as const)('the resource that %s yields', (name) => {
	const link = { id: 7, alias: 'a', space: null, pixels: [{ id: 1 }] };

	it.each([
		['in `data`', { data: link, status: 200 }],
		['bare', link],
		['alone in a list in `data`', { data: [link], status: 200 }],
		['alone in a bare list', [link]],
	])('is found %s', async (_where, body) => {
		expect(await executed(name, JSON.stringify(body))).toEqual([link]);
		expect(await executed(name, ` ${JSON.stringify(body)}\n`, 201)).toEqual([link]);
	});

	it.each([
		...['', 'null', '{"data":null}', '{"data":[]}', '[]', '[{},{}]', '5', '"x"', 'true'],
		// What has no ID is no resource.
		...['{}', '{"alias":"a"}', '{"data":{"alias":"a"}}', '{"data":[{}]}', '[{"alias":"a"}]'],
		...['{"id":null}', '{"data":{"id":""}}'],
	])('is missed in %j', async (body) => {
		const error = await failureOf(name, body);
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject({
			message: 'The response of the service contains no resource',
			failure: { cause: 'rejected', outcome: name === 'get' ? 'failed' : 'unknown' },
		});
	});

	it('is missed with what the service said instead', async () => {
		expect(await failureOf(name, '{"message":" Try later. ","status":200}')).toMatchObject({
			message: 'The response of the service contains no resource',
			failure: { advice: expect.stringContaining(' The service said: Try later.') },
		});
	});

	it.each([
		['<!doctype html><title>Login</title>', 'a web page instead of data (HTTP 200)'],
		['\n <html>', 'a web page instead of data (HTTP 200)'],
		['{"data":{"id":7', 'incomplete or not valid JSON (HTTP 200)'],
		['OK', 'incomplete or not valid JSON (HTTP 200)'],
	])('is not looked for in %j', async (body, sentence) => {
		const error = await failureOf(name, body);
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toHaveProperty(
			'failure',
			expect.objectContaining({ message: expect.stringContaining(sentence), statusCode: 200 }),
		);
	});
});

describe('the confirmation of a delete', () => {
	it.each([
		['{"id":7,"object":"link","deleted":true,"status":200}', 200, 7],
		['{"data":{"id":7,"deleted":true}}', 200, 7],
		['{"id":"7","deleted":"1"}', 200, 7],
		['{"status":200}', 200, 7],
		['{"data":null}', 200, 7],
		['{"data":[]}', 200, 7],
		['[]', 200, 7],
		['', 204, 7],
		['true', 200, 7],
		['OK', 200, 7],
		['Deleted link 7.\n', 202, 7],
	])('from %j with status %d holds the id and nothing else', async (body, status, id) => {
		expect(await executed('delete', body, status)).toEqual([{ id, deleted: true }]);
	});

	it.each(['b6f1-x', '007', '9007199254740993', '-0'])(
		'keeps the id %s as text, because a number would be another one',
		async (id) => {
			expect(await executed('delete', '', 204, id)).toEqual([{ id, deleted: true }]);
			const body = JSON.stringify({ id, deleted: true });
			expect(await executed('delete', body, 200, id)).toEqual([{ id, deleted: true }]);
		},
	);

	it.each([
		'{"id":7,"object":"link","deleted":false}',
		'{"data":{"id":7,"deleted":0}}',
		'{"deleted":"false"}',
	])('is none in %j, which says that nothing was deleted', async (body) => {
		const error = await failureOf('delete', body);
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject({
			message: 'The service did not delete the link 7',
			failure: { cause: 'rejected' },
		});
	});

	it.each([
		['<!doctype html><title>Login</title>', 'a web page instead of data (HTTP 200)', 'unknown'],
		['{"id":7,"del', 'incomplete or not valid JSON (HTTP 200)', 'unknown'],
	])('is none in %j', async (body, sentence, outcome) => {
		const error = await failureOf('delete', body);
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toHaveProperty(
			'failure',
			expect.objectContaining({ message: expect.stringContaining(sentence), outcome }),
		);
	});

	it('is none where the status is none', async () => {
		for (const status of [199, 301, 302, 404, 422, 500]) {
			const error = await failureOf('delete', '{"id":7,"deleted":true}', status);
			expect(error).toBeInstanceOf(ServiceError);
			expect(error).toHaveProperty('failure.statusCode', status);
		}
	});
});

describe('a 2xx answer whose body names an error status', () => {
	it.each([
		['{"status":401,"message":"Unauthenticated."}', 401],
		['{"status":404}', 404],
		['{"status":"422","errors":{"alias":["Taken."]}}', 422],
		['{"status":500}', 500],
		['{"status":599}', 599],
		['{"status":422,"data":null}', 422],
		['{"status":400,"data":[]}', 400],
	])('%s fails every operation with status %d', async (body, statusCode) => {
		for (const name of singleRequests) {
			const error = await failureOf(name, body);
			expect(error).toBeInstanceOf(ServiceError);
			expect(error).toMatchObject({
				// Of an ID that is not there, the ID is named.
				message: expect.stringMatching(
					statusCode === 404 ? /\(HTTP 404\)$|^No \w+ has the ID 7$/ : `\\(HTTP ${statusCode}\\)`,
				),
				failure: { statusCode },
			});
		}
	});

	it('hands on the errors of its fields', async () => {
		expect(await failureOf('update', '{"status":422,"errors":{"alias":["Taken."]}}')).toMatchObject(
			{ failure: { statusCode: 422, fieldErrors: { alias: ['Taken.'] }, outcome: 'unknown' } },
		);
	});

	it.each([
		...[200, 399, 600, 404.5, 'error', '', null].map((status) => ({ data: { id: 7 }, status })),
		// A bare resource may have a status of its own.
		...[200, 404, '500', 'active'].map((status) => ({ id: 7, status })),
	])('is none in %j', async (body) => {
		const resource = 'data' in body ? body.data : body;
		expect(await executed('get', JSON.stringify(body))).toEqual([resource]);
	});

	/** A create that is answered with an error in the body, and then looked up in a list. */
	async function createdWith(status: number, links: object[]) {
		const parameters = { url: 'https://example.com/', alias: 'a' };
		const row = encodeRow(
			{ contract: linkContract, operation: 'create', options: encodeOptions },
			parameters,
		);
		if (!('contract' in row)) throw new Error(JSON.stringify(row));
		const requests: string[] = [];
		const service: Service = {
			root: 'https://links.example/api/v1',
			send: async ({ method, url }) => {
				requests.push(`${method} ${new URL(url).search}`);
				const body = JSON.stringify(method === 'POST' ? { status } : links);
				return await Promise.resolve({ status: 200, headers: {}, body });
			},
		};
		const outcome = await executeOn(service, row).catch((error: unknown) => error);
		return { outcome, requests };
	}

	const lookUp = ['POST ', 'GET ?search=a&search_by=alias&per_page=100&page=1'];
	const own = { id: 7, alias: 'a', url: 'https://example.com/' };

	it.each([400, 422, 500])(
		'of %d: a create is looked up, and taken if it is there',
		async (status) => {
			const { outcome, requests } = await createdWith(status, [own]);
			expect(outcome).toEqual([own]);
			expect(requests).toEqual(lookUp);
		},
	);

	it.each([400, 422])('of %d: a create that is not there has failed', async (status) => {
		const { outcome, requests } = await createdWith(status, []);
		expect(outcome).toBeInstanceOf(ServiceError);
		expect(outcome).toMatchObject({
			failure: {
				advice: expect.stringMatching(/^The node searched for it\. Nothing was created\./),
				outcome: 'failed',
				statusCode: status,
			},
		});
		expect(requests).toEqual(lookUp);
	});

	it('of 422: a create is in doubt where another link has the alias', async () => {
		const { outcome, requests } = await createdWith(422, [{ ...own, url: 'https://e.com/' }]);
		expect(outcome).toMatchObject({ failure: { outcome: 'unknown', statusCode: 422 } });
		expect(requests).toEqual(lookUp);
	});
});
