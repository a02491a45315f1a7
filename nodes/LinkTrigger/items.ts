import {
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';
import { linkContract } from '../Link/link.contract';
import { newestFirst } from '../shared/contract/operations';
import type { MakeOutput } from '../shared/execute/options';
import { list } from '../shared/operations/list';
import { connect } from '../shared/transport/connect';
import { RowRequests } from '../shared/transport/rowRequests';
import { deletedFields, type TriggerEvent } from './detectors/detector';
import { fingerprint } from './encoding';
import { idNumber } from './reader';
import type { PollSettings } from './settings';

/**
 * Returns the output items of events. An `eventId` is the same whenever the same event is reported again, and differs for each
 * other event, so that Remove Duplicates can use it.
 *
 * @param root address of the API
 * @param poll distinguishes the poll from all others
 */
export function itemsOf(
	events: readonly TriggerEvent[],
	root: string,
	poll: string,
	output: MakeOutput,
): INodeExecutionData[] {
	const counts = new Map<string, number>();
	return events.map(({ event, id, link, once, extra }) => {
		// An event can happen to a link again between two requests.
		const count = (counts.get(`${event} ${id}`) ?? 0) + 1;
		counts.set(`${event} ${id}`, count);
		const occurrence = once ?? (count > 1 ? `${poll}-${count}` : poll);
		const parts = [event, fingerprint(root, 4), id, occurrence];
		const eventId = parts.filter((part) => part !== '').join('-');
		const head: IDataObject = { event, eventId, ...extra };
		// A table shows the first columns without scrolling. The second `head` replaces fields of the service with the same names.
		return { json: { ...head, ...(link && output(link)), ...head } };
	});
}

/** The user waits for the response. */
const testOptions = {
	...({ concurrency: 1, pace: 0, caller: 'editor' } as const),
	...{ maxWait: 3_000, timeout: 10_000 },
};

/**
 * Returns a test event: the newest link that matches the filters, as the first selected event would report it, with
 * `test: true`. Stores nothing.
 *
 * @param root address of the API
 * @throws NodeOperationError if there is no such link; ServiceError if a read fails
 */
export async function testItems(
	context: IPollFunctions,
	settings: PollSettings,
	root: string,
): Promise<INodeExecutionData[]> {
	const { params, fits, output } = settings;
	const [event] = settings.selected;
	const client = await connect(context, { ...testOptions, signal: AbortSignal.timeout(20_000) });
	const [link] = await list(new RowRequests(client), {
		path: linkContract.path,
		params: [...params, ...newestFirst],
		limit: 1,
		isWanted: (each) => fits(each) !== false,
	}).finally(() => client.close());
	if (link && event) {
		const id = idNumber(link);
		const gone = event.isGone && deletedFields(id, link.alias);
		const extra = { test: true, ...gone, ...event.testFields?.(link, settings) };
		const shown = { event: event.value, id, once: 'test', extra, ...(!gone && { link }) };
		return itemsOf([shown], root, '', output);
	}
	throw new NodeOperationError(context.getNode(), 'No link matches the filters', {
		description: 'A test event shows your newest link that matches. Create one, or change Filters.',
	});
}
