// What the Link Trigger costs: 50,000 links, 100 polls and 200 changes between them, for each event and for all together.
// `node bench/trigger.ts` prints the requests of its polls, the size of its state, and whether every event came once.
// It needs `npm run build`. `--links 5000` measures a smaller account, `--events created,deleted` these events together, and
// `--json` prints JSON.
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { PollAccount, usualWays } from '../test/support/pollAccount.ts';
import { PollOracle, type Watched } from '../test/support/pollOracle.ts';
import { PollRun, type PollingNode } from '../test/support/pollRun.ts';
import { seededRandom } from '../test/support/virtualClock.ts';

const { values: options } = parseArgs({
	options: {
		changes: { type: 'string', default: '200' },
		events: { type: 'string' },
		json: { type: 'boolean', default: false },
		links: { type: 'string', default: '50000' },
		polls: { type: 'string', default: '100' },
		seed: { type: 'string', default: '1' },
	},
});
const size = Number(options.links);
const polls = Number(options.polls);
const changes = Number(options.changes);

const { LinkTrigger } = createRequire(import.meta.url)(
	'../dist/nodes/LinkTrigger/LinkTrigger.node.js',
) as { LinkTrigger: new () => PollingNode };

const allEvents = [
	'created',
	'deleted',
	'disabled',
	'enabled',
	'expired',
	'clicksReached',
	'updated',
];

/** So many quiet polls let the slowest read come round: a page of a list with each poll, or 20 of all links. */
function pollsToSettle(events: readonly string[]): number {
	const pages = Math.ceil(size / 100);
	const all = 2 * pages + 20;
	if (events.includes('updated')) return Math.ceil(all / 20) + 20;
	return events.includes('clicksReached') ? all : Math.ceil(pages / 10) + 20;
}

interface Measured {
	readonly events: string;
	/** Polls until the whole account was known, and the most requests that one of them made. */
	readonly firstPolls: number;
	readonly firstRequests: number;
	/** Requests of a poll that found nothing, before the first change: least and most. */
	readonly quiet: string;
	/** The same of the 100 polls between which something changed: on average, and the most. */
	readonly busyMean: number;
	readonly busyMost: number;
	/** Events that came, all of them once. */
	readonly reported: number;
	/** Polls after the last change, until everything was reported. */
	readonly latePolls: number;
	readonly stateBytes: number;
	/** Milliseconds of a poll, the service and the encoding of the state included. */
	readonly milliseconds: number;
}

class Measurement {
	private readonly random = seededRandom(Number(options.seed));

	private readonly oracle: PollOracle;

	private readonly account: PollAccount;

	private readonly run: PollRun;

	private readonly events: readonly string[];

	private stateBytes = 0;

	constructor(events: readonly string[]) {
		this.events = events;
		const watched: Watched = {
			events,
			thresholds: [100, 1000],
			startFrom: 'now',
			filters: {},
			expiredHoldsDisabled: true,
			remembered: 90,
		};
		this.oracle = new PollOracle(watched);
		// The first links are noted by the oracle as well, so that it knows what was there.
		this.account = new PollAccount(
			{ ...usualWays, hasRandomTies: false },
			Number(options.seed),
			(before, after) => this.oracle.note((after ?? before)?.id ?? 0, after, this.account.now),
		);
		const parameters = { events, thresholds: '100, 1000', startFrom: 'now', filters: {} };
		this.run = new PollRun(new LinkTrigger(), 'durable', parameters, (url) =>
			this.account.read(url),
		);
		for (let number = 0; number < size; number += 1) this.create(number);
	}

	/** A link like those of a real account: few are off or expired, few are clicked often. */
	private create(number: number): void {
		const { random } = this;
		this.account.create(
			{
				alias: `link-${number}`,
				url: `https://example.com/${number}`,
				domain: 1,
				space: random() < 0.3 ? 1 : undefined,
				pixels: [],
				clicks: Math.floor(1.2 / (random() + 0.0005)),
				disabled: random() < 0.02,
				endsAt: random() < 0.02 ? -60_000 : undefined,
				expirationClicks: undefined,
				privacy: 0,
				countries: {},
				isVisible: true,
			},
			random() < 0.1 ? 1 : 0,
		);
	}

	/** Changes something at random. */
	private change(number: number): void {
		const { account, random } = this;
		const ids = [...account.links.keys()];
		const id = ids[Math.floor(random() * ids.length)] ?? 0;
		const { clicks = 0, disabled = false, endsAt } = account.links.get(id) ?? {};
		const chance = random();
		if (chance < 0.15) this.create(size + number);
		else if (chance < 0.3) account.delete(id);
		else if (chance < 0.38) account.change(id, { disabled: !disabled });
		else if (chance < 0.45) {
			const off = ids.filter((one) => account.links.get(one)?.disabled);
			account.change(off[Math.floor(random() * off.length)] ?? 0, { disabled: false });
		} else if (chance < 0.6)
			account.change(id, { endsAt: endsAt === undefined ? -1000 : undefined });
		else if (chance < 0.8) account.change(id, { clicks: clicks < 100 ? 100 : clicks + 1000 });
		else if (chance < 0.85) account.change(id, { clicks: clicks + 1 });
		else account.change(id, { url: `https://example.com/changed/${number}` });
	}

	/** @returns requests of one poll */
	private async poll(isActivation = false): Promise<number> {
		const { account, oracle, run } = this;
		const before = account.requests;
		const began = oracle.pollBegins();
		const { items, error, isSaved } = isActivation ? await run.activate() : await run.tick();
		if (error !== undefined) throw error;
		oracle.pollEnds(items, began, { isSaved, readNew: isSaved });
		this.stateBytes = Math.max(this.stateBytes, run.stored.length);
		return account.requests - before;
	}

	async measure(): Promise<Measured> {
		const toSettle = pollsToSettle(this.events);
		const first = [await this.poll(true)];
		for (let poll = 0; poll < toSettle; poll += 1) first.push(await this.poll());
		const settled = first.slice(-Math.floor(toSettle / 2));
		const [least, most] = [Math.min(...settled), Math.max(...settled)];
		const firstPolls = first.findLastIndex((requests) => requests > most) + 1;
		this.oracle.settle();
		const startedAt = performance.now();
		const busy: number[] = [];
		let number = 0;
		for (let poll = 0; poll < polls; poll += 1) {
			const due = Math.round((changes * (this.random() + poll)) / polls);
			const until = poll === polls - 1 ? changes : Math.min(changes, due);
			for (; number < until; number += 1) this.change(number);
			busy.push(await this.poll());
		}
		const milliseconds = (performance.now() - startedAt) / polls;
		let late = 0;
		for (let poll = 1; poll <= toSettle; poll += 1) {
			const before = this.oracle.eventCount;
			await this.poll();
			if (this.oracle.eventCount > before) late = poll;
		}
		this.oracle.settle();
		return {
			events: this.events.length === allEvents.length ? 'all' : this.events.join(', '),
			firstPolls,
			firstRequests: Math.max(...first),
			quiet: [...new Set([least, most])].join(' to '),
			busyMean: Math.round((busy.reduce((sum, one) => sum + one, 0) / busy.length) * 10) / 10,
			busyMost: Math.max(...busy),
			reported: this.oracle.eventCount,
			latePolls: late,
			stateBytes: this.stateBytes,
			milliseconds: Math.round(milliseconds),
		};
	}
}

const measured: Measured[] = [];
const chosen = options.events?.split(',');
const each = [...allEvents.map((event) => [event]), ['disabled', 'enabled'], allEvents];
for (const events of chosen ? [chosen] : each) {
	measured.push(await new Measurement(events).measure());
}
if (options.json) console.log(JSON.stringify(measured, null, '\t'));
else console.table(measured);
