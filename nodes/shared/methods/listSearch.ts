import {
	NodeApiError,
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
} from 'n8n-workflow';
import { newestFirst } from '../contract/endpoints';
import { forEditor, oneLine } from '../contract/escape';
import { webAddressOf } from '../contract/readers';
import type { Resource } from '../contract/types';
import { shorten } from '../contract/values';
import type { ClientOptions } from '../transport/client';
import { connect } from '../transport/connect';
import { fetchPage, type ListRequest, type Page } from '../transport/pages';
import { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled, type Failure } from '../transport/serviceError';

/** A search of the editor: the text typed so far, and where an earlier answer ended. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
) => Promise<INodeListSearchResult>;

/** A list of the service that a dropdown takes its entries from. */
export interface Source extends ListRequest {
	/** Entries on a page. */
	readonly size: number;
	/** So many pages are read at most; all of them unless told. */
	readonly pages?: number;
	/** The entry that a resource makes, if it makes one. */
	readonly entryOf: (resource: Resource) => INodeListSearchItems | undefined;
}

/** Max number of characters of an entry's name. */
const maxName = 200;

/** An entry, for resources that have an ID. Of addresses, the editor opens those of the web. */
export function entry(id: unknown, name: string, url?: unknown): INodeListSearchItems | undefined {
	if (typeof id !== 'number' && typeof id !== 'string') return undefined;
	const address = webAddressOf(url);
	const open = address === null ? {} : { url: address };
	return { name: oneLine(shorten(name || String(id), maxName)), value: id, ...open };
}

/** The sources of a search: one for each field that the service can search by; without a text, the whole list. */
export function searched(
	source: Omit<Source, 'params'>,
	searchBy: readonly string[],
	filter: string | undefined,
): Source[] {
	const search = filter?.trim();
	if (!search) return [{ ...source, params: newestFirst }];
	return searchBy.map((by) => ({
		...source,
		params: [['search', search], ['search_by', by], ...newestFirst],
	}));
}

/** Max time in milliseconds for a list. n8n does not tell the node if the user closes the list. */
const maxTime = 30_000;

/** A user waits for the list: it goes before other requests, and a failing service shows its error soon. */
const options = (): ClientOptions => ({
	concurrency: 1,
	requestsPerMinute: 0,
	maxWait: 3_000,
	timeout: 10_000,
	isInteractive: true,
	signal: AbortSignal.timeout(maxTime),
});

type Question<T> = (requests: RowRequests) => Promise<T>;

/** Asks the service something while a person looks at the node, with the credential that the node has chosen. */
async function answerTo<T>(
	context: ILoadOptionsFunctions,
	question: Question<T>,
): Promise<ServiceError | T> {
	const answer = async () => {
		const client = await connect(context, options());
		return await question(new RowRequests(client, 0)).finally(() => client.close());
	};
	return await settled(answer());
}

/** The editor drops the hyphens of a message, so a host is named in the text under it, where it can be copied. */
function editorTexts({ message, advice, host }: Failure) {
	return host === undefined
		? { message, advice }
		: { message: message.replaceAll(host, 'Base URL'), advice: `${host}: ${advice}` };
}

/** One of these the editor shows itself, with a link to the credential. */
const credentialStatuses: ReadonlyArray<Failure['statusCode']> = [401, 403];

/**
 * Answers a list that is searched.
 *
 * @throws NodeApiError, whose message and description the editor shows as text in place of the list
 */
async function requestList<T>(context: ILoadOptionsFunctions, question: Question<T>): Promise<T> {
	const answer = await answerTo(context, question);
	if (!(answer instanceof ServiceError)) return answer;
	const { statusCode } = answer.failure;
	const { message, advice } = editorTexts(answer.failure);
	const isShown = credentialStatuses.includes(statusCode);
	const text = isShown ? message.replace(` (HTTP ${statusCode})`, '') : message;
	const httpCode = isShown ? String(statusCode) : undefined;
	throw new NodeApiError(context.getNode(), {}, { message: text, description: advice, httpCode });
}

/**
 * Answers a list that comes as a whole.
 *
 * @throws NodeOperationError, because for such a list the editor shows the message of no other error, as HTML
 */
export async function requestOptions<T>(
	context: ILoadOptionsFunctions,
	question: Question<T>,
): Promise<T> {
	const answer = await answerTo(context, question);
	if (!(answer instanceof ServiceError)) return answer;
	const { message, advice } = answer.failure;
	throw forEditor(new NodeOperationError(context.getNode(), `${message}. ${advice}`));
}

/** Where a dropdown goes on: which of its sources, and which page of it. */
interface Place {
	readonly source: number;
	readonly page: number;
}

/** A dropdown that holds so many entries can be scrolled, and asks for more when it is. */
const screenful = 20;

/** So many pages are read for one screenful, so that a search that finds little does not exhaust a rate limit. */
const maxReads = 10;

/** The place that the editor hands back when it wants more; the beginning for anything else. */
function placeOf(token: string | undefined): Place {
	const [, source, page] = token?.match(/^(\d+):(\d+)$/) ?? [];
	return { source: Number(source ?? 0), page: Number(page ?? 1) };
}

/** Whether a source has a page after this one. A service that ignores the page asked for has no other. */
function hasMore({ size, pages = Infinity }: Source, page: Page, requested: number): boolean {
	if (page.number !== undefined && page.number !== requested) return false;
	return requested < pages && (page.more ?? page.items.length >= size);
}

/**
 * Fills a dropdown: reads the sources one after the other, until there is a screenful or nothing is left. An entry that
 * two sources hold comes once; the editor itself drops what an earlier screenful held.
 *
 * @param token where an earlier answer ended; undefined for the beginning
 * @returns the entries, and a token if there may be more
 * @throws NodeApiError, whose message and description the editor shows in place of the list
 */
export const searchSources = async (
	context: ILoadOptionsFunctions,
	sources: readonly Source[],
	token: string | undefined,
): Promise<INodeListSearchResult> =>
	await requestList(context, async (requests) => {
		const entries = new Map<INodeListSearchItems['value'], INodeListSearchItems>();
		let { source, page: number } = placeOf(token);
		for (let reads = 0; reads < maxReads && entries.size < screenful; reads += 1) {
			const current = sources[source];
			if (!current) break;
			const page = await fetchPage(requests, current, current.size, number);
			for (const resource of page.items) {
				const entry = current.entryOf(resource);
				if (entry && !entries.has(entry.value)) entries.set(entry.value, entry);
			}
			if (hasMore(current, page, number)) number += 1;
			else [source, number] = [source + 1, 1];
		}
		const results = [...entries.values()];
		return source < sources.length
			? { results, paginationToken: `${source}:${number}` }
			: { results };
	});
