import { LinkTrigger } from '../../nodes/LinkTrigger/LinkTrigger.node';
import { isRecord } from '../../nodes/shared/contract/values';
import {
	isExpired,
	linkChanges,
	minute,
	plainLink,
	type NewLinks,
	type Operation,
	type Pick,
	type PollLink,
} from './eventExamples.ts';
import { PollAccount, type PollAnswer } from './pollAccount.ts';
import { PollOracle, type Watched } from './pollOracle.ts';
import type { Engine, Polled } from './pollingTrigger.ts';
import { PollRun } from './pollRun.ts';

/** What goes wrong with a request of a poll, apart from other error statuses. */
export const pollFaults = [
	...(['cut', 'deadline', 'drop', 'html', 'limit', 'maintenance', 'order', 'overlap'] as const),
	...(['page', 'refuse', 'total', 'unauthorized'] as const),
] as const;

type PollFault = (typeof pollFaults)[number] | number;

/** What a request of a poll meets, counted from 1. */
export interface Meeting {
	readonly request: number;
	readonly before: readonly Operation[];
	readonly after: readonly Operation[];
	readonly fault?: PollFault;
}

export type Step =
	| { readonly kind: 'clock'; readonly milliseconds: number }
	| { readonly kind: 'do'; readonly operations: readonly Operation[] }
	| { readonly kind: 'poll'; readonly meetings: readonly Meeting[]; readonly isAbandoned: boolean }
	| { readonly kind: 'restart'; readonly isStart: boolean; readonly meetings: readonly Meeting[] }
	| { readonly kind: 'settle' };

export interface History {
	readonly engine: Engine;
	readonly watched: Omit<Watched, 'remembered'>;
	/** Max number of links on a page. */
	readonly pageSize: number;
	readonly before: readonly Operation[];
	readonly activation: readonly Meeting[];
	readonly steps: readonly Step[];
	/**
	 * Max number of requests of a poll, by turns. Without it, polls have all the time that they need. Polls that settle have
	 * it too, but for Link Created alone: other events find less than everything with so few requests.
	 */
	readonly budgets?: readonly number[];
}

/** A link like some others: each number stands for another mixture. */
function linkLike(like: number, number: number): Omit<PollLink, 'id'> {
	const chance = (like * 7 + number * 3) % 24;
	// In some accounts, the lists of disabled and expired links have several pages too.
	const [isOff, isPast] = [like % 4 === 1, like % 4 === 2].map(
		(isMost) => isMost && chance % 4 > 0,
	);
	return {
		...plainLink,
		alias: `${['a', 'spring', 'x-spring', 'Spring'][(like + number) % 4]}-${like}-${number}`,
		domain: chance % 3 === 0 ? 2 : 1,
		space: [undefined, 1, 2][chance % 3],
		pixels: [[], [1], [1, 2], [2]][chance % 4] ?? [],
		clicks: [0, 0, 0, 5, 9, 99, 150, 1000][(chance * 5) % 8] ?? 0,
		disabled: isOff || chance % 6 === 1,
		endsAt: isPast || chance % 8 === 3 ? -minute : chance % 8 === 5 ? 10 * minute : undefined,
		expirationClicks: chance % 12 === 7 ? 10 : undefined,
	};
}

interface PageMeta {
	readonly current_page: number;
	readonly total: number;
}

const networkError = (code: string) => Object.assign(new Error(code), { code });

const answer = (statusCode: number, body: string, headers = {}): PollAnswer => ({
	statusCode,
	headers: { 'content-type': 'application/json', ...headers },
	body,
});

/** Answers that do not depend on the request. */
const answers: Readonly<Partial<Record<PollFault, PollAnswer>>> = {
	html: answer(200, '<html></html>'),
	limit: answer(429, '{}', { 'retry-after': '30' }),
	maintenance: answer(503, '{}', { 'retry-after': '60' }),
	unauthorized: answer(401, '{"message": "Unauthenticated."}'),
};

/** Returns a list with another order, page number or total than it has. */
function lie({ statusCode, body }: PollAnswer, about: 'order' | 'page' | 'total'): PollAnswer {
	const { data, meta, ...rest } = JSON.parse(body) as { data: unknown; meta?: PageMeta };
	if (!Array.isArray(data) || !meta) return answer(statusCode, body);
	const [items, total] = [
		about === 'order' ? data.toReversed() : data,
		about === 'total' ? 0 : meta.total,
	];
	const current_page = meta.current_page + (about === 'page' ? 1 : 0);
	return answer(
		200,
		JSON.stringify({ data: items, meta: { ...meta, total, current_page }, ...rest }),
	);
}

/** Faults that do not keep a poll from reading all that it wants. */
const isHarmless = (fault: PollFault | undefined) => fault === undefined || fault === 'overlap';

/** Plays a history, and compares what the trigger reports with what happened. */
export class PollHistory {
	readonly oracle: PollOracle;

	readonly account: PollAccount;

	readonly run: PollRun;

	private readonly history: History;

	private readonly held: number[] = [];

	private made = 0;

	/** What the requests of the poll under way meet. */
	private meetings: readonly Meeting[] = [];

	private requests = 0;

	private polls = 0;

	/** Max number of requests of the poll under way. */
	private budget = Infinity;

	/** Whether polls have all the requests that they need, whatever the budgets are. */
	private isUnlimited = false;

	/** Whether the poll under way has read the newest links. */
	private hasReadNewest = false;

	/** Whether something went wrong with the poll under way, other than a request that it may repeat. */
	private isDisturbed = false;

	/** Whether the workflow is being switched on. n8n polls on schedule only after that. */
	private isActivating = false;

	/** Ends the time of the poll under way. */
	private deadline = new AbortController();

	/** How far the clock of the machine is wrong. */
	private skew = 0;

	constructor(history: History) {
		const { pageSize, engine, watched } = history;
		this.history = history;
		// The newest page shows a link that becomes visible late, next to the newer ones.
		const remembered = Math.min(90, pageSize - 1);
		this.oracle = new PollOracle({ ...watched, remembered });
		this.account = new PollAccount(pageSize, (before, after) => {
			this.oracle.note((after ?? before)?.id ?? 0, after, this.account.now);
		});
		const { events, thresholds, minNewClicks, startFrom, filters } = watched;
		const parameters = {
			...{ events, thresholds: thresholds.join(', '), startFrom, filters },
			minNewClicks,
		};
		this.run = new PollRun(
			new LinkTrigger(),
			engine,
			parameters,
			async (url) => await this.meet(url),
		);
	}

	/** Plays the history to its end. */
	async play(): Promise<void> {
		const { now } = Date;
		const { timeout } = AbortSignal;
		Date.now = () => now() + this.skew;
		// No poll is to end because this machine is slow.
		AbortSignal.timeout = () => (this.deadline = new AbortController()).signal;
		try {
			const { before, activation, steps } = this.history;
			for (const operation of before) this.do(operation);
			await this.activate(activation);
			for (const step of steps) await this.step(step);
			await this.settle();
		} finally {
			Date.now = now;
			AbortSignal.timeout = timeout;
		}
	}

	private async step(step: Step): Promise<void> {
		switch (step.kind) {
			case 'clock':
				this.skew += step.milliseconds;
				return;
			case 'do':
				for (const operation of step.operations) this.do(operation);
				return;
			case 'poll':
				if (step.isAbandoned) await this.abandon(step.meetings);
				else await this.poll(step.meetings);
				return;
			case 'restart':
				await this.restart(step.meetings, step.isStart);
				return;
			case 'settle':
				await this.settle();
		}
	}

	/** Answers a request of the trigger, and does what happens meanwhile. */
	private async meet(url: string): Promise<PollAnswer> {
		this.requests += 1;
		// This request still gets its answer, and no other one leaves.
		if (this.requests >= this.budget) this.deadline.abort();
		const { searchParams } = new URL(url);
		if (searchParams.get('sort_by') === 'id' && searchParams.get('sort') === 'desc')
			this.hasReadNewest = true;
		const meeting = this.meetings.find(({ request }) => request === this.requests);
		if (!meeting) return this.account.read(url);
		for (const operation of meeting.before) this.do(operation);
		const answered = await this.spoil(url, meeting.fault);
		for (const operation of meeting.after) this.do(operation);
		return answered;
	}

	private async spoil(url: string, fault: PollFault | undefined): Promise<PollAnswer> {
		if (!isHarmless(fault)) this.isDisturbed = true;
		if (fault === 'refuse') throw networkError('ECONNREFUSED');
		if (fault === 'drop') throw networkError('ECONNRESET');
		if (fault === 'overlap') await this.overlap();
		if (fault === 'deadline') this.deadline.abort();
		if (typeof fault === 'number') return answer(fault, '{}');
		const ready = fault && answers[fault];
		if (ready) return ready;
		const own = this.account.read(url);
		if (fault === 'cut') return { ...own, body: own.body.slice(0, -5) };
		return fault === 'order' || fault === 'page' || fault === 'total' ? lie(own, fault) : own;
	}

	/** The classic engine polls while a poll is under way: that one must keep quiet. */
	private async overlap(): Promise<void> {
		if (this.history.engine !== 'classic' || this.isActivating) return;
		const [sent, meetings] = [this.requests, this.meetings];
		this.meetings = [];
		const { events, error } = await this.run.poll();
		this.meetings = meetings;
		if (events.length > 0 || error !== undefined || this.requests !== sent) {
			throw new Error('A poll did something while another one was under way');
		}
	}

	private begin(meetings: readonly Meeting[]): number {
		this.meetings = meetings;
		this.requests = 0;
		this.isDisturbed = false;
		this.hasReadNewest = false;
		const { budgets = [] } = this.history;
		this.budget = (this.isUnlimited ? undefined : budgets[this.polls % budgets.length]) ?? Infinity;
		this.polls += 1;
		return this.oracle.pollBegins();
	}

	private end(polled: Polled, began: number): void {
		const { events, error, isSaved = false } = polled;
		this.meetings = [];
		if (error !== undefined && !this.isDisturbed) throw error;
		const { engine } = this.history;
		// Each failing poll of the durable engine tells why, so that n8n waits.
		if (error && !isRecord(error.failure)) throw error;
		const isRead = !this.isDisturbed && this.hasReadNewest;
		const readNew = isRead && (engine === 'classic' || isSaved);
		this.oracle.pollEnds(events, began, { isSaved, readNew });
	}

	private async poll(meetings: readonly Meeting[]): Promise<number> {
		const began = this.begin(meetings);
		const polled = await this.run.poll();
		this.end(polled, began);
		return polled.events.length;
	}

	/** Switches the workflow on, again and again until that succeeds. */
	private async activate(meetings: readonly Meeting[], isStart = false): Promise<void> {
		for (let tries = 0; tries < 3; tries += 1) {
			const began = this.begin(tries === 0 ? meetings : []);
			this.isActivating = true;
			const polled = await this.run.activate(isStart ? 'init' : 'activate');
			this.isActivating = false;
			this.end(polled, began);
			if (polled.error === undefined) return;
		}
		throw new Error('The workflow cannot be activated');
	}

	private async restart(meetings: readonly Meeting[], isStart: boolean): Promise<void> {
		if (this.history.engine === 'classic') this.oracle.reverted();
		await this.activate(meetings, isStart);
	}

	/** n8n is stopped during a poll, and started again. */
	private async abandon(meetings: readonly Meeting[]): Promise<void> {
		this.begin(meetings);
		await this.run.abandon();
		await this.restart([], true);
	}

	/** Polls while nothing happens, until everything must have been seen. */
	private async settle(): Promise<void> {
		this.do({ kind: 'show' });
		this.isUnlimited = this.history.watched.events.some((event) => event !== 'created');
		const polls = this.pollsToSettle() + this.pollsForBudgets();
		for (let poll = 0; poll < polls; poll += 1) await this.poll([]);
		this.isUnlimited = false;
		this.oracle.settle();
	}

	/** More polls that a backlog of all links needs within the budgets: three requests for a page, and a search twice. */
	private pollsForBudgets(): number {
		const { budgets = [], pageSize } = this.history;
		if (this.isUnlimited || budgets.length === 0) return 0;
		const pages = Math.ceil(this.account.links.size / pageSize) + 1;
		return Math.ceil((3 * pages + 4 * Math.log2(pages) + 10) / Math.min(...budgets));
	}

	/** Number of polls that the slowest part needs, which reads a page of a list with each poll. */
	private pollsToSettle(): number {
		const { watched, pageSize } = this.history;
		const links = [...this.account.links.values()];
		const pagesOf = (list: readonly PollLink[]) => Math.ceil(list.length / pageSize);
		const off = pagesOf(links.filter(({ disabled }) => disabled));
		const expired = pagesOf(links.filter((link) => isExpired(link, this.account.now)));
		// Every other poll reads the end of the list instead.
		const all = watched.events.includes('deleted') ? 2 * pagesOf(links) : 0;
		return 6 + Math.max(off, expired, all) + Math.ceil(this.made / (10 * pageSize));
	}

	/** The links that an operation is about. */
	private picked({ from, count, stride }: Pick): PollLink[] {
		const visible = [...this.account.links.values()].filter(({ isVisible }) => isVisible);
		const first = Math.floor(from * visible.length);
		const picked: PollLink[] = [];
		for (let index = first; index < visible.length && picked.length < count; index += stride) {
			const link = visible[index];
			if (link) picked.push(link);
		}
		return picked;
	}

	private create({ count, like, gap }: NewLinks, isVisible: boolean): void {
		for (let number = 0; number < count; number += 1) {
			this.made += 1;
			// Gaps of all sizes.
			const between = gap === 0 ? 0 : (this.made * this.made) % (gap + 1);
			const { id } = this.account.create({ ...linkLike(like, this.made), isVisible }, between);
			if (!isVisible) this.held.push(id);
		}
	}

	private do(operation: Operation): void {
		const { account } = this;
		switch (operation.kind) {
			case 'create':
			case 'hold':
				return this.create(operation, operation.kind === 'create');
			case 'show':
				for (const id of this.held.splice(0)) account.change(id, { isVisible: true });
				return;
			case 'delete':
				for (const { id } of this.picked(operation.pick)) account.delete(id);
				return;
			case 'replace':
				// As many come as go.
				for (const { id } of this.picked(operation.pick)) {
					account.delete(id);
					this.create({ count: 1, like: id % 24, gap: 0 }, true);
				}
				return;
			case 'swap':
				return this.swap(operation);
			case 'pass':
				account.now += operation.minutes * minute;
				for (const [id, link] of account.links) {
					if (link.endsAt !== undefined) this.oracle.note(id, link, account.now);
				}
				return;
			default:
				for (const link of this.picked(operation.pick)) {
					const change = linkChanges[operation.kind](link, operation.value, account.now);
					account.change(link.id, change);
				}
		}
	}

	/** One comes into each state, and another one leaves it, so that all counts stay the same. */
	private swap({ pick, other, threshold }: Extract<Operation, { kind: 'swap' }>): void {
		const { account } = this;
		const visible = [...account.links.values()].filter(({ isVisible }) => isVisible);
		for (const coming of this.picked({ ...pick, count: Math.min(pick.count, 3) })) {
			const going = visible[Math.floor(other * visible.length)];
			if (!going || going.id === coming.id) continue;
			const { disabled, endsAt, expirationClicks, clicks } = coming;
			account.change(coming.id, {
				disabled: going.disabled,
				endsAt: going.endsAt,
				expirationClicks: going.expirationClicks,
				clicks: Math.max(clicks, going.clicks, threshold),
			});
			if (threshold > 0 && going.clicks >= threshold) account.delete(going.id);
			else account.change(going.id, { disabled, endsAt, expirationClicks });
		}
	}
}
