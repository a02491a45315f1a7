import { call, requestOf, type Planned } from './call';
import type { Send, Service } from './http';
import { backOff, Pacer, type Clock } from './pacer';
import { fewTries, patienceFor, type Patience } from './retryPolicy';
import { ServiceError, type Failure, type FailureOutcome } from './serviceError';

/** What the options of a node let its requests do. */
export interface SessionOptions {
	/** Requests under way at the same time. */
	readonly concurrency: number;
	/** A limit of the user's own; 0 to learn it from the service. */
	readonly requestsPerMinute: number;
	/** Milliseconds that one row may go without an answer of use to it, waiting for its turn or for repeats. */
	readonly maxWait: number;
	/** Whether deleting what is not there is a success. */
	readonly ignoreMissing: boolean;
}

/** The requests of a run: they share one pace, and what is known of the service. */
export class Session {
	/** How many requests were made again, for the summary of the run. */
	repeats = 0;

	readonly pacer: Pacer;

	readonly root: string;

	readonly options: SessionOptions;

	readonly clock: Clock;

	private readonly send: Send;

	/** The end of all work so far on each thing that is worked on in turn. Never rejects. */
	private readonly queues = new Map<string, Promise<unknown>>();

	/** Whether the service ever answered. */
	private reached = false;

	/** Whether a row failed in all its tries and nothing has succeeded since. */
	private despairs = false;

	constructor(service: Service, clock: Clock, options: SessionOptions) {
		this.root = service.root;
		this.send = service.send;
		this.clock = clock;
		this.options = options;
		this.pacer = new Pacer(clock, options.requestsPerMinute);
	}

	/** The requests of one row, whose longest wait begins now. */
	forRow(): Requester {
		return new Requester(this);
	}

	/** Does what must not run beside other work on the same thing, after all that asked before. */
	async inTurn<T>(thing: string, work: () => Promise<T>): Promise<T> {
		const before = this.queues.get(thing) ?? Promise.resolve();
		const mine = before.then(work);
		this.queues.set(thing, Promise.allSettled([mine]));
		return await mine;
	}

	/** One paced request, or undefined where its turn would come too late. */
	async exchange(planned: Planned, deadline: number) {
		const left = await this.pacer.turn(deadline);
		if (left === false) return undefined;
		const exchange = await call(this.send, requestOf(this.root, planned));
		this.pacer.done(left, exchange.answer);
		if (exchange.answer) this.reached = true;
		if (!exchange.failure) this.despairs = false;
		return exchange;
	}

	/**
	 * How patient to be with a failure. Where nothing has answered so far, the address is probably wrong, and a few tries
	 * must do. Once a row used them up, the others try once each until something succeeds.
	 */
	patience(planned: Planned, { cause }: Failure): Patience {
		const isElsewhere = cause === 'notSent' && !this.reached;
		const patience = isElsewhere ? 'few' : patienceFor(planned.method, cause);
		return patience === 'few' && this.despairs ? 'never' : patience;
	}

	/** Remembers that a row failed in all its tries. */
	despair(): void {
		this.despairs = true;
	}
}

/** After a write that broke, nobody knows what became of it. */
const outcomeOf = ({ method }: Planned, { cause }: Failure): FailureOutcome =>
	method !== 'GET' && cause === 'broken' ? 'unknown' : 'failed';

/** A row whose turn comes too late, after the failure that made it wait if there was one. */
function tooLong({ maxWait }: SessionOptions, planned: Planned, last?: Failure): Failure {
	const limit = `Max Wait of ${maxWait / 1000} seconds`;
	if (last) {
		const advice = `${last.advice} This row may not wait longer (${limit}).`;
		return { ...last, advice, outcome: outcomeOf(planned, last) };
	}
	return {
		cause: 'throttled',
		message: `This row would have to wait longer than its ${limit}`,
		advice: 'Nothing was sent. Run the row again later, or raise Max Wait under Options.',
	};
}

/** The requests of one row: each waits for its turn and is repeated by the rule of its verb. */
export class Requester {
	readonly session: Session;

	/** When the row began or last got on; a list of many pages may take longer than any single wait. */
	private since: number;

	constructor(session: Session) {
		this.session = session;
		this.since = session.clock.now();
	}

	private get deadline(): number {
		return this.since + this.session.options.maxWait;
	}

	/**
	 * Makes a request and returns the decoded JSON of its answer, `null` for an empty one.
	 *
	 * @param onFailure told of each failure that is repeated
	 * @throws ServiceError where the answer is an error that is not, or no longer, to be repeated
	 */
	async request(planned: Planned, onFailure?: (failure: Failure) => void): Promise<unknown> {
		const { session } = this;
		let last: Failure | undefined;
		for (let tries = 0; ; tries += 1) {
			const exchange = await session.exchange(planned, this.deadline);
			if (!exchange) throw new ServiceError(tooLong(session.options, planned, last));
			const { failure, body } = exchange;
			if (!failure) {
				this.since = session.clock.now();
				return body;
			}
			if (!(await this.isWorthRepeating(planned, failure, tries))) {
				throw new ServiceError({ ...failure, outcome: outcomeOf(planned, failure) });
			}
			session.repeats += 1;
			last = failure;
			onFailure?.(failure);
		}
	}

	/** Waits before a repeat; false where there is to be none. After a throttled request the pacer does the waiting. */
	private async isWorthRepeating(
		planned: Planned,
		failure: Failure,
		tries: number,
	): Promise<boolean> {
		const patience = this.session.patience(planned, failure);
		const isUsedUp = patience === 'few' && tries >= fewTries;
		if (isUsedUp) this.session.despair();
		if (isUsedUp || patience === 'never') return false;
		if (failure.cause === 'throttled' || failure.cause === 'maintenance') return true;
		return await this.backOff(tries);
	}

	/** Waits before another try, longer each time; false, and at once, where the row may not wait that long. */
	async backOff(tries: number): Promise<boolean> {
		const { clock } = this.session;
		const wait = backOff(tries - 1);
		if (clock.now() + wait > this.deadline) return false;
		await clock.sleep(wait);
		return true;
	}
}
