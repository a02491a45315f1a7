import { PollContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import { environmentOf, loadPackage, nodeTypesOf, type NodeRun } from './n8n.ts';

/** The engines by which n8n polls. */
export type Engine = 'classic' | 'durable';

export const engines: readonly Engine[] = ['classic', 'durable'];

/** What a poll came to. */
export interface Polled {
	/** The JSON of the items that were handed over; none where the poll gave null. */
	events: IDataObject[];
	/** Whether an execution was started: n8n starts one for whatever is not null, an empty list too. */
	isEmitted: boolean;
	/** Whether n8n has written down the static data after it. */
	isSaved?: boolean;
	/** The error that stopped it; n8n records a failed execution for each. */
	error?: Error & {
		failure?: { cause?: string; retryAfterMs?: number };
		description?: string | null;
		httpCode?: string | null;
	};
}

/** What n8n gives one poll. */
export interface PollCall {
	readonly activation: WorkflowActivateMode;
	/** The poll may change it. */
	readonly staticData: IDataObject;
	/** Whether it is a poll in time of the durable engine, which has a lease, and with it a budget. */
	readonly isLeased: boolean;
}

const parsed = (text: string) => JSON.parse(text) as IDataObject;

/**
 * A workflow with a polling trigger, as n8n drives it.
 *
 * - classic (n8n-core's `PollTriggerExecutor`): one workflow object lives from one activation to the next, and so does what
 *   a poll changed in its static data, also where it threw. Static data is saved where something is emitted, and at the end
 *   of a successful activation.
 * - durable (n8n's `PollTriggerTaskHandler`): each poll has a copy of the stored cursor. It is stored with what is emitted,
 *   or alone where the poll gave null; a throw drops it. The poll at activation stores nothing where it gave null.
 */
export abstract class PolledWorkflow {
	readonly engine: Engine;

	/** The static data of the node as the database holds it, as JSON. */
	private database: string;

	/** The static data in memory, which all polls of the classic engine share while the workflow is active. */
	private memory?: IDataObject;

	constructor(engine: Engine, data: object = {}) {
		this.engine = engine;
		this.database = JSON.stringify(data);
	}

	/** Calls the node. */
	protected abstract call(call: PollCall): Promise<INodeExecutionData[][] | null>;

	/** What is stored of the node, after a crash of n8n: what was only in memory is gone. */
	get stored(): IDataObject {
		return parsed(this.database);
	}

	/** Replaces what is stored of the node, as by hand or by an older version. */
	store(data: unknown): void {
		this.database = JSON.stringify(data);
		this.memory = undefined;
	}

	/** What is known of the node between two polls, in whichever place the engine keeps it. */
	get data(): IDataObject {
		return this.memory ? parsed(JSON.stringify(this.memory)) : this.stored;
	}

	/** A crash or a restart of n8n, or a change of the workflow: what was only in memory is gone. */
	crash(): void {
		this.memory = undefined;
	}

	/**
	 * Activates the workflow: it is polled at once, and an error makes that fail.
	 *
	 * @param mode `init` where n8n starts, `activate` where a person switches it on, `update` where it was saved
	 */
	async activate(mode: WorkflowActivateMode = 'activate'): Promise<Polled> {
		this.memory = undefined;
		const staticData = this.stored;
		// The durable engine only goes on with the jobs that are planned.
		if (this.engine === 'durable' && mode === 'init' && this.database !== '{}') {
			return { events: [], isEmitted: false };
		}
		const polled = await this.tryCall({ activation: mode, staticData, isLeased: false });
		if (this.engine === 'classic' && !polled.error) this.memory = staticData;
		return this.keep(polled, staticData, this.engine === 'classic' || polled.isEmitted);
	}

	/** The next poll in time. A classic one of a workflow that is not active activates it first, as after a restart. */
	async poll(): Promise<Polled> {
		if (this.engine === 'classic' && !this.memory) return await this.activate('init');
		const staticData = this.memory ?? this.stored;
		const isLeased = this.engine === 'durable';
		const polled = await this.tryCall({ activation: 'update', staticData, isLeased });
		return this.keep(polled, staticData, isLeased || polled.isEmitted);
	}

	/** Polls, and n8n is stopped before the poll has come to its end: nothing of it is kept. */
	async abandon(): Promise<void> {
		const staticData = this.memory ?? this.stored;
		await this.tryCall({ activation: 'update', staticData, isLeased: true });
	}

	private keep(polled: Polled, staticData: IDataObject, isKept: boolean): Polled {
		const isSaved = isKept && !polled.error;
		if (isSaved) this.database = JSON.stringify(staticData);
		return { ...polled, isSaved };
	}

	protected async tryCall(call: PollCall): Promise<Polled> {
		try {
			const items = await this.call(call);
			const events = (items ?? []).flat().map(({ json }) => parsed(JSON.stringify(json)));
			return { events, isEmitted: items !== null };
		} catch (error) {
			if (!(error instanceof Error)) throw new Error(`No error was thrown: ${String(error)}`);
			return { events: [], isEmitted: false, error };
		}
	}
}

/** A saved workflow of one polling trigger. */
export interface SavedTrigger {
	/** Name of the node as its description has it. */
	node: string;
	parameters: INodeParameters;
	credential: NodeRun['credential'];
	/** Milliseconds that a poll has: of the durable engine unless told, which gives 36 seconds. Less makes waits short. */
	budget?: number;
	settings?: Partial<INode>;
}

/** What n8n gives a poll by default: 80 % of 45 seconds. */
const usualBudget = 36_000;

/** A polling trigger of the package in n8n-core, over real HTTP. */
export class PollingTrigger extends PolledWorkflow {
	private saved: SavedTrigger;

	constructor(engine: Engine, saved: SavedTrigger, data: IDataObject = {}) {
		super(engine, data);
		this.saved = saved;
	}

	/** The workflow is saved with some changes. An active one is activated again, as n8n does it. */
	save(changes: Partial<SavedTrigger>): void {
		this.saved = { ...this.saved, ...changes };
		this.crash();
	}

	/** Polls until nothing is handed over, or so often; gives all that was handed over. An error is thrown. */
	async pollAll(most = 60): Promise<IDataObject[]> {
		const all: IDataObject[] = [];
		for (let count = 0; count < most; count += 1) {
			const { events, error } = await this.poll();
			if (error) throw error;
			if (events.length === 0) return all;
			all.push(...events);
		}
		throw new Error(`There was no end after ${most} polls`);
	}

	/** Fetch Test Event of the editor. */
	async test(): Promise<Polled> {
		const staticData = this.stored;
		const polled = await this.tryCall({ activation: 'manual', staticData, isLeased: false });
		expect(staticData).toEqual(this.stored);
		return polled;
	}

	protected override async call({ activation, staticData, isLeased }: PollCall) {
		const { node: name, parameters, settings, credential, budget } = this.saved;
		const loaded = await loadPackage();
		const node: INode = {
			id: '2',
			name: 'Trigger',
			type: `n8n-nodes-link-management.${name}`,
			typeVersion: 1,
			position: [0, 0],
			parameters: { pollTimes: { item: [{ mode: 'everyMinute' }] }, ...parameters },
			credentials: { linkManagementApi: { id: '1', name: 'Test account' } },
			...settings,
		};
		const workflow = new Workflow({
			...{ id: '1', nodes: [node], connections: {}, active: true },
			nodeTypes: nodeTypesOf(loaded),
			settings: { executionOrder: 'v1', timezone: 'UTC' },
		});
		const added = workflow.getNode('Trigger');
		const type = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
		if (!added || 'nodeVersions' in type || !type.poll) throw new Error(`${name} does not poll`);
		const time = budget ?? (isLeased ? usualBudget : undefined);
		const context = new PollContext(
			...([workflow, added, environmentOf(loaded, credential)] as const),
			activation === 'manual' ? 'manual' : 'trigger',
			activation,
			...([undefined, undefined, undefined, undefined] as const),
			() => staticData,
			time === undefined ? undefined : () => time,
		);
		await workflow.expression.acquireIsolate();
		try {
			return await type.poll.call(context);
		} finally {
			await workflow.expression.releaseIsolate();
		}
	}
}
