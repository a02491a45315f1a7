import {
	ExecutionLifecycleHooks,
	LoadOptionsContext,
	PackageDirectoryLoader,
	WorkflowExecute,
} from 'n8n-core';
import {
	setSafeRegexEngine,
	Workflow,
	type IBinaryKeyData,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IRun,
	type ITaskData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { LinkManagementApi } from '../../credentials/LinkManagementApi.credentials';
import { Link } from '../../nodes/Link/Link.node';
import { LinkTrigger } from '../../nodes/LinkTrigger/LinkTrigger.node';
import { Pixel } from '../../nodes/Pixel/Pixel.node';

// n8n stops a pattern after 250 ms of real time, which also pass if the machine is busy.
setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, text) => input.replace(new RegExp(pattern, flags), text),
	matchAll: (pattern, input, flags = '') => [
		...input.matchAll(new RegExp(pattern, `${flags.replace('g', '')}g`)),
	],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});

export interface NodeRun {
	/** Name of the node as its description has it. */
	node: string;
	/** The folder of a built package that contains the node; by default the source of this package. */
	packageRoot?: string;
	parameters: INodeParameters;
	/** The JSON of the input items; one empty item unless told otherwise. */
	items?: IDataObject[];
	/** The binary data of the input items, in their order. */
	binaries?: (IBinaryKeyData | undefined)[];
	credential: { baseUrl: string; apiKey: string; accountTimeZone?: string };
	onError?: INode['onError'];
	retryOnFail?: boolean;
	settings?: Partial<INode>;
	/** Names of nodes between the rows and the node: each hands on all rows. */
	through?: string[];
	/** Time zone of the workflow; UTC unless told. */
	timezone?: string;
	/** Milliseconds after which the execution is cancelled, as by the editor's Stop button. */
	cancelAfter?: number;
}

export interface NodeResult {
	/** Items by output: main, then the error output where there is one. */
	outputs: INodeExecutionData[][];
	/** The error that stopped the run. */
	error?: ITaskData['error'];
	task: ITaskData;
	run: IRun;
	/** Everything of the execution that n8n would store, as text. */
	stored: string;
}

/** The start of a workflow: hands its items on. */
const startOf = (items: IDataObject[], binaries: NodeRun['binaries'] = []): INodeType => ({
	description: {
		displayName: 'Rows',
		name: 'rows',
		group: ['input'],
		version: 1,
		description: 'Hands on the rows of a test',
		defaults: { name: 'Rows' },
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
	execute: async () => [
		items.map((json, index) => ({ json, ...(binaries[index] ? { binary: binaries[index] } : {}) })),
	],
});

/** The nodes and credentials of a package. */
export interface LoadedPackage {
	/** Throws if the package has no node with this name. */
	getNode(name: string): INodeType;
	/** Throws if the package has no credential with this name. */
	getCredential(name: string): ICredentialType;
}

/** Finds a node or a credential by its name. */
function byName<T>(all: ReadonlyMap<string, T>): (name: string) => T {
	return (name) => {
		const type = all.get(name);
		if (!type) throw new Error(`the package does not contain ${name}`);
		return type;
	};
}

/** The source of this package, compiled by Jest. n8n keeps one instance of each node type, and so do the tests. */
const sourcePackage: LoadedPackage = {
	getNode: byName(
		new Map(
			[new Link(), new Pixel(), new LinkTrigger()].map((node) => [node.description.name, node]),
		),
	),
	getCredential: byName(new Map([new LinkManagementApi()].map((type) => [type.name, type]))),
};

async function loadBuilt(packageRoot: string): Promise<LoadedPackage> {
	const loader = new PackageDirectoryLoader(packageRoot);
	await loader.loadAll();
	return {
		getNode: (name) => {
			const { type } = loader.getNode(name);
			if ('nodeVersions' in type) throw new Error(`${name} is versioned`);
			return type;
		},
		getCredential: (name) => loader.getCredential(name).type,
	};
}

const loading = new Map<string, Promise<LoadedPackage>>();

/** Loads a built package with n8n-core's own loader. Without a folder, returns the source of this package. */
export async function loadPackage(packageRoot?: string): Promise<LoadedPackage> {
	if (packageRoot === undefined) return sourcePackage;
	const loader = loading.get(packageRoot) ?? loadBuilt(packageRoot);
	loading.set(packageRoot, loader);
	return await loader;
}

/** Returns the nodes of a package, and the start of a workflow if there is one. */
export function nodeTypesOf(loader: LoadedPackage, start?: INodeType): INodeTypes {
	const get = (name: string): INodeType =>
		start && name === 'test.rows'
			? start
			: // n8n makes the tool variant of a node by itself.
				loader.getNode(name.replace(/^.*\./, '').replace(/Tool$/, ''));
	return { getByName: get, getByNameAndVersion: get, getKnownTypes: () => ({}) };
}

const rowsNode = (name: string): INode => ({
	id: name,
	name,
	type: 'test.rows',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
});

const nodesOf = ({ node, parameters, onError, settings, through = [] }: NodeRun): INode[] => [
	...['Rows', ...through].map(rowsNode),
	{
		id: '2',
		name: 'Target',
		type: `n8n-nodes-link-management.${node}`,
		typeVersion: 1,
		position: [200, 0],
		parameters: { resource: node, ...parameters },
		credentials: { linkManagementApi: { id: '1', name: 'Test account' } },
		...(onError ? { onError } : {}),
		...settings,
	},
];

/** n8n's access to the credential of a test, which the credential type of the package authenticates. */
export class CredentialsHelper {
	private readonly data: ICredentialDataDecryptedObject;
	private readonly type: ICredentialType;

	constructor(data: ICredentialDataDecryptedObject, type: ICredentialType) {
		this.data = data;
		this.type = type;
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(_credentials: unknown, _type: string, request: IHttpRequestOptions) {
		const { authenticate } = this.type;
		if (typeof authenticate !== 'function') throw new Error('authenticate must be a function');
		return await authenticate(this.data, request);
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		return { ...this.data };
	}
}

/** What n8n provides to an execution, or to the editor that asks a node for a list. */
export function environmentOf(
	loader: LoadedPackage,
	credential: NodeRun['credential'],
): IWorkflowExecuteAdditionalData {
	const workflow = { id: '1', name: 'Test', nodes: [], connections: {} } as unknown;
	const provided = {
		hooks: new ExecutionLifecycleHooks('manual', '1', workflow as IWorkflowBase),
		credentialsHelper: new CredentialsHelper(credential, loader.getCredential('linkManagementApi')),
		executionId: '1',
		currentNodeExecutionIndex: 0,
		restApiUrl: 'http://127.0.0.1:5678/rest',
		webhookWaitingBaseUrl: 'http://127.0.0.1:5678/webhook-waiting',
		formWaitingBaseUrl: 'http://127.0.0.1:5678/form-waiting',
		variables: {},
	};
	// These tests reach no more of it.
	return provided as unknown as IWorkflowExecuteAdditionalData;
}

/** Rows to the node, or to each of those between, and from there to the node. */
function connectionsOf({ through = [] }: NodeRun): IConnections {
	const to = (...nodes: string[]) => ({
		main: [nodes.map((node) => ({ node, type: 'main' as const, index: 0 }))],
	});
	if (through.length === 0) return { Rows: to('Target') };
	const middle = through.map((name) => [name, to('Target')] as const);
	return { Rows: to(...through), ...Object.fromEntries(middle) };
}

function workflowOf(loader: LoadedPackage, given: NodeRun): Workflow {
	return new Workflow({
		id: '1',
		nodes: nodesOf(given),
		connections: connectionsOf(given),
		active: false,
		nodeTypes: nodeTypesOf(loader, startOf(given.items ?? [{}], given.binaries)),
		settings: { executionOrder: 'v1', timezone: given.timezone ?? 'UTC' },
	});
}

/** Asks a node for a list, as the editor does while a person looks at it. */
export async function askNode<T>(
	given: Pick<NodeRun, 'credential' | 'node' | 'packageRoot'>,
	ask: (node: INodeType, context: LoadOptionsContext) => Promise<T>,
): Promise<T> {
	const loader = await loadPackage(given.packageRoot);
	const workflow = workflowOf(loader, { ...given, parameters: {} });
	const target = workflow.getNode('Target');
	if (!target) throw new Error('the node is missing');
	const type = workflow.nodeTypes.getByNameAndVersion(target.type, 1);
	if ('nodeVersions' in type) throw new Error(`${target.type} is versioned`);
	const environment = environmentOf(loader, given.credential);
	return await ask(type, new LoadOptionsContext(workflow, target, environment, ''));
}

/** Runs one node in n8n-core, on the given rows, over real HTTP. */
export async function runNode(given: NodeRun): Promise<NodeResult> {
	const loader = await loadPackage(given.packageRoot);
	const workflow = workflowOf(loader, given);
	const additionalData = environmentOf(loader, given.credential);
	const startNode = workflow.getNode('Rows');
	if (!startNode) throw new Error('the start node is missing');
	await workflow.expression.acquireIsolate();
	try {
		const running = new WorkflowExecute(additionalData, 'manual').run({ workflow, startNode });
		if (given.cancelAfter !== undefined) setTimeout(() => running.cancel(), given.cancelAfter);
		const run = await running;
		const [task] = run.data.resultData.runData.Target ?? [];
		if (!task)
			throw new Error(`the node did not run: ${JSON.stringify(run.data.resultData.error)}`);
		const outputs = (task.data?.main ?? []).map((items) => items ?? []);
		return { outputs, error: task.error, task, run, stored: JSON.stringify(run) };
	} finally {
		await workflow.expression.releaseIsolate();
	}
}
