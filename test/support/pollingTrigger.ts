import { PollContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type IWorkflowExecuteAdditionalData,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { environmentOf, loadPackage, nodeTypesOf, type NodeRun } from './n8n.ts';

/** The engines by which n8n polls. */
export type Engine = 'classic' | 'durable';

export const engines: readonly Engine[] = ['classic', 'durable'];

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

/** What a poll came to. */
export interface Polled {
	/** The JSON of the items that were handed over; none where the poll gave null. */
	events: IDataObject[];
	/** Whether an execution was started: n8n starts one for whatever is not null, an empty list too. */
	isEmitted: boolean;
	/** The error that stopped it; n8n records a failed execution for each. */
	error?: Error & {
		failure?: { cause?: string; retryAfterMs?: number };
		description?: string | null;
		httpCode?: string | null;
	};
}

/** How n8n names the data of the node among the static data of its workflow. */
const dataName = 'node:Trigger';

/** What n8n gives a poll by default: 80 % of 45 seconds. */
const usualBudget = 36_000;

type StaticData = Record<string, IDataObject>;

const eventsIn = (items: INodeExecutionData[][] | null): Polled => ({
	events: (items ?? []).flat().map(({ json }) => json),
	isEmitted: items !== null,
});

/**
 * A polling trigger of the built package as n8n drives it, over real HTTP.
 *
 * - classic (n8n-core's `PollTriggerExecutor`): one workflow object lives from one activation to the next, and so does what
 *   a poll changed in its static data, also where it threw. Static data is saved where something is emitted, and at the end
 *   of a successful activation.
 * - durable (n8n's `PollTriggerTaskHandler`): each poll has a copy of the stored cursor. It is stored with what is emitted,
 *   or alone where the poll gave null; a throw drops it. The poll at activation stores nothing where it gave null.
 */
export class PollingTrigger {
	readonly engine: Engine;

	private saved: SavedTrigger;

	/** The static data of the workflow as the database holds it, as JSON. */
	private database: string;

	/** The cursor as the database holds it, as JSON: only of the durable engine. */
	private cursor?: string;

	/** The workflow that is polled by the classic engine. */
	private active?: Promise<{ workflow: Workflow; context: PollContext }>;

	constructor(engine: Engine, saved: SavedTrigger, data: IDataObject = {}) {
		this.engine = engine;
		this.saved = saved;
		this.database = JSON.stringify({ [dataName]: data } satisfies StaticData);
	}

	/** The workflow is saved with some changes. An active one is activated again, as n8n does it. */
	save(changes: Partial<SavedTrigger>): void {
		this.saved = { ...this.saved, ...changes };
		this.active = undefined;
	}

	/** What is stored of the node, after a crash of n8n: what was only in memory is gone. */
	get stored(): IDataObject {
		if (this.cursor !== undefined) return JSON.parse(this.cursor) as IDataObject;
		return (JSON.parse(this.database) as StaticData)[dataName] ?? {};
	}

	/** Replaces what is stored of the node, as by hand or by an older version. */
	store(data: unknown): void {
		this.database = JSON.stringify({ [dataName]: data });
		if (this.cursor !== undefined) this.cursor = JSON.stringify(data);
		this.active = undefined;
	}

	/** What is known of the node between two polls, in whichever place the engine keeps it. */
	async data(): Promise<IDataObject> {
		if (this.engine === 'durable' || !this.active) return this.stored;
		const { workflow } = await this.active;
		return JSON.parse(JSON.stringify(workflow.staticData[dataName] ?? {})) as IDataObject;
	}

	/**
	 * Activates the workflow: it is polled at once, and an error makes that fail.
	 *
	 * @param mode `init` where n8n starts, `activate` where a person switches it on, `update` where it was saved
	 */
	async activate(mode: WorkflowActivateMode = 'activate'): Promise<Polled> {
		this.active = undefined;
		if (this.engine === 'durable') {
			// A restart only goes on with the jobs that are planned.
			if (mode === 'init' && this.cursor !== undefined) return eventsIn(null);
			return await this.pollDurably(mode);
		}
		const active = this.begin(mode);
		const { workflow, context } = await active;
		const polled = await this.pollWith(workflow, context);
		if (!polled.error) {
			this.active = active;
			this.saveData(workflow);
		}
		return polled;
	}

	/** The next poll in time. A classic one of a workflow that is not active activates it first, as after a restart. */
	async poll(): Promise<Polled> {
		if (this.engine === 'durable') return await this.pollDurably();
		if (!this.active) return await this.activate('init');
		const { workflow, context } = await this.active;
		const polled = await this.pollWith(workflow, context);
		if (polled.isEmitted) this.saveData(workflow);
		return polled;
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
		const workflow = await this.workflow(this.database);
		const polled = await this.pollWith(
			workflow,
			await this.contextOf(workflow, 'manual', 'manual'),
		);
		const { [dataName]: data = {} } = JSON.parse(this.database) as StaticData;
		expect(JSON.parse(JSON.stringify(workflow.staticData[dataName] ?? {}))).toEqual(data);
		return polled;
	}

	/** A crash or a restart of n8n: what was only in memory is gone. */
	crash(): void {
		this.active = undefined;
	}

	private saveData({ staticData }: Workflow): void {
		this.database = JSON.stringify(staticData);
	}

	private async begin(mode: WorkflowActivateMode) {
		const workflow = await this.workflow(this.database);
		const { budget } = this.saved;
		return {
			workflow,
			context: await this.contextOf(workflow, 'trigger', mode, undefined, budget),
		};
	}

	private async pollDurably(activation?: WorkflowActivateMode): Promise<Polled> {
		const workflow = await this.workflow(this.database);
		this.cursor ??= JSON.stringify((JSON.parse(this.database) as StaticData)[dataName] ?? {});
		const copy = JSON.parse(this.cursor) as IDataObject;
		// Only a poll in time has a lease, and with it a budget.
		const budget = this.saved.budget ?? (activation ? undefined : usualBudget);
		const context = await this.contextOf(workflow, 'trigger', activation ?? 'update', copy, budget);
		const polled = await this.pollWith(workflow, context);
		const isStored = polled.isEmitted || (!polled.error && !activation);
		if (isStored) this.cursor = JSON.stringify(copy);
		return polled;
	}

	private async pollWith(workflow: Workflow, context: PollContext): Promise<Polled> {
		const node = workflow.getNode('Trigger');
		if (!node) throw new Error('the node is missing');
		const type = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
		if ('nodeVersions' in type || !type.poll) throw new Error(`${node.type} does not poll`);
		await workflow.expression.acquireIsolate();
		try {
			const items = await type.poll.call(context);
			// What is handed over is stored with the execution.
			return eventsIn(JSON.parse(JSON.stringify(items)) as INodeExecutionData[][] | null);
		} catch (error) {
			if (!(error instanceof Error)) throw new Error(`No error was thrown: ${String(error)}`);
			return { events: [], isEmitted: false, error };
		} finally {
			await workflow.expression.releaseIsolate();
		}
	}

	private async workflow(data: string): Promise<Workflow> {
		const { node, parameters, settings } = this.saved;
		return new Workflow({
			id: '1',
			nodes: [
				{
					id: '2',
					name: 'Trigger',
					type: `n8n-nodes-link-management.${node}`,
					typeVersion: 1,
					position: [0, 0],
					parameters: { pollTimes: { item: [{ mode: 'everyMinute' }] }, ...parameters },
					credentials: { linkManagementApi: { id: '1', name: 'Test account' } },
					...settings,
				},
			],
			connections: {},
			active: true,
			nodeTypes: nodeTypesOf(await loadPackage()),
			staticData: JSON.parse(data) as IDataObject,
			settings: { executionOrder: 'v1', timezone: 'UTC' },
		});
	}

	private async contextOf(
		workflow: Workflow,
		mode: WorkflowExecuteMode,
		activation: WorkflowActivateMode,
		copy?: IDataObject,
		budget?: number,
	): Promise<PollContext> {
		const node = workflow.getNode('Trigger');
		if (!node) throw new Error('the node is missing');
		const environment: IWorkflowExecuteAdditionalData = environmentOf(
			await loadPackage(),
			this.saved.credential,
		);
		return new PollContext(
			workflow,
			node,
			environment,
			mode,
			activation,
			undefined,
			undefined,
			undefined,
			undefined,
			copy && (() => copy),
			budget === undefined ? undefined : () => budget,
		);
	}
}
