import {
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';
import { linkContract } from '../../Link/link.contract';
import { newestFirst, type Param } from '../../shared/contract/endpoints';
import { scopeParams, type Scope } from '../../shared/contract/scope';
import type { Account } from '../../shared/transport/account';
import type { ApiClient, ClientOptions } from '../../shared/transport/client';
import { connect } from '../../shared/transport/connect';
import { fetchPage } from '../../shared/transport/pages';
import { RowRequests } from '../../shared/transport/rowRequests';
import { readChosenLink } from '../detectors/chosenLinks';
import type { EventDefinition } from '../eventDefinition';
import { fitsFilters, type PollSettings } from '../settings';
import { DeletedLinkFields } from './deletedLinkFields';
import { idNumber } from './idList';
import { itemOf } from './items';
import { PollRequests } from './pollRequests';

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

/** A link that a test event shows, and the event's row in the table of events. */
interface Example {
	readonly definition: EventDefinition;
	readonly link: IDataObject;
	/** Why the link is no example of the event, if it only replaces one. */
	readonly hint?: string;
}

/** The reads of the links that can be examples. */
interface ReadLinks {
	/** Returns links of the first page of a list that match the filters. */
	readonly list: (params: readonly Param[], filters: Scope) => Promise<IDataObject[]>;
	/** Returns the first links in Links to Watch, without those that the service does not have. */
	readonly chosen: () => Promise<IDataObject[]>;
}

/** Max number of links in Links to Watch that are read for a test event. */
const maxChosenRead = 5;

const watchesChosenLinks = ({ sample }: EventDefinition, { chosenLinks }: PollSettings): boolean =>
	sample.chosenAdvice !== undefined && chosenLinks.length > 0;

/** Returns a link to which one of the events could have happened. */
async function findExample(
	events: readonly EventDefinition[],
	settings: PollSettings,
	read: ReadLinks,
): Promise<Example | undefined> {
	for (const definition of events) {
		const { params, isExample } = definition.sample;
		const links = watchesChosenLinks(definition, settings)
			? await read.chosen()
			: await read.list(params, settings.filters);
		const link = links.find((each) => isExample?.(each, settings) ?? true);
		if (link) return { definition, link };
	}
	return undefined;
}

function adviceFor(events: readonly EventDefinition[], settings: PollSettings): string {
	const advice = events.map((definition) =>
		watchesChosenLinks(definition, settings)
			? definition.sample.chosenAdvice
			: definition.sample.advice,
	);
	return [...new Set(advice)].join(' ');
}

const noMatch =
	'No link matches the filters, so this is your newest link. Change the filters, or create a link that matches them.';

/** Returns the newest link that matches the filters, or the newest link of the account. */
async function findStandIn(
	events: readonly EventDefinition[],
	settings: PollSettings,
	read: ReadLinks,
): Promise<Example | undefined> {
	const [definition] = events;
	if (!definition) return undefined;
	const names = events.map(({ name }) => name).join(', ');
	const { filters } = settings;
	// Filters do not apply to chosen links.
	const isFiltered =
		filters.length > 0 && events.some((each) => !watchesChosenLinks(each, settings));
	const newest = isFiltered ? 'the newest link that matches the filters' : 'your newest link';
	const noExample = `No link is an example of ${names}, so this is ${newest}. ${adviceFor(events, settings)}`;
	const searches: ReadonlyArray<readonly [scope: Scope, hint: string]> = isFiltered
		? [
				[filters, noExample],
				[[], noMatch],
			]
		: [[[], noExample]];
	for (const [scope, hint] of searches) {
		const [link] = await read.list(newestFirst, scope);
		if (link) return { definition, link, hint };
	}
	return undefined;
}

async function readChosenLinks(
	client: ApiClient,
	{ chosenLinks }: PollSettings,
): Promise<IDataObject[]> {
	const requests = new PollRequests(client, Infinity, () => undefined);
	const links: IDataObject[] = [];
	for (const chosen of chosenLinks.slice(0, maxChosenRead)) {
		const link = await readChosenLink(chosen, requests);
		if (link) links.push(link);
	}
	return links;
}

/** Returns the output item of a test event. */
function itemOfExample(
	{ definition, link, hint }: Example,
	settings: PollSettings,
	root: string,
): INodeExecutionData {
	const { value, sample } = definition;
	const id = idNumber(link);
	const fields = new DeletedLinkFields([], undefined);
	if (sample.isGone) fields.note(link, id);
	const event = {
		...{ event: value, id, link: sample.isGone ? undefined : link, earlierFields: fields.of(id) },
		once: 'test',
		extra: { ...(hint && { test: true, hint }), ...sample.extraOf?.(link, settings) },
	};
	return itemOf(event, { root, occurrence: '', output: settings.output });
}

/**
 * Returns a test event: a real link as one of the selected events would report it. If there is no such link, returns the
 * newest link, with `test` and `hint`: n8n shows no hints of a poll. Stores nothing.
 *
 * @throws NodeOperationError if there is no link; ServiceError if a read fails
 */
export async function sampleItems(
	context: IPollFunctions,
	events: readonly EventDefinition[],
	settings: PollSettings,
	{ root }: Account,
): Promise<INodeExecutionData[]> {
	const client = await connect(context, sampleClientOptions);
	const requests = new RowRequests(client);
	const read: ReadLinks = {
		list: async (params, filters) => {
			const listing = { path: linkContract.path, params: [...scopeParams(filters), ...params] };
			const { items } = await fetchPage(requests, listing, pageSize, 1);
			return items.filter((link) => fitsFilters(filters, link) !== false);
		},
		chosen: async () => await readChosenLinks(client, settings),
	};
	const selected = events.filter(({ value }) => settings.events.has(value));
	try {
		const example =
			(await findExample(selected, settings, read)) ??
			(await findStandIn(selected, settings, read));
		if (example) return [itemOfExample(example, settings, root)];
	} finally {
		client.close();
	}
	const names = selected.map(({ name }) => name).join(', ');
	throw new NodeOperationError(
		context.getNode(),
		`The account has no link for a test event of ${names}`,
		{ description: 'Create a link.' },
	);
}
