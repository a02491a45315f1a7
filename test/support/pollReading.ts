import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import type { DetectorContext } from '../../nodes/LinkTrigger/detectors/detector';
import { events } from '../../nodes/LinkTrigger/events';
import { PollRequests } from '../../nodes/LinkTrigger/polling/pollRequests';
import { RateLimiter } from '../../nodes/shared/transport/limiter';
import { clientOn } from './client.ts';
import {
	PollAccount,
	usualWays,
	type PollAnswer,
	type PollLink,
	type Ways,
} from './pollAccount.ts';

/** The address of the account. */
const root = 'https://links.example/api/v1';

/** A link that no filter and no event is about. */
export const plainLink: Omit<PollLink, 'id'> = {
	alias: 'a',
	url: 'https://example.com/0',
	domain: 1,
	pixels: [],
	clicks: 0,
	disabled: false,
	privacy: 0,
	countries: {},
	isVisible: true,
};

/** An account with pages of 10 links, without ties at random. */
export function accountWith(ids: readonly number[], ways: Partial<Ways> = {}): PollAccount {
	const all = { ...usualWays, pageSize: 10, hasRandomTies: false, ...ways };
	const account = new PollAccount(all, 1, () => undefined);
	let last = 0;
	for (const id of ids) {
		account.create(plainLink, id - last - 1);
		last = id;
	}
	return account;
}

/** A resource locator as the editor stores it. */
export const byId = (value: number | string) => ({ __rl: true, mode: 'id', value });

/** The whole numbers from one to another, both included. */
export const range = (from: number, to: number): number[] =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** A request as a test reads it: `desc 1` for a page of the list by ID, `get 7` for a link. */
function labelOf(url: string): string {
	const { pathname, searchParams } = new URL(url);
	const [, id] = /\/links\/(.+)$/.exec(pathname) ?? [];
	if (id !== undefined) return `get ${id}`;
	const by = searchParams.get('sort_by');
	const sort = searchParams.get('sort');
	const order = sort === null ? 'page' : `${by === 'id' ? '' : `${by} `}${sort}`;
	const names = ['sort_by', 'sort', 'page', 'per_page'];
	const filters = [...searchParams].filter(([name]) => !names.includes(name));
	const filter = filters.map(([name, text]) => `${name}=${text} `).join('');
	return `${filter}${order} ${searchParams.get('page')}`;
}

/** A clock that stands still, so that no timer outlasts a test. */
const stoppedClock = {
	now: () => 0,
	sleep: async () => await new Promise<void>(() => undefined),
	random: () => 0.5,
};

/** The requests of one poll to an account, or to whatever answers the addresses. */
export function requestsTo(
	account: Pick<PollAccount, 'read'>,
	most = 150,
	onRead: (resources: readonly IDataObject[]) => void = () => undefined,
) {
	const sent: string[] = [];
	const send = async ({ url }: { readonly url: string }) => {
		sent.push(labelOf(url));
		const { statusCode, headers, body } = account.read(url);
		return await Promise.resolve({ status: statusCode, headers, body });
	};
	const client = clientOn({ root, send }, {}, new RateLimiter(stoppedClock));
	return { client, sent, requests: new PollRequests(client, most, onRead) };
}

/** A list that answers with the pages that a test scripts, whatever is asked. */
export const pagesOf = (...bodies: readonly unknown[]): Pick<PollAccount, 'read'> => {
	let index = -1;
	return {
		read: (): PollAnswer => {
			index += 1;
			return { statusCode: 200, headers: {}, body: JSON.stringify(bodies[index] ?? []) };
		},
	};
};

/** The context of a detector, and the events that it reports: `created 7`. */
export function detectorContext(more: Partial<DetectorContext> = {}) {
	const reported: string[] = [];
	const context: DetectorContext = {
		params: [],
		fixedParams: [],
		fits: () => true,
		startsFromAll: false,
		events: new Set(events.map(({ value }) => value)),
		thresholds: [],
		minNewClicks: 1,
		chosenLinks: [],
		report: ({ event, id }) => reported.push(`${event} ${id}`),
		...more,
	};
	return { context, reported };
}

/** The mode, the parameters and the static data of a poll. */
export interface PollSetting {
	readonly parameters?: IDataObject;
	readonly mode?: 'manual' | 'trigger';
	readonly activation?: 'activate' | 'init' | 'leadershipChange' | 'update';
	readonly staticData?: IDataObject;
	readonly budget?: number;
	readonly node?: string;
}

/** What n8n gives a poll, as far as the node uses it. */
export function pollContext(account: Pick<PollAccount, 'read'>, setting: PollSetting = {}) {
	const requests: string[] = [];
	const { parameters = {}, mode = 'trigger', activation = 'update', staticData = {} } = setting;
	const context = {
		getWorkflow: () => ({ id: 'workflow' }),
		getNode: () => ({
			id: setting.node ?? 'trigger',
			name: 'Link Trigger',
			type: 'linkTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
			credentials: { linkManagementApi: { id: '1', name: 'Account' } },
		}),
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
		getCredentials: async () =>
			await Promise.resolve({ baseUrl: 'https://links.example', apiKey: 'key-of-the-account' }),
		getTimezone: () => 'UTC',
		getWorkflowStaticData: () => staticData,
		getMode: () => mode,
		getActivationMode: () => activation,
		getPollBudgetMs: () => setting.budget ?? 36_000,
		helpers: {
			httpRequestWithAuthentication: async (_name: string, { url }: { url: string }) => {
				requests.push(labelOf(url));
				return await Promise.resolve(account.read(url));
			},
		},
	};
	return { context: context as unknown as IPollFunctions, requests, staticData };
}
