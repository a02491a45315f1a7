import { isPaced, rankOf, RequestQueue } from '../../../../nodes/shared/transport/requestQueue';
import type { QueuedRequest } from '../../../../nodes/shared/transport/runQueue';

const request = (position: number, options: object = {}) =>
	({
		position,
		lane: { options: { requestsPerMinute: 0, ...options } },
	}) as unknown as QueuedRequest;

const paced = (position: number) => request(position, { requestsPerMinute: 60 });

const queueOf = (...requests: QueuedRequest[]) => {
	const queue = new RequestQueue();
	for (const one of requests) queue.add(one);
	return queue;
};

it('ranks interactive requests before polls, and polls before runs', () => {
	const ranks = [{ isInteractive: true }, { isPoll: true }, {}].map((options) =>
		rankOf(request(1, options)),
	);
	expect(ranks).toEqual([2, 1, 0]);
	expect([isPaced(paced(1)), isPaced(request(1))]).toEqual([true, false]);
});

it('sends by rank, and then in the order in which they asked', () => {
	const [run, early, poll, person] = [
		request(2),
		request(1),
		request(3, { isPoll: true }),
		request(4, { isInteractive: true }),
	] as const;
	const queue = queueOf(run, early, poll, person);
	expect(queue.isEmpty).toBe(false);
	const order: QueuedRequest[] = [];
	for (let first = queue.first(true); first; first = queue.first(true)) {
		order.push(first);
		queue.remove((one) => one === first);
	}
	expect(order).toEqual([person, poll, early, run]);
	expect(queue.isEmpty).toBe(true);
});

it('does not let requests that are paced hold up others', () => {
	const [slow, other] = [paced(1), request(2)];
	const queue = queueOf(slow, other);
	expect(queue.first(true)).toBe(slow);
	expect(queue.first(false)).toBe(other);
	expect(queue.all).toHaveLength(2);
	expect(queueOf(slow).first(false)).toBeUndefined();
	expect(queueOf(slow).first(true)).toBe(slow);
	expect(queueOf(slow).isEmpty).toBe(false);
	expect(queueOf(paced(3), other).first(true)).toBe(other);
});

it('removes requests and returns them', () => {
	const [slow, other] = [paced(1), request(2)];
	const queue = queueOf(slow, other);
	expect(queue.remove(() => false)).toEqual([]);
	expect(queue.remove((one) => one === slow)).toEqual([slow]);
	expect(queue.all).toEqual([other]);
});
