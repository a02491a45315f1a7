import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { scopeParams } from '../contract/scope';
import type { ClientOptions } from '../transport/client';
import { accountOf, connect, type Account } from '../transport/connect';
import { RowRequests } from '../transport/rowRequests';
import { ServiceError, type Failure } from '../transport/serviceError';
import { idNumber } from './idList';
import { itemOf } from './items';
import { fingerprint } from './packing';
import { pollError } from './pollError';
import { OutOfRequests, Reading } from './reading';
import { Rolling } from './rolling';
import { sampleItems } from './sample';
import { fitsFilters, fixedOf, readSettings, type PollSettings } from './settings';
import { isReported, noteFailure, readState, writeState, type PollState } from './state';
import type {
	BeginWatch,
	Happening,
	StoredWatch,
	TriggerContract,
	Watch,
	WatchContext,
} from './types';

/** So many requests a poll makes at most: the first one, by which a workflow is activated, and each other one. */
const mostRequests = { first: 5, other: 150 };

/** What n8n gives a poll at most in its durable engine, in milliseconds, where it does not tell. */
const usualBudget = 36_000;

/** Static data of the polls under way: n8n's classic engine begins another one while the last is still at work. */
const underway = new WeakSet<IDataObject>();

/** The requests of a poll leave while there is time; no answer is waited for so long that n8n gives up the poll. */
function clientOptions(context: IPollFunctions): ClientOptions {
	// An older n8n does not have it.
	const { getPollBudgetMs }: Partial<IPollFunctions> = context;
	const budget = Math.min(usualBudget, getPollBudgetMs?.call(context) ?? usualBudget);
	return {
		concurrency: 1,
		requestsPerMinute: 0,
		maxWait: budget * 0.14,
		timeout: budget * 0.22,
		ignoreMissing: false,
		signal: AbortSignal.timeout(budget * 0.5),
	};
}

/** The watches of a poll by their names. */
type Watches = Map<string, Watch>;

/** The name of the rolling read among the watches. */
const rollingName = 'rolling';

/** Begins the watches that the node's events need, each where it left off. What it watches is named by `of`. */
function beginWatches(
	trigger: TriggerContract,
	context: WatchContext,
	state: PollState,
	of: string,
): Watches {
	const begin = <T extends Watch>(
		name: string,
		beginWith: (stored: StoredWatch | undefined) => T,
	): [string, T] => {
		const known = state.watches.get(name);
		const stored = known?.of === of ? known.stored : undefined;
		try {
			return [name, beginWith(stored)];
		} catch {
			// What was stored is broken.
			return [name, beginWith(undefined)];
		}
	};
	const beginEach = (name: string, beginWatch: BeginWatch) =>
		begin(name, (stored) => beginWatch(context, stored));
	const watches = trigger.watches
		.filter(({ events }) => events.some((event) => context.events.has(event)))
		.map(({ name, begin: beginWatch }) => beginEach(name, beginWatch));
	const rolling = watches.flatMap(([, watch]) => watch.rolling ?? []);
	const reader = begin(rollingName, (stored) => new Rolling(context, rolling, stored));
	return new Map<string, Watch>(rolling.length > 0 ? [...watches, reader] : watches);
}

/** The watches in their order, beginning with the one at which the last poll came to its end. */
function inTurn(watches: Watches, resumeAt: string | undefined): Array<[string, Watch]> {
	const all = [...watches];
	const first = all.findIndex(([name]) => name === resumeAt);
	return first < 0 ? all : [...all.slice(first), ...all.slice(0, first)];
}

/** Whether a failure is about the service as a whole, so that no other request would do better. */
const isOutage = ({ cause, statusCode, isOfRun }: Failure): boolean =>
	isOfRun === true ||
	cause === 'connectFailed' ||
	cause === 'maintenance' ||
	[401, 403].includes(statusCode ?? 0);

/** What ended a poll, or a watch of it. */
type Ending = 'goesOn' | 'isOver' | Failure;

/** Lets a watch look, and tells whether the poll goes on. */
async function lookWith(watch: Watch, reading: Reading): Promise<Ending> {
	const looking = watch.look?.(reading) ?? Promise.resolve();
	const error = await looking.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	if (error === undefined) return 'goesOn';
	if (error instanceof OutOfRequests) return 'isOver';
	if (!(error instanceof ServiceError)) throw error;
	const { cause } = error.failure;
	return cause === 'rateLimited' || cause === 'ended' ? 'isOver' : error.failure;
}

/** What one poll has found. */
interface Polled {
	readonly happenings: readonly Happening[];
	readonly failure?: Failure;
	/** Name of the watch at which it came to its end too early. */
	readonly endedAt?: string;
}

/** Lets all watches look once. */
async function look(
	context: IPollFunctions,
	trigger: TriggerContract,
	watchContext: WatchContext,
	happenings: Happening[],
	watches: Watches,
	{ resumeAt, most }: { readonly resumeAt?: string; readonly most: number },
): Promise<Polled> {
	const client = await connect(context, clientOptions(context));
	const see = (resource: IDataObject) => {
		if (watchContext.fits(resource) === false) return;
		const id = idNumber(resource);
		for (const watch of watches.values()) watch.see?.(resource, id);
	};
	const reading = new Reading(new RowRequests(client, 0), trigger.resource, most, (resources) =>
		resources.forEach(see),
	);
	let failure: Failure | undefined;
	try {
		for (const [name, watch] of inTurn(watches, resumeAt)) {
			const ending = await lookWith(watch, reading);
			if (ending === 'isOver') return { happenings, failure, endedAt: name };
			if (ending === 'goesOn') continue;
			failure ??= ending;
			if (isOutage(ending)) break;
		}
		return { happenings, failure };
	} finally {
		client.close();
	}
}

/** One poll: what has happened since the last one, as output items. */
async function poll(
	context: IPollFunctions,
	trigger: TriggerContract,
	settings: PollSettings,
	{ root, apiKey }: Account,
	staticData: IDataObject,
): Promise<INodeExecutionData[]> {
	const state = readState(staticData);
	const { filters, events, thresholds, startsFromAll, output } = settings;
	const happenings: Happening[] = [];
	const watchContext: WatchContext = {
		contract: trigger.resource,
		params: scopeParams(filters),
		fixedParams: scopeParams(fixedOf(filters)),
		fits: (resource) => fitsFilters(filters, resource),
		startsFromAll,
		events,
		thresholds,
		report: (happening) => happenings.push(happening),
	};
	const texts = filters.map(({ property, text }) => `${property.name} ${text}`);
	const of = fingerprint([root, apiKey, ...texts].join('\n'), 10);
	const watches = beginWatches(trigger, watchContext, state, of);
	const isFirst = [...watches.keys()].every((name) => state.watches.get(name)?.of !== of);
	const most = isFirst ? mostRequests.first : mostRequests.other;
	const { resumeAt } = state;
	const limits = { resumeAt, most };
	const polled = await look(context, trigger, watchContext, happenings, watches, limits);
	const kept = [...watches].map(([name, watch]) => [name, { of, stored: watch.store() }] as const);
	const round = state.round + (happenings.length > 0 ? 1 : 0);
	writeState(staticData, {
		...state,
		round,
		watches: new Map(kept),
		resumeAt: polled.endedAt,
	});
	if (polled.failure && happenings.length === 0) {
		const isKnown = isReported(staticData);
		noteFailure(staticData, true);
		if (!isKnown) throw pollError(context.getNode(), polled.failure);
	} else {
		noteFailure(staticData, false);
	}
	const service = fingerprint(root, 4);
	return happenings.map((happening) =>
		itemOf(happening, { service, occurrence: `${state.begun}-${round}`, output }),
	);
}

/**
 * Polls a service for what has happened since the last poll.
 *
 * @returns null where nothing has
 * @throws NodeOperationError for a setting that cannot be; NodeApiError where the service cannot be read, with the
 * `failure` that n8n's durable engine looks at: in its classic engine once until the service can be read again
 */
export async function pollNode(
	context: IPollFunctions,
	trigger: TriggerContract,
): Promise<INodeExecutionData[][] | null> {
	const settings = readSettings(context, trigger);
	const staticData = context.getWorkflowStaticData('node');
	const isTest = context.getMode() === 'manual';
	if (!isTest && underway.has(staticData)) return null;
	underway.add(staticData);
	try {
		const account = await accountOf(context);
		const items = isTest
			? await sampleItems(context, trigger, settings, account)
			: await poll(context, trigger, settings, account, staticData);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		throw error instanceof ServiceError ? pollError(context.getNode(), error.failure) : error;
	} finally {
		underway.delete(staticData);
	}
}
