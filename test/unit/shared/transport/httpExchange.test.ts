import { httpExchange, httpRequestOf } from '../../../../nodes/shared/transport/httpExchange';
import type { Method } from '../../../../nodes/shared/contract/endpoints';
import { RowSecrets } from '../../../../nodes/shared/transport/rowSecrets';

const root = 'https://links.example/api/v1';

const accept = { Accept: 'application/json' };

const params = [
	['a', '1'],
	['b', 'x y&z'],
] as const;

it.each<[method: Method, isForm: boolean]>([
	['GET', false],
	['DELETE', false],
	['POST', true],
	['PUT', true],
])('sends the params of %s in the form: %p', (method, isForm) => {
	const { form, ...request } = httpRequestOf(root, { method, path: '/links', params });
	if (isForm) {
		expect(form?.toString()).toBe('a=1&b=x+y%26z');
		const headers = { ...accept, 'Content-Type': 'application/x-www-form-urlencoded' };
		expect(request).toEqual({ method, url: `${root}/links`, headers });
	} else {
		expect(form).toBeUndefined();
		expect(request).toEqual({ method, url: `${root}/links?a=1&b=x+y%26z`, headers: accept });
	}
});

it('sends no query without params', () => {
	expect(httpRequestOf(root, { method: 'GET', path: '/links', params: [] }).url).toBe(
		`${root}/links`,
	);
});

async function answered(body: string, status = 200, method: Method = 'GET') {
	const request = httpRequestOf(root, { method, path: '/links', params: [] });
	const send = async () => await Promise.resolve({ status, headers: {}, body });
	const secrets = new RowSecrets(['hunter2-hunter2']);
	return await httpExchange(send, request, new AbortController().signal, secrets);
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

it.each<[body: string, method: Method, decoded: unknown]>([
	['{"id":1}', 'GET', { id: 1 }],
	['\uFEFF {"id":1}\n', 'GET', { id: 1 }],
	['', 'GET', null],
	[' ', 'DELETE', null],
	['null', 'GET', null],
	['5', 'GET', 5],
	['Deleted.', 'DELETE', null],
	['{"id":1,"status":404}', 'GET', { id: 1, status: 404 }],
	['{"status":200}', 'GET', { status: 200 }],
	['{"status":399}', 'GET', { status: 399 }],
	['{"status":600}', 'GET', { status: 600 }],
	['{"status":404.5}', 'GET', { status: 404.5 }],
])('decodes the body %j of %s', async (body, method, decoded) => {
	const exchanged = await answered(body, 200, method);
	expect(exchanged).toEqual({ answer: { status: 200, headers: {}, body }, body: decoded });
});

it.each([nested(100), '{"a":{"b":[1,"x",null,true]}}'])(
	'reads JSON that is not too deep',
	async (body) => {
		expect((await answered(body)).failure).toBeUndefined();
	},
);

it.each([...['OK', '{"id":1', '[1', nested(102), '{"a":{"toString":1}}', '[{"valueOf":1}]']])(
	'cannot read %.30s',
	async (body) => {
		expect(await answered(body, 201, 'POST')).toMatchObject({
			failure: {
				cause: 'ambiguous',
				message: 'The response of the service is incomplete or not valid JSON (HTTP 201)',
				advice: expect.stringMatching(/^The service may have processed the request/),
				statusCode: 201,
			},
		});
	},
);

it.each(['DELETE', 'GET'] as const)('explains a web page: %s', async (method) => {
	expect((await answered(' <html>', 200, method)).failure).toEqual({
		cause: 'rejected',
		message: 'The service returned a web page instead of data (HTTP 200)',
		advice:
			'Open the credential and check Base URL. It is the address of the website, or a proxy in front of the service returned the page.',
		statusCode: 200,
		isInconsistent: true,
	});
});

it.each(['[OK', '{OK'])('takes %j for no confirmation of a delete', async (body) => {
	expect((await answered(body, 200, 'DELETE')).failure).toMatchObject({ cause: 'ambiguous' });
});

it.each<[status: number, isRefused: boolean]>([
	[199, true],
	[200, false],
	[299, false],
	[300, true],
])('refuses the status %d: %p', async (status, isRefused) => {
	const { failure, answer } = await answered('{"message":"No."}', status);
	expect(failure !== undefined).toBe(isRefused);
	expect(answer?.status).toBe(status);
	expect(failure?.isInconsistent).toBeUndefined();
});

describe('an error status in the body of an answer with success', () => {
	it.each<[status: number, method: Method, cause: string]>([
		[400, 'GET', 'rejected'],
		[422, 'POST', 'rejected'],
		[599, 'GET', 'ambiguous'],
		[503, 'PUT', 'maintenance'],
		[503, 'POST', 'ambiguous'],
		[429, 'POST', 'ambiguous'],
	])('%d of %s counts', async (status, method, cause) => {
		const { failure, answer, body } = await answered(JSON.stringify({ status }), 200, method);
		expect(failure).toMatchObject({ cause, isInconsistent: true, statusCode: status });
		expect(answer?.status).toBe(status);
		expect(body).toBeUndefined();
	});
});

it('hides passwords in a failure', async () => {
	const { failure } = await answered('{"message":"Not hunter2-hunter2"}', 400);
	expect(failure?.advice).toMatch(/The service said: Not \[password\]$/);
});

it('explains a connection that breaks', async () => {
	const request = httpRequestOf(root, { method: 'GET', path: '/links', params: [] });
	const send = async () => await Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));
	const secrets = new RowSecrets([]);
	expect(await httpExchange(send, request, new AbortController().signal, secrets)).toMatchObject({
		failure: { cause: 'connectFailed', host: 'links.example' },
	});
});
