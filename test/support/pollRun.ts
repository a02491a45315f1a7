import type {
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';
import type { PollAnswer } from './pollAccount.ts';

/** How n8n keeps what a poll leaves in the static data. */
export type Engine = 'classic' | 'durable';

/** The node's parameters by their names. */
export type PollParameters = Readonly<Record<string, unknown>>;

/** What a poll came to. */
export interface Polled {
	readonly items: readonly INodeExecutionData[];
	/** What it threw. */
	readonly error?: unknown;
	/** Whether n8n has written down what the poll knows. */
	readonly isSaved: boolean;
}

/** The node, as its source or as it was built. */
export interface PollingNode {
	poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null>;
}

/** Milliseconds that a poll may take: so few that nothing is repeated after a delay. */
const budget = 1700;

/** Answers a request, or rejects as a connection that breaks. */
export type Answer = (url: string) => Promise<PollAnswer> | PollAnswer;

/** What one poll sees of n8n. */
function contextOf(
	workflow: string,
	parameters: PollParameters,
	staticData: IDataObject,
	activation: string,
	answer: Answer,
): IPollFunctions {
	const credential = { baseUrl: 'https://links.example', apiKey: 'a key of this account' };
	const context = {
		getWorkflow: () => ({ id: workflow, name: 'Workflow', active: true }),
		getNode: () => ({
			id: 'trigger',
			name: 'Link Trigger',
			type: 'n8n-nodes-link-management.linkTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters,
			credentials: { linkManagementApi: { id: '1', name: 'Account' } },
		}),
		getNodeParameter: (name: string, fallback: unknown) =>
			name in parameters ? parameters[name] : fallback,
		getCredentials: async () => await Promise.resolve(credential),
		getTimezone: () => 'UTC',
		getWorkflowStaticData: () => staticData,
		getMode: () => 'trigger',
		getActivationMode: () => activation,
		getPollBudgetMs: () => budget,
		helpers: {
			httpRequestWithAuthentication: async (_name: string, { url }: IHttpRequestOptions) =>
				await answer(url),
		},
	};
	// The nodes use no more of it.
	return context as unknown as IPollFunctions;
}

/** How many workflows there were. */
let lastWorkflow = 0;

const parsed = (text: string) => JSON.parse(text) as IDataObject;

/** A workflow with the trigger in n8n, as one of n8n's two engines runs it. */
export class PollRun {
	/** The static data as n8n has stored it. */
	stored = '{}';

	/** The static data in memory, which all polls of the classic engine share until n8n restarts. */
	private memory: IDataObject = {};

	/** ID of the workflow, which no other one of this process has. */
	private readonly workflow: string;

	private readonly node: PollingNode;

	private readonly engine: Engine;

	private readonly answer: Answer;

	/** What the node is set to. */
	parameters: PollParameters;

	constructor(node: PollingNode, engine: Engine, parameters: PollParameters, answer: Answer) {
		this.workflow = String((lastWorkflow += 1));
		this.node = node;
		this.engine = engine;
		this.parameters = parameters;
		this.answer = answer;
	}

	private async poll(
		staticData: IDataObject,
		activation: string,
	): Promise<Omit<Polled, 'isSaved'>> {
		const context = contextOf(this.workflow, this.parameters, staticData, activation, this.answer);
		try {
			const output = await this.node.poll.call(context);
			return { items: output?.[0] ?? [] };
		} catch (error) {
			return { items: [], error };
		}
	}

	/** The static data as the next poll sees it. */
	get data(): IDataObject {
		return this.engine === 'classic' ? this.memory : parsed(this.stored);
	}

	private save(staticData: IDataObject): void {
		this.stored = JSON.stringify(staticData);
	}

	/**
	 * Switches the workflow on, or starts n8n with it: it is polled at once. The classic engine saves what that found, and the
	 * durable one does so where something is emitted.
	 */
	async activate(mode: 'activate' | 'init' = 'activate'): Promise<Polled> {
		const staticData = parsed(this.stored);
		const polled = await this.poll(staticData, mode);
		const isSaved =
			polled.error === undefined && (this.engine === 'classic' || polled.items.length > 0);
		if (isSaved) this.save(staticData);
		if (this.engine === 'classic') this.memory = staticData;
		return { ...polled, isSaved };
	}

	/** Polls on schedule. */
	async tick(): Promise<Polled> {
		const isClassic = this.engine === 'classic';
		const staticData = isClassic ? this.memory : parsed(this.stored);
		const polled = await this.poll(staticData, 'update');
		const isSaved = polled.error === undefined && (!isClassic || polled.items.length > 0);
		if (isSaved) this.save(staticData);
		return { ...polled, isSaved };
	}

	/**
	 * Polls, and n8n is stopped or the workflow switched off before the poll has come to its end: nothing of it is kept.
	 */
	async abandon(): Promise<void> {
		const isClassic = this.engine === 'classic';
		await this.poll(isClassic ? this.memory : parsed(this.stored), 'update');
	}
}
