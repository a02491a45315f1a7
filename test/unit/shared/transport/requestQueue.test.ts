import { isPaced, priorityOf, RequestQueue } from '../../../../nodes/shared/transport/requestQueue';
import type { QueuedRequest } from '../../../../nodes/shared/transport/runQueue';

const request = (position: number, options: object = {}) =>
	({
		position,
		run: { options: { requestsPerMinute: 0, ...options } },
	}) as unknown as QueuedRequest;

const paced = (position: number) => request(position, { requestsPerMinute: 60 });

const queueOf = (...requests: QueuedRequest[]) => {
	const queue = new RequestQueue();
	for (const one of requests) queue.add(one);
	return queue;
};

it('prefers interactive requests to polls, and polls to runs', () => {
	const priorities = [{ isInteractive: true }, { isPoll: true }, {}].map((options) =>
		priorityOf(request(1, options)),
	);
	expect(priorities).toEqual([2, 1, 0]);
	expect([isPaced(paced(1)), isPaced(request(1))]).toEqual([true, false]);
});

it('sends by priority, and then in the order in which they asked', () => {
	const [run, early, poll, person] = [
		request(2),
		request(1),
		request(3, { isPoll: true }),
		request(4, { isInteractive: true }),
	] as const;
	const queue = queueOf(run, early, poll, person);
	expect(queue.all).not.toHaveLength(0);
	const order: QueuedRequest[] = [];
	for (let first = queue.first(() => true); first; first = queue.first(() => true)) {
		order.push(first);
		queue.take(first);
	}
	expect(order).toEqual([person, poll, early, run]);
	expect(queue.all).toEqual([]);
});

it('does not let requests that are paced hold up others', () => {
	const [slow, other] = [paced(1), request(2)];
	const queue = queueOf(slow, other);
	expect(queue.first(() => true)).toBe(slow);
	expect(queue.first((one) => !isPaced(one))).toBe(other);
	expect(queue.all).toHaveLength(2);
	expect(queueOf(slow).first((one) => !isPaced(one))).toBeUndefined();
	expect(queueOf(slow).first(() => true)).toBe(slow);
	expect(queueOf(slow).all).toEqual([slow]);
	expect(queueOf(paced(3), other).first(() => true)).toBe(other);
});

it('removes requests and returns them', () => {
	const [slow, other] = [paced(1), request(2)];
	const queue = queueOf(slow, other);
	expect(queue.remove(() => false)).toEqual([]);
	expect(queue.remove((one) => one === slow)).toEqual([slow]);
	expect(queue.all).toEqual([other]);
});
