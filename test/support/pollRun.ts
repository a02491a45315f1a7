import type { IHttpRequestOptions, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { PollAnswer } from './pollAccount.ts';
import { PolledWorkflow, type Engine, type PollCall } from './pollingTrigger.ts';

/** The node's parameters by their names. */
export type PollParameters = Readonly<Record<string, unknown>>;

/** The node, as its source or as it was built. */
export interface PollingNode {
	poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null>;
}

/** Milliseconds that a poll may take: so few that nothing is repeated after a delay. */
const budget = 1700;

/** Answers a request, or rejects as a connection that breaks. */
export type Answer = (url: string) => Promise<PollAnswer> | PollAnswer;

/** How many workflows there were. */
let lastWorkflow = 0;

/** A workflow with the trigger in as much of n8n as the node uses, without sockets. */
export class PollRun extends PolledWorkflow {
	/** ID of the workflow, which no other one of this process has. */
	private readonly workflow = String((lastWorkflow += 1));

	private readonly node: PollingNode;

	private readonly parameters: PollParameters;

	private readonly answer: Answer;

	constructor(node: PollingNode, engine: Engine, parameters: PollParameters, answer: Answer) {
		super(engine);
		this.node = node;
		this.parameters = parameters;
		this.answer = answer;
	}

	protected override async call({ activation, staticData }: PollCall) {
		const { workflow, parameters } = this;
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
					await this.answer(url),
			},
		};
		// The nodes use no more of it.
		return await this.node.poll.call(context as unknown as IPollFunctions);
	}
}
