import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { scopeParams } from '../contract/scope';
import type { ClientOptions } from '../transport/client';
import type { Account } from '../transport/account';
import { accountOf, connect, credentialName } from '../transport/connect';
import { ServiceError } from '../transport/serviceError';
import { itemOf } from './items';
import { fingerprint } from './packing';
import { pollError } from './pollError';
import { sampleItems } from './sample';
import { fitsFilters, fixedOf, readSettings, type PollSettings } from './settings';
import { identify, noteFailure, readState, writeState } from './state';
import type { Happening, TriggerContract, WatchContext } from './types';
import { Watches } from './watches';

/** What n8n gives a poll at most in its durable engine, in milliseconds, where it does not tell. */
const usualBudget = 36_000;

/** Tells a node from all others of this process; outside of n8n there may be no workflow around it. */
function nameOf(context: IPollFunctions): string {
	const { getWorkflow }: Partial<IPollFunctions> = context;
	return `${getWorkflow?.call(context).id ?? ''} ${context.getNode().id}`;
}

/**
 * The nodes that are polled at this moment, by their static data and by their names. n8n's classic engine begins another poll
 * while the last one is still at work. Its durable one does where two poll times of a node are due at once, and gives each poll
 * static data of its own.
 */
const underway = new Set<IDataObject | string>();

/** Static data of the nodes that are active: a poll of theirs has succeeded, or n8n itself has just been started. */
const active = new WeakSet<IDataObject>();

/**
 * Whether a failure is to be thrown. n8n tries an activation that failed a few times more, and each try is to fail. When n8n
 * starts, it would give up the workflow for good after those. Later on, it keeps in its classic engine that a failure was
 * thrown, so that an outage is thrown once, and in its durable engine it begins each poll with static data of its own.
 */
function isThrown(context: IPollFunctions, staticData: IDataObject): boolean {
	const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
	if (active.has(staticData)) return noteFailure(staticData, true);
	// The next poll tells it.
	if (isStart) active.add(staticData);
	return !isStart;
}

/** Nodes whose last poll failed although it could read a part of the lists. */
const failedInPart = new Set<string>();

/**
 * Whether a failing poll shall not tell, so that n8n's durable engine, which drops what a failing poll has learned, keeps what
 * this one has learned of the lists that can be read: every other one.
 */
function isKept(context: IPollFunctions, hasLearned: boolean): boolean {
	const name = nameOf(context);
	if (failedInPart.delete(name)) return hasLearned;
	if (hasLearned) failedInPart.add(name);
	return false;
}

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
		isPoll: true,
		signal: AbortSignal.timeout(budget * 0.5),
	};
}

/** Polls once: what has happened since the last poll, as output items. */
async function poll(
	context: IPollFunctions,
	trigger: TriggerContract,
	settings: PollSettings,
	{ root, apiKey }: Account,
	staticData: IDataObject,
): Promise<INodeExecutionData[]> {
	const { filters, output } = settings;
	const happenings: Happening[] = [];
	const watchContext: WatchContext = {
		...settings,
		contract: trigger.resource,
		params: scopeParams(filters),
		fixedParams: scopeParams(fixedOf(filters)),
		fits: (resource) => fitsFilters(filters, resource),
		report: (happening) => happenings.push(happening),
	};
	const { of, state } = await identify(readState(staticData), {
		root,
		apiKey,
		pastedKey: String((await context.getCredentials(credentialName)).apiKey),
		filters: filters.map(({ property, text }) => `${property.name} ${text}`),
	});
	const watches = new Watches(trigger, watchContext, of, state);
	const client = await connect(context, clientOptions(context));
	const failure = await watches.look(client).finally(() => client.close());
	const hasFound = happenings.length > 0;
	const round = state.round + (hasFound ? 1 : 0);
	// Where nothing could be read, as with a wrong key, what was known before still counts.
	if (!failure || hasFound || watches.hasLearned) {
		writeState(staticData, { ...state, round, ...watches.store() });
	}
	const isKnown = active.has(staticData);
	if (failure && !hasFound && (isKnown || !isKept(context, watches.hasLearned))) {
		throw new ServiceError(failure);
	}
	const service = fingerprint(root, 4);
	/** The same can happen to a resource again, between the requests of one poll. */
	const counts = new Map<string, number>();
	return happenings.map((happening) => {
		const key = `${happening.event} ${happening.id}`;
		const count = (counts.get(key) ?? 0) + 1;
		counts.set(key, count);
		const occurrence = [state.begun, round, ...(count > 1 ? [count] : [])].join('-');
		return itemOf(happening, { service, occurrence, output });
	});
}

/** A poll, unless another one of the same node is under way: that one sees what this one would. */
async function pollAlone(
	context: IPollFunctions,
	staticData: IDataObject,
	work: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const keys = [staticData, nameOf(context)];
	if (keys.some((key) => underway.has(key))) return [];
	keys.forEach((key) => underway.add(key));
	const items = await work().finally(() => keys.forEach((key) => underway.delete(key)));
	active.add(staticData);
	noteFailure(staticData, false);
	return items;
}

/**
 * Polls a service for what has happened since the last poll. In a test of the workflow, shows what an event looks like.
 *
 * @returns null where nothing has happened
 * @throws NodeOperationError for a setting that cannot be; NodeApiError where the service cannot be read. In n8n's classic
 * engine, once until a poll succeeds again.
 */
export async function pollNode(
	context: IPollFunctions,
	trigger: TriggerContract,
): Promise<INodeExecutionData[][] | null> {
	const staticData = context.getWorkflowStaticData('node');
	const isTest = context.getMode() === 'manual';
	const work = async () => {
		const settings = readSettings(context, trigger);
		const account = await accountOf(context);
		return isTest
			? await sampleItems(context, trigger, settings, account)
			: await poll(context, trigger, settings, account, staticData);
	};
	try {
		const items = isTest ? await work() : await pollAlone(context, staticData, work);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		if (!isTest && !isThrown(context, staticData)) return null;
		throw pollError(context.getNode(), error);
	}
}
