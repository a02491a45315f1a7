import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { scopeParams } from '../../shared/contract/scope';
import type { Account } from '../../shared/transport/account';
import type { ClientOptions } from '../../shared/transport/client';
import { accountOf, connect, timeZoneOf } from '../../shared/transport/connect';
import { ServiceError, type Failure } from '../../shared/transport/failures';
import type { DetectorContext, TriggerEvent } from '../detectors/detector';
import type { EventDefinition } from '../eventDefinition';
import { fitsFilters, fixedFilters, readSettings, type PollSettings } from '../settings';
import { DetectorRun } from './detectorRun';
import { fingerprint } from './fingerprint';
import { itemOf } from './items';
import { hasAny } from './knownLinks';
import { pollError } from './pollError';
import { PollRequests } from './pollRequests';
import { sampleItems } from './sample';
import {
	hasFailed,
	noteFailure,
	readState,
	stateFor,
	writeState,
	type PollState,
} from './storedState';

/** Max time of a poll in n8n's durable engine in milliseconds, if n8n does not provide it. */
const defaultBudget = 36_000;

/** Returns a unique name of the node in this process. Outside n8n the node may have no workflow. */
function pollerKey(context: IPollFunctions): string {
	const { getWorkflow }: Partial<IPollFunctions> = context;
	return `${getWorkflow?.call(context).id ?? ''} ${context.getNode().id}`;
}

/**
 * The nodes with a poll in progress, by their static data and by their names. n8n's classic engine can start a poll while
 * the last poll is in progress. The durable engine does so if two poll times of a node are due at once, with separate static
 * data for each poll.
 */
const inProgress = new Set<IDataObject | string>();

/** The static data of the nodes that are active: one of their polls has succeeded, or n8n itself has just started. */
const active = new WeakSet<IDataObject>();

/** Returns whether a poll activates the workflow because n8n has started. */
const isStartOfN8n = (context: IPollFunctions): boolean =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

/**
 * Returns whether a poll throws a failure. n8n retries a failed activation a few times, and each try must fail. When n8n
 * starts, it would deactivate the workflow after these tries. Later, the classic engine stores that a failure was thrown, so
 * that an outage is thrown once. The durable engine starts each poll with separate static data.
 */
function isThrown(context: IPollFunctions, staticData: IDataObject): boolean {
	const isStart = isStartOfN8n(context);
	if (active.has(staticData)) return noteFailure(staticData, true);
	// The next poll reports the failure.
	if (isStart) active.add(staticData);
	return !isStart;
}

/** The nodes whose last poll failed after it read some of the lists. */
const failedInPart = new Set<string>();

/**
 * Returns whether a failing poll does not throw: every second poll with a new state. The durable engine discards the state of a
 * poll that throws.
 */
function staysQuiet(context: IPollFunctions, hasLearned: boolean): boolean {
	const name = pollerKey(context);
	if (failedInPart.delete(name)) return hasLearned;
	if (hasLearned) failedInPart.add(name);
	return false;
}

/** Returns options that end a poll before n8n's timeout. */
function clientOptions(context: IPollFunctions): ClientOptions {
	// Older versions of n8n do not provide it.
	const { getPollBudgetMs }: Partial<IPollFunctions> = context;
	const budget = Math.min(defaultBudget, getPollBudgetMs?.call(context) ?? defaultBudget);
	return {
		concurrency: 1,
		requestsPerMinute: 0,
		maxWait: budget * 0.14,
		timeout: budget * 0.22,
		isPoll: true,
		signal: AbortSignal.timeout(budget * 0.5),
	};
}

/** Returns the numbers that distinguish the events of a poll: an event can happen to a link again between two requests. */
function occurrencesOf(events: readonly TriggerEvent[], beginning: string): string[] {
	const counts = new Map<string, number>();
	return events.map(({ event, id }) => {
		const key = `${event} ${id}`;
		const count = (counts.get(key) ?? 0) + 1;
		counts.set(key, count);
		return count > 1 ? `${beginning}-${count}` : beginning;
	});
}

/** Returns the text by which the state remembers a warning. */
const markOf = ({ message }: Failure): string => fingerprint(message, 10);

/** Returns a warning that the node has not reported yet. */
const newWarning = (warning: Failure | undefined, { warned }: PollState): Failure | undefined =>
	warning && markOf(warning) !== warned ? warning : undefined;

/** The settings and the account of a poll. */
interface PollInput {
	readonly definitions: readonly EventDefinition[];
	readonly settings: PollSettings;
	readonly account: Account;
}

/** Polls once. Returns the events since the last poll as output items. */
async function poll(
	context: IPollFunctions,
	{ definitions, settings, account }: PollInput,
	staticData: IDataObject,
): Promise<INodeExecutionData[]> {
	const { filters, output } = settings;
	const events: TriggerEvent[] = [];
	const detectorContext: DetectorContext = {
		...settings,
		params: scopeParams(filters),
		fixedParams: scopeParams(fixedFilters(filters)),
		fits: (link) => fitsFilters(filters, link),
		report: (event) => events.push(event),
	};
	const client = await connect(context, clientOptions(context));
	try {
		const scope = {
			...account,
			filters: filters.map(({ property, text }) => `${property.name} ${text}`),
		};
		const state = await stateFor(readState(staticData), scope, async (links) => {
			const requests = new PollRequests(client, links.length, () => undefined);
			return await hasAny(requests, links);
		});
		const selected = definitions.filter(({ value }) => settings.events.has(value));
		const detectors = new Set(selected.map(({ detector }) => detector));
		const run = new DetectorRun(detectors, detectorContext, state);
		const failure = await run.poll(client);
		const hasEvents = events.length > 0;
		const round = state.round + (hasEvents ? 1 : 0);
		const isActive = active.has(staticData);
		const news = newWarning(run.warning, state);
		const isStart = isStartOfN8n(context) && !isActive;
		const problem = failure ?? (hasEvents || isStart || hasFailed(staticData) ? undefined : news);
		const warned = news && problem !== news ? state.warned : run.warning && markOf(run.warning);
		// If the poll could read nothing, for example with a wrong key, the last state still applies.
		if (!failure || hasEvents || run.hasLearned) {
			writeState(staticData, { ...state, round, warned, ...run.store() });
		}
		const hasState = run.hasLearned || problem === news;
		if (problem && !hasEvents && (isActive || !staysQuiet(context, hasState))) {
			throw new ServiceError(problem);
		}
		const occurrences = occurrencesOf(events, `${state.startId}-${round}`);
		return events.map((event, index) =>
			itemOf(event, { root: account.root, occurrence: occurrences[index] ?? '', output }),
		);
	} finally {
		client.close();
	}
}

/** Polls, unless a poll of the same node is in progress, which finds the same events. */
async function pollAlone(
	context: IPollFunctions,
	staticData: IDataObject,
	work: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const keys = [staticData, pollerKey(context)];
	if (keys.some((key) => inProgress.has(key))) return [];
	keys.forEach((key) => inProgress.add(key));
	const items = await work().finally(() => keys.forEach((key) => inProgress.delete(key)));
	active.add(staticData);
	noteFailure(staticData, false);
	return items;
}

/**
 * Polls the service for events since the last poll. In a test of the workflow, returns a test event.
 *
 * @param definitions the table of events
 * @returns null if there are no events
 * @throws NodeOperationError for a wrong setting; NodeApiError if the service cannot be read. In the classic engine, it
 * throws only at the first failure of an outage.
 */
export async function pollNode(
	context: IPollFunctions,
	definitions: readonly EventDefinition[],
): Promise<INodeExecutionData[][] | null> {
	const staticData = context.getWorkflowStaticData('node');
	const isTest = context.getMode() === 'manual';
	const work = async () => {
		const settings = readSettings(context, definitions, await timeZoneOf(context));
		const account = await accountOf(context);
		return isTest
			? await sampleItems(context, definitions, settings, account)
			: await poll(context, { definitions, settings, account }, staticData);
	};
	try {
		const items = isTest ? await work() : await pollAlone(context, staticData, work);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		if (!isTest && !isThrown(context, staticData)) return null;
		throw pollError(context.getNode(), error);
	}
}
