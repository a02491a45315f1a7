import type { Send } from '../../../nodes/shared/transport/exchange';
import { RowRequests } from '../../../nodes/shared/transport/rowRequests';
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
