import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RunQueue } from '../../../../nodes/shared/transport/runQueue';
import { limiterFor } from '../../../../nodes/shared/transport/limiters';
import type { RateLimiter } from '../../../../nodes/shared/transport/rateLimiter';

const options = { concurrency: 1, requestsPerMinute: 0, maxWait: 1000 };

const root = 'https://links.example/api/v1';

/** A request that is answered with a status. */
const ask = async (limiter: RateLimiter, run: RunQueue, status = 200) =>
	await limiter.request(run, { order: 0 })(
		async () => {
			const headers: Record<string, string> = status === 429 ? { 'retry-after': '600' } : {};
			return await Promise.resolve({ answer: { status, headers, body: '' } });
		},
		{ timeout: 1000, isRead: false },
	);

beforeEach(() => {
	jest.useFakeTimers();
	// The timer of Node that Jest has no other form of.
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(), milliseconds);
		return controller.signal;
	});
});
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

it('finds the limiter of an address and key, for as long as a run uses it', async () => {
	const limiter = await limiterFor(root, 'key-1');
	const run = limiter.open(options);
	jest.advanceTimersByTime(3_600_000);
	expect(await limiterFor(root, 'key-1')).toBe(limiter);
	run.close();
});

it('finds the same one for runs that begin at the same time', async () => {
	const [one, other] = await Promise.all([limiterFor(root, 'key-5'), limiterFor(root, 'key-5')]);
	expect(one).toBe(other);
});

it.each([
	['another key', root, 'key-3'],
	['another address', 'https://links.example:8443/api/v1', 'key-2'],
	// The two parts are not run together.
	['another address and key that read alike together', `${root}key`, '-2'],
])('finds another one for %s', async (_name, otherRoot, otherKey) => {
	const limiter = await limiterFor(root, 'key-2');
	const run = limiter.open(options);
	const other = await limiterFor(otherRoot, otherKey);
	expect(other).not.toBe(limiter);
	run.close();
});

it('keeps the pace between runs, and forgets a limiter two minutes after its last request', async () => {
	const limiter = await limiterFor(root, 'key-4');
	const run = limiter.open(options);
	await ask(limiter, run);
	run.close();
	jest.advanceTimersByTime(59_000);
	expect(await limiterFor(root, 'key-4')).toBe(limiter);
	jest.advanceTimersByTime(62_000);
	expect(await limiterFor(root, 'key-4')).not.toBe(limiter);
});

it('drops idle limiters from memory by itself, and no others', async () => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	/** A limiter that only the module under test knows of. */
	const leave = async (key: string) => {
		const limiter = await limiterFor(root, key);
		const run = limiter.open(options);
		await ask(limiter, run);
		run.close();
		return new WeakRef(limiter);
	};
	const idle = await leave('idle-key');
	jest.advanceTimersByTime(50_000);
	const recent = await leave('recent-key');
	jest.advanceTimersByTime(71_000);
	jest.useRealTimers();
	// References live on until the present job is over.
	for (let turn = 0; turn < 10 && idle.deref(); turn += 1) {
		await new Promise((resolve) => setImmediate(resolve));
		collect();
	}
	expect(idle.deref()).toBeUndefined();
	expect(recent.deref()).toBeDefined();
});
