import {
	NodeApiError,
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
	type INodePropertyOptions,
	type INodeType,
} from 'n8n-workflow';
import { newestFirst, searchParams } from '../contract/operations';
import { forEditor, oneLine } from '../contract/text';
import { webAddressOf } from '../contract/readers';
import type { Resource } from '../contract/types';
import { shorten } from '../contract/values';
import { connect } from '../transport/connect';
import { fetchPage, type ListRequest, type Page } from '../transport/pages';
import { RowRequests } from '../transport/rowRequests';
import { joinSentences, ServiceError, settled } from '../transport/failures';

/**
 * Returns a method that loads a list that the node already has. It sends no request. With this method, n8n's AI builder does not
 * get every value of the list, and thousands of characters for each operation.
 */
export const fixedChoices = (choices: INodePropertyOptions[]) => async () => choices;

/** A search of the editor: the current text, and the token of the previous result. */
export type ListSearch = NonNullable<NonNullable<INodeType['methods']>['listSearch']>[string];

/** A list of the service whose resources become entries of a dropdown. */
export interface Source extends ListRequest {
	/** Entries on a page. */
	readonly size: number;
	/** Max number of pages to read; all pages if undefined. */
	readonly pages?: number;
	/** Returns the entry of a resource; undefined if it has none. */
	readonly entryOf: (resource: Resource) => INodeListSearchItems | undefined;
}

/** Max number of characters of an entry's name. */
const maxEntryName = 200;

/** Returns an entry for a resource with an ID. It includes only web addresses, which the editor can open. */
export function entry(id: unknown, name: string, url?: unknown): INodeListSearchItems | undefined {
	if (typeof id !== 'number' && typeof id !== 'string') return undefined;
	const address = webAddressOf(url);
	const open = address === null ? {} : { url: address };
	return { name: oneLine(shorten(name || String(id), maxEntryName)), value: id, ...open };
}

/** Returns the sources of a search: a source for each searchable field, or the whole list if there is no text. */
export function searched(
	source: Omit<Source, 'params'>,
	searchBy: readonly string[],
	filter: string | undefined,
): Source[] {
	const search = filter?.trim();
	const searches = search ? searchBy.map((by) => searchParams(by, search)) : [[]];
	return searches.map((params) => ({ ...source, params: [...params, ...newestFirst] }));
}

/** Max time in milliseconds for a list. n8n does not notify the node if the user closes the list. */
const maxTime = 30_000;

type Question<T> = (requests: RowRequests) => Promise<T>;

/** Sends requests for the editor, with the credential of the node. */
async function answerTo<T>(context: ILoadOptionsFunctions, question: Question<T>) {
	const answer = async () => {
		// The user waits for the list, so it precedes other requests, and fails soon if the service fails.
		const client = await connect(context, {
			concurrency: 1,
			pace: 0,
			maxWait: 3_000,
			timeout: 10_000,
			caller: 'editor',
			signal: AbortSignal.timeout(maxTime),
		});
		return await question(new RowRequests(client)).finally(() => client.close());
	};
	return await settled(answer());
}

/**
 * Requests the data of a list that is loaded at once.
 *
 * @throws NodeOperationError, because the editor shows only the messages of such errors, as HTML
 */
export async function requestOptions<T>(context: ILoadOptionsFunctions, question: Question<T>) {
	const answer = await answerTo(context, question);
	if (!(answer instanceof ServiceError)) return answer;
	const { message, advice } = answer.failure;
	throw forEditor(new NodeOperationError(context.getNode(), joinSentences(message, advice)));
}

/** Number of entries that make a dropdown scrollable. It requests more entries when the user scrolls. */
const screenful = 20;

/** Max number of pages per screenful, so that a search with few results does not exhaust a rate limit. */
const maxPagesPerSearch = 10;

/** Returns whether a source has another page. If the service ignores the page parameter, it has none. */
function hasMore({ size, pages = Infinity }: Source, page: Page, requested: number): boolean {
	if (page.number !== undefined && page.number !== requested) return false;
	return requested < pages && (page.more ?? page.items.length >= size);
}

/**
 * Fills a dropdown: reads the sources one after the other, until it has a screenful or all entries. It returns duplicate
 * entries of two sources once. The editor removes entries that it already shows.
 *
 * @param token the position from the previous result, a source and a page of it; any other text is the start
 * @returns the entries, and a token if there may be more entries
 * @throws NodeApiError, because the editor shows its message and description as text instead of the list
 */
export async function searchSources(
	context: ILoadOptionsFunctions,
	sources: readonly Source[],
	token = '',
): Promise<INodeListSearchResult> {
	const answer = await answerTo(context, async (requests) => {
		const entries = new Map<INodeListSearchItems['value'], INodeListSearchItems>();
		const [, firstSource = 0, firstPage = 1] = /^(\d+):(\d+)$/.exec(token) ?? [];
		let [source, number] = [Number(firstSource), Number(firstPage)];
		for (let reads = 0; reads < maxPagesPerSearch && entries.size < screenful; reads += 1) {
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
		const paginationToken = source < sources.length ? `${source}:${number}` : undefined;
		return { results: [...entries.values()], paginationToken };
	});
	if (!(answer instanceof ServiceError)) return answer;
	const { message, advice, host, statusCode } = answer.failure;
	// The editor shows these statuses itself, with a link to the credential.
	const httpCode = statusCode === 401 || statusCode === 403 ? String(statusCode) : undefined;
	const text = httpCode ? message.replace(` (HTTP ${httpCode})`, '') : message;
	// The editor removes hyphens from a message, so the host is in the description.
	const shown = host === undefined ? text : text.replaceAll(host, 'Base URL');
	const description = host === undefined ? advice : `${host}: ${advice}`;
	throw new NodeApiError(context.getNode(), {}, { message: shown, description, httpCode });
}
