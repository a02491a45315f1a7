import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { linkContract } from '../Link/link.contract';
import { newestFirst } from '../shared/contract/operations';
import { settingsError } from '../shared/execute/errors';
import type { MakeOutput } from '../shared/execute/options';
import { list } from '../shared/operations/list';
import type { ApiClient } from '../shared/transport/client';
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

/**
 * Returns a test event: the newest link that matches the filters, as the first selected event would report it, with
 * `test: true`. Stores nothing.
 *
 * @throws NodeOperationError if there is no such link; ServiceError if a read fails
 */
export async function testPoll(context: IPollFunctions, client: ApiClient, settings: PollSettings) {
	const { params, fits, output } = settings;
	const [event] = settings.selected;
	const [link] = await list(new RowRequests(client), {
		path: linkContract.path,
		params: [...params, ...newestFirst],
		limit: 1,
		isWanted: (each) => fits(each) !== false,
	});
	if (link && event) {
		const id = idNumber(link);
		const gone = event.isGone && deletedFields(id, link.alias);
		const extra = { test: true, ...gone, ...event.testFields?.(link, settings) };
		const shown = { event: event.value, id, once: 'test', extra, ...(!gone && { link }) };
		return itemsOf([shown], client.service.root, '', output);
	}
	const advice = 'A test event shows your newest link that matches. Create one, or change Filters.';
	throw settingsError(context.getNode(), 'No link matches the filters', advice);
}
