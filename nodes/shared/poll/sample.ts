import {
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';
import { scopeParams } from '../contract/scope';
import type { Account } from '../transport/account';
import { connect } from '../transport/connect';
import type { ClientOptions } from '../transport/client';
import { fetchPage } from '../transport/pages';
import { RowRequests } from '../transport/rowRequests';
import { idNumber } from './idList';
import { itemOf } from './items';
import { fingerprint } from './packing';
import { fitsFilters, type PollSettings } from './settings';
import type { Sample, TriggerContract } from './types';

/** A person waits for the answer. */
const options: ClientOptions = {
	concurrency: 1,
	requestsPerMinute: 0,
	maxWait: 3_000,
	timeout: 10_000,
	isInteractive: true,
};

/** A page of a list is enough to find one that fits the filters. */
const pageSize = 25;

/**
 * A test event: the first resource that one of the node's events could happen to, as the event would report it. Nothing of
 * it is remembered.
 *
 * @throws NodeOperationError that says what to do to see one; ServiceError if a read fails
 */
export async function sampleItems(
	context: IPollFunctions,
	{ resource: contract, events }: TriggerContract,
	{ events: wanted, filters, thresholds, output }: PollSettings,
	{ root }: Account,
): Promise<INodeExecutionData[]> {
	const client = await connect(context, options);
	const requests = new RowRequests(client, 0);
	const exampleOf = async ({ params, tell }: Sample) => {
		const listing = { path: contract.path, params: [...scopeParams(filters), ...params] };
		const { items } = await fetchPage(requests, listing, pageSize, 1);
		for (const resource of items) {
			const told = tell ? tell(resource, thresholds) : ({} as IDataObject);
			if (told && fitsFilters(filters, resource) !== false) return { resource, told };
		}
		return undefined;
	};
	const chosen = events.filter(({ value }) => wanted.has(value));
	try {
		for (const { value, sample } of chosen) {
			const found = await exampleOf(sample);
			if (!found) continue;
			const { resource, told } = found;
			const happening = {
				event: value,
				id: idNumber(resource),
				resource: sample.isGone ? undefined : resource,
				once: 'test',
				told,
			};
			return [itemOf(happening, { service: fingerprint(root, 4), occurrence: '', output })];
		}
	} finally {
		client.close();
	}
	const things = `${contract.value}${filters.length > 0 ? ' that fits the filters' : ''}`;
	const names = chosen.map(({ name }) => name).join(', ');
	throw new NodeOperationError(context.getNode(), `No ${things} can stand for ${names} yet`, {
		description: [...new Set(chosen.map(({ sample }) => sample.advice))].join(' '),
	});
}
