import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Rest } from '../../testkit/n8n/rest.ts';

/** Starts a server that gives each request the next answer, and runs a test with its address. */
async function withAnswers(
	answers: readonly [status: number, body: unknown][],
	test: (url: string, received: string[]) => Promise<void>,
): Promise<void> {
	const received: string[] = [];
	const remaining = [...answers];
	const server = createServer((request, response: ServerResponse) => {
		const [status, body] = remaining.shift() ?? [500, 'unexpected'];
		received.push(`${request.method} ${request.url}`);
		response.statusCode = status;
		response.end(JSON.stringify(body));
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const { port } = server.address() as AddressInfo;
	await test(`http://127.0.0.1:${port}`, received).finally(() => server.closeAllConnections());
	await new Promise((done) => server.close(done));
}

const notReady: [number, unknown] = [503, { code: 503, message: 'Database is not ready!' }];

it('repeats a request while the database of n8n is not ready', async () => {
	await withAnswers([notReady, notReady, [200, { data: { id: '7' } }]], async (url, received) => {
		expect(await new Rest(url).call('POST', '/workflows', {})).toEqual({ id: '7' });
		expect(received).toEqual(Array.from({ length: 3 }, () => 'POST /rest/workflows'));
	});
});

it('reports every other refusal at once', async () => {
	await withAnswers([[503, 'overloaded']], async (url, received) => {
		await expect(new Rest(url).call('GET', '/workflows')).rejects.toThrow(
			'n8n answered 503 to GET /rest/workflows: "overloaded"',
		);
		expect(received).toHaveLength(1);
	});
});
