import { linkContract } from '../../../../nodes/Link/link.contract';
import type { Service } from '../../../../nodes/shared/transport/http';
import { encodeOptions } from '../../../support/encodeOptions.ts';
import { executeOn } from '../../../support/client.ts';
import { ServiceError } from '../../../../nodes/shared/transport/serviceError';
import { encodeRow } from '../../../../nodes/shared/contract/encodeRow';
import type { OperationName } from '../../../../nodes/shared/contract/types';

/** Executes one operation against a service that gives one answer. */
async function executed(operation: OperationName, body: string, status = 200) {
	const parameters = {
		url: 'https://example.com/',
		linkId: ' 7 ',
		updateFields: { alias: 'a' },
	};
	const row = encodeRow(linkContract, operation, parameters, encodeOptions);
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

	it.each(['', 'null', '{"data":null}', '{"data":[]}', '[]', '[{},{}]', '5', '"x"', 'true'])(
		'is missed in %j',
		async (body) => {
			const error = await failureOf(name, body);
			expect(error).toBeInstanceOf(ServiceError);
			expect(error).toMatchObject({
				message: 'The service answered without the data that it should hold',
			});
		},
	);

	it.each([
		['<!doctype html><title>Login</title>', 'a web page instead of data (HTTP 200)'],
		['\n <html>', 'a web page instead of data (HTTP 200)'],
		['{"data":{"id":7', 'cut off or no valid JSON (HTTP 200)'],
		['OK', 'cut off or no valid JSON (HTTP 200)'],
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
		['{"status":200}', 200, '7'],
		['{"data":null}', 200, '7'],
		['{"data":[]}', 200, '7'],
		['[]', 200, '7'],
		['', 204, '7'],
		['true', 200, '7'],
	])('from %j with status %d holds the id and nothing else', async (body, status, id) => {
		expect(await executed('delete', body, status)).toEqual([{ id, deleted: true }]);
	});

	it('is none where the status is none', async () => {
		for (const status of [199, 301, 302, 404, 422, 500]) {
			const error = await failureOf('delete', '{"id":7,"deleted":true}', status);
			expect(error).toBeInstanceOf(ServiceError);
			expect(error).toHaveProperty('failure.statusCode', status);
		}
	});
});
