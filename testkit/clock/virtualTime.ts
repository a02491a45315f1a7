import { performance as realPerformance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { withGlobal, type Clock, type Config } from '@sinonjs/fake-timers';
import { ThreadPool } from './threadPool.ts';

/** Turns of the event loop without any I/O, after which everything waits for a timer. */
const idleTurns = 40;

/** Max real time in ms to wait for work in libuv's thread pool before time moves anyway. */
const longestWork = 500;

const faked: Config['toFake'] = [
	...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const),
	...(['Date', 'performance'] as const),
];

/** Active resources that will call back without a timer: files, name look-ups, connects, writes. */
const isWorking = (resource: string) =>
	/^(FSReq|GetAddrInfo|TCPConnect|WriteWrap|ShutdownWrap)/.test(resource);

/** Returns the number of I/O events that libuv has handled. */
const ioEvents = () => realPerformance.nodeTiming.uvMetricsInfo.events;

/** Like `AbortSignal.timeout`, on the timers of the moment. Node's own one can't be replaced by fake timers. */
function timeoutSignal(milliseconds: number): AbortSignal {
	const controller = new AbortController();
	const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
	setTimeout(() => controller.abort(reason), milliseconds);
	return controller.signal;
}

/**
 * Virtual time for tests that use real sockets. Timers, `Date` and `performance` of the test's realm stand still while any
 * I/O happens. They jump to the next timer once the event loop is idle. A wait of a minute takes about a millisecond.
 *
 * Client and service must run in this process. Assumption: loopback data arrives within `idleTurns` turns of the event loop.
 */
export class VirtualTime {
	private readonly clock: Clock;
	private readonly threadPool = new ThreadPool();
	private readonly realTimeout = AbortSignal.timeout;
	private isOver = false;

	private constructor() {
		this.clock = withGlobal(globalThis).install({ now: Date.now(), toFake: faked });
		AbortSignal.timeout = timeoutSignal;
	}

	/** Replaces the timers of this realm until `stop`. */
	static start(): VirtualTime {
		const time = new VirtualTime();
		void time.run();
		return time;
	}

	/** Restores the real timers. Timers that have not fired are dropped. */
	stop(): void {
		this.isOver = true;
		this.threadPool.release();
		this.clock.uninstall();
		AbortSignal.timeout = this.realTimeout;
	}

	private async run(): Promise<void> {
		while (!this.isOver) {
			await this.idle();
			if (!this.isOver) await this.jump();
		}
	}

	/** Jumps to the next timer. Fake timers cut a wait of less than a millisecond to none, and then time would stand still. */
	private async jump(): Promise<void> {
		const before = Date.now();
		await this.clock.nextAsync();
		if (Date.now() === before) await this.clock.tickAsync(1);
	}

	private isWorking(): boolean {
		return this.threadPool.jobs > 0 || process.getActiveResourcesInfo().some(isWorking);
	}

	/** Resolves once nothing but timers can happen. */
	private async idle(): Promise<void> {
		let [events, quietTurns, since] = [ioEvents(), 0, realPerformance.now()];
		while (!this.isOver && quietTurns < idleTurns) {
			await nextTurn();
			const now = ioEvents();
			quietTurns = now === events ? quietTurns + 1 : 0;
			if (now !== events) since = realPerformance.now();
			events = now;
			const isPatient = realPerformance.now() - since < longestWork;
			if (quietTurns === idleTurns && isPatient && this.isWorking()) quietTurns = 0;
		}
	}
}
