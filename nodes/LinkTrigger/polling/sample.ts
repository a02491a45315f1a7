import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';
import { linkContract } from '../../Link/link.contract';
import { scopeParams } from '../../shared/contract/scope';
import type { Account } from '../../shared/transport/account';
import type { ClientOptions } from '../../shared/transport/client';
import { connect } from '../../shared/transport/connect';
import { fetchPage } from '../../shared/transport/pages';
import { RowRequests } from '../../shared/transport/rowRequests';
import type { EventDefinition, Sample } from '../eventDefinition';
import { fitsFilters, type PollSettings } from '../settings';
import { idNumber } from './idList';
import { itemOf } from './items';

/** The user waits for the response. */
const sampleClientOptions: ClientOptions = {
	concurrency: 1,
	requestsPerMinute: 0,
	maxWait: 3_000,
	timeout: 10_000,
	isInteractive: true,
};

/** One page of a list is enough to find a link that matches the filters. */
const pageSize = 25;

/**
 * Returns a test event: a real link as one of the selected events would report it. Stores nothing.
 *
 * @throws NodeOperationError with what to do if there is no such link; ServiceError if a read fails
 */
export async function sampleItems(
	context: IPollFunctions,
	events: readonly EventDefinition[],
	settings: PollSettings,
	{ root }: Account,
): Promise<INodeExecutionData[]> {
	const { filters, thresholds, output } = settings;
	const client = await connect(context, sampleClientOptions);
	const requests = new RowRequests(client, 0);
	const exampleOf = async ({ params, extraOf }: Sample) => {
		const listing = { path: linkContract.path, params: [...scopeParams(filters), ...params] };
		const { items } = await fetchPage(requests, listing, pageSize, 1);
		for (const link of items) {
			const extra = extraOf ? extraOf(link, thresholds) : {};
			if (extra && fitsFilters(filters, link) !== false) return { link, extra };
		}
		return undefined;
	};
	const selected = events.filter(({ value }) => settings.events.has(value));
	try {
		for (const { value, sample } of selected) {
			const example = await exampleOf(sample);
			if (!example) continue;
			const { link, extra } = example;
			const shown = sample.isGone ? undefined : link;
			const event = { event: value, id: idNumber(link), link: shown, once: 'test', extra };
			return [itemOf(event, { root, occurrence: '', output })];
		}
	} finally {
		client.close();
	}
	const links = `link${filters.length > 0 ? ' that matches the filters' : ''}`;
	const names = selected.map(({ name }) => name).join(', ');
	throw new NodeOperationError(
		context.getNode(),
		`No ${links} was found for a test event of ${names}`,
		{
			description: [...new Set(selected.map(({ sample }) => sample.advice))].join(' '),
		},
	);
}
