import { ApiClient, type ClientOptions } from '../../../../nodes/shared/transport/client';
import type { ApiRequest, Method } from '../../../../nodes/shared/contract/endpoints';
import { RateLimiter } from '../../../../nodes/shared/transport/rateLimiter';
import { RowRequests, type RequestHooks } from '../../../../nodes/shared/transport/rowRequests';
import { ServiceError } from '../../../../nodes/shared/transport/serviceError';
import { VirtualClock } from '../../../../testkit/clock/virtualClock.ts';

type Reply =
	| Error
	| { readonly status?: number; readonly body?: string; readonly after?: string }
	| 'hang';

const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });

/** A client whose requests get these replies, the last one again and again. */
function setUp(replies: readonly Reply[], options: Partial<ClientOptions> = {}) {
	const clock = new VirtualClock();
	const limiter = new RateLimiter(clock);
	const sent: string[] = [];
	const send: ApiClient['send'] = async ({ method, url }, signal) => {
		const reply = replies[Math.min(sent.length, replies.length - 1)] ?? {};
		sent.push(`${method} ${new URL(url).pathname.replace('/api/v1', '')} at ${clock.now()}`);
		if (reply === 'hang') {
			return await new Promise((_, reject) => {
				signal.addEventListener('abort', () => reject(reset));
			});
		}
		await clock.sleep(100);
		if (reply instanceof Error) throw reply;
		const { status = 200, body = '{"id":1}', after } = reply;
		return { status, body, headers: after === undefined ? {} : { 'retry-after': after } };
	};
	const client = new ApiClient({ root: 'https://links.example/api/v1', send }, limiter, {
		...{ concurrency: 2, requestsPerMinute: 0, maxWait: 60_000, timeout: 30_000 },
		...options,
	});
	const requests = (order = 0, secrets: string[] = []) => new RowRequests(client, order, secrets);
	/** Makes a request, and returns its body or its failure. */
	const ask = async (method: Method, hooks?: RequestHooks, own = requests()) => {
		const request: ApiRequest = { method, path: '/links', params: [] };
		return await own.request(request, hooks).catch((error: unknown) => {
			if (error instanceof ServiceError) return error.failure;
			throw error;
		});
	};
	return { clock, client, sent, requests, ask };
}

it('returns the body of an answer', async () => {
	const { clock, ask, client, sent } = setUp([{}]);
	expect(await clock.run(async () => await ask('GET'))).toEqual({ id: 1 });
	expect(sent).toEqual(['GET /links at 0']);
	expect([client.sent, client.retries]).toEqual([1, 0]);
});

it.each(['GET', 'PUT', 'DELETE'] as const)('retries a %s whose answer was lost', async (method) => {
	const { clock, ask, client, sent } = setUp([reset, {}]);
	const failures: string[] = [];
	const onRetry: RequestHooks['onRetry'] = ({ cause }) => failures.push(cause);
	expect(await clock.run(async () => await ask(method, { onRetry }))).toEqual({ id: 1 });
	expect(sent).toHaveLength(2);
	expect([client.sent, client.retries]).toEqual([2, 1]);
	expect(failures).toEqual(['ambiguous']);
});

it('does not retry a create whose answer was lost', async () => {
	const { clock, ask, sent } = setUp([reset, {}]);
	expect(await clock.run(async () => await ask('POST'))).toMatchObject({
		...{ cause: 'ambiguous', outcome: 'unknown', isTimeout: false },
	});
	expect(sent).toHaveLength(1);
});

it.each<[method: Method, replies: Reply[], outcome: string]>([
	['GET', [reset], 'failed'],
	['PUT', [reset], 'unknown'],
	['PUT', [reset, { status: 403 }], 'unknown'],
	['PUT', [{ status: 403 }], 'failed'],
	['PUT', [{ body: '{"status":404}' }], 'unknown'],
	['GET', [{ body: '{"status":404}' }], 'failed'],
	['POST', [{ status: 503, after: '1' }, { status: 422 }], 'failed'],
])('knows the outcome of a %s that is answered with %j', async (method, replies, outcome) => {
	const { clock, ask } = setUp(replies, { maxWait: 3_000 });
	expect(await clock.run(async () => await ask(method))).toMatchObject({ outcome });
});

it('waits for a rate limit, and not longer than Max Wait', async () => {
	const short = setUp([{ status: 429, after: '3' }, {}]);
	expect(await short.clock.run(async () => await short.ask('GET'))).toEqual({ id: 1 });
	expect(short.sent).toHaveLength(2);
	const long = setUp([{ status: 429, after: '90' }, {}]);
	const failure = await long.clock.run(async () => await long.ask('POST'));
	expect(long.sent).toHaveLength(1);
	expect(failure).toMatchObject({
		cause: 'rateLimited',
		message: 'The service received too many requests (HTTP 429)',
		advice:
			"Wait 90 seconds and run the node again; send fewer items at a time. This item waited 0 seconds for the service's rate limit to end, and cannot wait longer (Max Wait of 60 seconds). It lasts another 90 seconds.",
		outcome: 'failed',
	});
});

it('does not send a row that would wait too long', async () => {
	const { clock, ask, sent } = setUp([{ status: 503, after: '90' }], { maxWait: 30_000 });
	await clock.run(async () => {
		await ask('GET');
		expect(await ask('GET')).toEqual({
			cause: 'maintenance',
			message:
				"This item would have to wait longer than its Max Wait of 30 seconds for the service's maintenance to end",
			advice:
				"Nothing was sent. This item waited 0 seconds for the service's maintenance to end, and cannot wait longer (Max Wait of 30 seconds). It lasts another 90 seconds. Run the item again later, or raise Max Wait under Options > Requests.",
			outcome: 'failed',
		});
	});
	expect(sent).toHaveLength(1);
});

it('gives up a request without an answer in time', async () => {
	const { clock, ask } = setUp(['hang'], { maxWait: 0, timeout: 2_000 });
	expect(await clock.run(async () => await ask('PUT'))).toMatchObject({
		...{ cause: 'ambiguous', outcome: 'unknown', isTimeout: true },
		message: 'The service at links.example did not respond in time',
	});
	expect(clock.now()).toBe(2_000);
});

it('does not send a request that `beforeSend` refuses', async () => {
	const { clock, ask, sent, client } = setUp([{}]);
	const refusal = { cause: 'rejected', message: 'Not created', advice: 'Look.' } as const;
	expect(await clock.run(async () => await ask('POST', { beforeSend: () => refusal }))).toEqual({
		...{ ...refusal, outcome: 'failed', isTimeout: false },
	});
	expect([sent, client.sent]).toEqual([[], 0]);
});

it.each<RequestHooks>([
	{
		beforeSend: () => {
			throw new Error('broken hook');
		},
	},
	{
		onRetry: () => {
			throw new Error('broken hook');
		},
	},
])('fails a request whose hook throws, and sends the others (%#)', async (hooks) => {
	const { clock, ask } = setUp([reset, {}]);
	await clock.run(async () => {
		const failing = expect(ask('GET', hooks)).rejects.toThrow('broken hook');
		expect(await Promise.all([ask('GET'), ask('GET')])).toEqual([{ id: 1 }, { id: 1 }]);
		await failing;
	});
});

it('sends nothing after the end of a row or of the run', async () => {
	const ended = {
		...{ cause: 'ended', message: 'The run ended before this item was sent', advice: '' },
		outcome: 'failed',
	};
	const { clock, ask, requests, sent, client } = setUp([{}]);
	await clock.run(async () => {
		const own = requests();
		own.end();
		expect(await ask('GET', {}, own)).toEqual(ended);
		client.close();
		expect(await ask('GET')).toEqual(ended);
	});
	expect(sent).toEqual([]);
});

it('explains a list in the editor that cannot be read now', async () => {
	const { clock, ask, client } = setUp([{ status: 429, after: '90' }], {
		...{ isInteractive: true, maxWait: 3_000 },
	});
	await clock.run(async () => {
		await ask('GET');
		expect(await ask('GET')).toMatchObject({
			cause: 'rateLimited',
			message: 'The service accepts no requests for another 90 seconds',
			advice: 'Try again after the rate limit ends.',
		});
		client.close();
		expect(await ask('GET')).toMatchObject({
			cause: 'ended',
			message: 'The service takes too long to return the list',
			advice: 'Enter the ID instead of choosing from the list.',
		});
	});
});

it('closes the circuit after an answer', async () => {
	const { clock, ask, client } = setUp([reset, {}], { maxWait: 0 });
	await clock.run(async () => await ask('GET'));
	expect(client.isCircuitOpen).toBe(true);
	await clock.run(async () => await ask('GET'));
	expect(client.isCircuitOpen).toBe(false);
});

describe('the lock of a row', () => {
	it('is acquired after earlier rows with the same key', async () => {
		const { clock, requests } = setUp([{}]);
		await clock.run(async () => {
			const [first, second, third] = [requests(0), requests(1), requests(2)];
			const order: string[] = [];
			expect(await first.lock('a', undefined, 'a')).toBe(false);
			const waiting = second.lock('a').then((isOutdated) => {
				order.push(`second ${isOutdated}`);
			});
			expect(await third.lock(undefined)).toBe(false);
			await clock.sleep(1_000);
			order.push('first ends');
			first.end();
			await waiting;
			expect(order).toEqual(['first ends', 'second true']);
			second.end();
			third.end();
		});
	});

	it('is acquired at once after a row whose write was answered', async () => {
		const { clock, requests, ask } = setUp([{}]);
		await clock.run(async () => {
			const [first, second] = [requests(0), requests(1)];
			await first.lock('a');
			await ask('PUT', {}, first);
			const began = clock.now();
			first.end();
			await second.lock('a');
			expect(clock.now()).toBe(began);
			second.end();
		});
	});

	it('is acquired after the write of an ended row', async () => {
		const { clock, requests, ask } = setUp([{}]);
		await clock.run(async () => {
			const [first, second] = [requests(0), requests(1)];
			await first.lock('a');
			const writing = ask('PUT', {}, first);
			await clock.sleep(10);
			first.end();
			const began = clock.now();
			await second.lock('a');
			expect(clock.now() - began).toBeGreaterThanOrEqual(80);
			await writing;
			second.end();
		});
	});
});

it('collects the methods of the writes', async () => {
	const { clock, requests, ask } = setUp([{}]);
	const own = requests();
	await clock.run(async () => {
		for (const method of ['GET', 'PUT', 'POST'] as const) await ask(method, {}, own);
	});
	expect([...own.written]).toEqual(['PUT', 'POST']);
});

it('masks the passwords of the row', async () => {
	const reply = { status: 422, body: '{"message":"Not hunter2-hunter2"}' };
	const { clock, requests, ask } = setUp([reply]);
	const own = requests(0, ['hunter2-hunter2']);
	expect(await clock.run(async () => await ask('PUT', {}, own))).toMatchObject({
		advice: expect.stringContaining('The service said: Not [password]'),
	});
	expect(requests().secrets.text('Stryker was here')).toBe('Stryker was here');
	expect(requests().secrets.text('a')).toBe('a');
});

it('waits for no request that is canceled', async () => {
	const { clock, requests, ask, sent } = setUp([{}], { concurrency: 1 });
	await clock.run(async () => {
		const own = requests();
		const first = ask('GET', {}, own);
		const second = ask('GET', {}, own);
		own.cancelRequests();
		expect(await second).toMatchObject({ cause: 'ended' });
		await first;
		expect(await ask('GET', {}, own)).toEqual({ id: 1 });
	});
	expect(sent.length).toBeLessThanOrEqual(2);
});
