import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { ApiClient } from '../shared/transport/client';
import type { ClientOptions } from '../shared/transport/limiter';
import { accountOf, connect, timeZoneOf } from '../shared/transport/connect';
import { ServiceError } from '../shared/transport/failures';
import { runDetectors } from './detectorRun';
import type { TriggerEvent } from './detectors/detector';
import { itemsOf, testPoll } from './items';
import { isThrown, pollAlone, pollError, staysQuiet } from './outages';
import { readState, stateFor, stateName } from './pollState';
import { PollReader } from './reader';
import { readSettings, type PollSettings } from './settings';

/** Max number of requests of the first poll, during which n8n activates the workflow. */
const maxFirstRequests = 5;

/** Max time of a poll in n8n's durable engine in milliseconds, if n8n does not provide it. */
const defaultBudget = 36_000;

/** Returns options that end a poll, or a test, before n8n's timeout: no request starts after half of the time. */
function pollOptions(context: IPollFunctions, caller: 'editor' | 'poll'): ClientOptions {
	// Older versions of n8n do not provide it.
	const { getPollBudgetMs }: Partial<IPollFunctions> = context;
	const budget = Math.min(defaultBudget, getPollBudgetMs?.call(context) ?? defaultBudget);
	const times = { maxWait: Math.round(budget * 0.14), timeout: budget * 0.22 };
	return { ...times, concurrency: 1, pace: 0, caller, signal: AbortSignal.timeout(budget * 0.5) };
}

/** Polls once. Returns the events since the last poll as output items. */
async function poll(context: IPollFunctions, client: ApiClient, settings: PollSettings) {
	const staticData = context.getWorkflowStaticData('node');
	const account = await accountOf(context);
	const reader = new PollReader(client);
	const state = await stateFor(readState(staticData), account, settings.filterTexts, reader);

	const events: TriggerEvent[] = [];
	const detectors = new Set(settings.selected.map(({ detector }) => detector));
	const isFirst = [...detectors].every(({ name }) => !(name in state.parts));
	if (isFirst) reader.remaining = maxFirstRequests;
	const report = (event: TriggerEvent) =>
		void (settings.events.has(event.event) && events.push(event));
	const input = { ...settings, report };
	const { failure, hasLearned, ...polled } = await runDetectors(detectors, input, state, reader);

	// If the poll could read nothing, for example with a wrong key, the last state still applies.
	const round = state.round + (events.length > 0 ? 1 : 0);
	const isKept = !failure || events.length > 0 || hasLearned;
	if (isKept) staticData[stateName] = { ...polled.state, round };
	if (failure && events.length === 0 && !staysQuiet(context, hasLearned)) {
		throw new ServiceError(failure);
	}
	return itemsOf(events, account.root, `${state.startId}-${round}`, settings.output);
}

/**
 * Polls the service for events since the last poll. In a test of the workflow, returns a test event.
 *
 * @returns null if there are no events
 * @throws NodeOperationError for a wrong setting; NodeApiError if the service cannot be read. In the classic engine, it
 * throws only at the first failure of an outage.
 */
export async function pollNode(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isTest = context.getMode() === 'manual';
	try {
		const settings = readSettings(context, await timeZoneOf(context));
		const client = await connect(context, pollOptions(context, isTest ? 'editor' : 'poll'));
		const work = isTest
			? testPoll(context, client, settings)
			: pollAlone(context, async () => await poll(context, client, settings));
		const items = await work.finally(() => client.close());
		return items.length > 0 ? [items] : null;
	} catch (error) {
		if (!isTest && !isThrown(context)) return null;
		throw pollError(context.getNode(), error);
	}
}
