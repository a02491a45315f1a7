import {
	NodeApiError,
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { newestFirst, searchParams } from '../contract/operations';
import { forEditor, oneLine } from '../contract/text';
import { webAddressOf } from '../contract/readers';
import type { Resource } from '../contract/types';
import { shorten } from '../contract/values';
import type { ClientOptions } from '../transport/limiter';
import { connect } from '../transport/connect';
import { fetchPage, type ListRequest, type Page } from '../transport/pages';
import { RowRequests } from '../transport/rowRequests';
import { type Failure, joinSentences, ServiceError, settled } from '../transport/failures';

/**
 * Returns a method that loads a list that the node already has. It sends no request. With this method, n8n's AI builder does not
 * get every value of the list, and thousands of characters for each operation.
 */
export const fixedChoices = (choices: INodePropertyOptions[]) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return choices;
	};

/** A search of the editor: the current text, and the token of the previous result. */
export type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
) => Promise<INodeListSearchResult>;

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
	if (!search) return [{ ...source, params: newestFirst }];
	return searchBy.map((by) => ({
		...source,
		params: [...searchParams(by, search), ...newestFirst],
	}));
}

/** Max time in milliseconds for a list. n8n does not notify the node if the user closes the list. */
const maxTime = 30_000;

/** The user waits for the list, so it precedes other requests, and fails soon if the service fails. */
const searchClientOptions = (): ClientOptions => ({
	concurrency: 1,
	pace: 0,
	maxWait: 3_000,
	timeout: 10_000,
	caller: 'editor',
	signal: AbortSignal.timeout(maxTime),
});

type Question<T> = (requests: RowRequests) => Promise<T>;

/** Sends requests for the editor, with the credential of the node. */
async function answerTo<T>(context: ILoadOptionsFunctions, question: Question<T>) {
	const answer = async () => {
		const client = await connect(context, searchClientOptions());
		return await question(new RowRequests(client)).finally(() => client.close());
	};
	return await settled(answer());
}

/** Moves the host to the description, because the editor removes hyphens from a message. */
function editorTexts({ message, advice, host }: Failure) {
	return host === undefined
		? { message, advice }
		: { message: message.replaceAll(host, 'Base URL'), advice: `${host}: ${advice}` };
}

/** The status codes that the editor shows itself, with a link to the credential. */
const credentialStatuses: ReadonlyArray<Failure['statusCode']> = [401, 403];

/**
 * Requests the data of a searchable list.
 *
 * @throws NodeApiError, because the editor shows its message and description as text instead of the list
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

/** Returns the position at which a dropdown continues, a source and a page of it, from a token; the start for any other text. */
function cursorOf(token: string | undefined) {
	const [, source, page] = token?.match(/^(\d+):(\d+)$/) ?? [];
	return { source: Number(source ?? 0), page: Number(page ?? 1) };
}

/** Returns whether a source has another page. If the service ignores the page parameter, it has none. */
function hasMore({ size, pages = Infinity }: Source, page: Page, requested: number): boolean {
	if (page.number !== undefined && page.number !== requested) return false;
	return requested < pages && (page.more ?? page.items.length >= size);
}

/**
 * Fills a dropdown: reads the sources one after the other, until it has a screenful or all entries. It returns duplicate
 * entries of two sources once. The editor removes entries that it already shows.
 *
 * @param token the position from the previous result; undefined for the start
 * @returns the entries, and a token if there may be more entries
 * @throws NodeApiError, because the editor shows its message and description instead of the list
 */
export const searchSources = async (
	context: ILoadOptionsFunctions,
	sources: readonly Source[],
	token: string | undefined,
): Promise<INodeListSearchResult> =>
	await requestList(context, async (requests) => {
		const entries = new Map<INodeListSearchItems['value'], INodeListSearchItems>();
		let { source, page: number } = cursorOf(token);
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
		const results = [...entries.values()];
		return source < sources.length
			? { results, paginationToken: `${source}:${number}` }
			: { results };
	});
