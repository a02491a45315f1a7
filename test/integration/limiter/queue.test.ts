import type { HttpAnswer, Send } from '../../../nodes/shared/transport/exchange';
import { type ClientOptions, RateLimiter } from '../../../nodes/shared/transport/limiter';
import { RowRequests } from '../../../nodes/shared/transport/rowRequests';
import { VirtualClock } from '../../../testkit/clock/virtualClock.ts';
import { clientOn, noMask } from '../../support/client.ts';

/** Reads a list whose response arrives after the signal of the run was aborted. */
async function readBeyond(isPoll: boolean) {
	const limit = new AbortController();
	const send: Send = async () => {
		limit.abort();
		return await Promise.resolve({ status: 200, headers: {}, body: '{"data":[]}' });
	};
	const service = { root: 'https://links.example/api/v1', send, mask: noMask };
	const client = clientOn(service, { caller: isPoll ? 'poll' : undefined, signal: limit.signal });
	const read = { method: 'GET', path: '/links', params: [] } as const;
	const reading = new RowRequests(client).request(read).finally(() => client.close());
	return await reading.catch((error: unknown) => String(error));
}

it('a poll uses the response to its last request after its time limit, and a run does not', async () => {
	expect(await readBeyond(true)).toEqual({ data: [] });
	expect(await readBeyond(false)).toMatch(/canceled/);
});

/** A run on a virtual clock. Each request takes a second. */
function setUp(
	answer: (name: string, tries: number) => Partial<HttpAnswer>,
	options: Partial<ClientOptions> = {},
) {
	const clock = new VirtualClock(1);
	const sent: string[] = [];
	const send: Send = async ({ url }) => {
		const name = url.slice(-1);
		sent.push(name);
		const tries = sent.filter((each) => each === name).length;
		await clock.sleep(1000);
		return { status: 200, headers: {}, body: '{"id":1}', ...answer(name, tries) };
	};
	const service = { root: 'https://links.example/api/v1', send, mask: noMask };
	const client = clientOn(service, { maxWait: 60_000, ...options }, new RateLimiter(clock));
	/** Reads a path for each letter, in rows of their own, and returns which reads succeed. */
	const read = async (names: string) =>
		await clock.run(
			async () =>
				await Promise.allSettled(
					[...names].map(async (name) => {
						const request = { method: 'GET', path: `/${name}`, params: [] } as const;
						return await new RowRequests(client).request(request);
					}),
				),
		);
	const readOne = async (name: string) => (await read(name)).map(({ status }) => status);
	return { sent, read, readOne, client };
}

it('a refused request keeps its place in the queue', async () => {
	const refusal = { status: 429, headers: { 'retry-after': '5' } };
	const { sent, read, client } = setUp((name, tries) =>
		name === 'a' && tries === 1 ? refusal : {},
	);
	await read('abc');
	client.close();
	expect(sent).toEqual(['a', 'a', 'b', 'c']);
});

it('after a row was given up, no request is retried until one succeeds', async () => {
	const failsOnce = (tries: number) => (tries === 1 ? { status: 502 } : {});
	const { sent, readOne, client } = setUp(
		(name, tries) => ({ a: { status: 502 }, b: failsOnce(tries), d: failsOnce(tries) })[name] ?? {},
		{ maxWait: 4_000 },
	);
	const results: string[] = [];
	for (const name of 'abcd') results.push(...(await readOne(name)));
	client.close();
	expect(results).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
	expect(sent.join('')).toMatch(/^aa+bcdd$/);
});
