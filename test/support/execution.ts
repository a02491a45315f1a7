import type { IDataObject, IExecuteFunctions, INode, INodeParameters } from 'n8n-workflow';

export const nodeLike = (parameters: INodeParameters = {}, more: Partial<INode> = {}): INode => ({
	...{ id: '1', name: 'Link', type: 'n8n-nodes.link', typeVersion: 1, position: [0, 0] },
	parameters,
	...more,
});

/** What a test says of an execution. */
export interface ExecutionLike {
	readonly items?: readonly IDataObject[];
	readonly parameters?: INodeParameters;
	/** Values of parameters by item; without one, the parameter of the form. */
	readonly valuesOf?: (name: string, item: number) => unknown;
	readonly node?: Partial<INode>;
	/** Type and parents of the nodes before, by name. All ancestors are listed, as n8n does. */
	readonly before?: Readonly<Record<string, readonly string[]>>;
	readonly types?: Readonly<Record<string, string>>;
	readonly after?: readonly string[];
	readonly run?: number;
}

/** The parts of an execution that the nodes read. */
export function executionLike(given: ExecutionLike = {}): IExecuteFunctions {
	const { items = [{}], parameters = {}, before = {}, after = [], types = {} } = given;
	const node = nodeLike(parameters, given.node);
	const nodesNamed = (names: readonly string[]) =>
		names.map((name) => ({ name, type: types[name] ?? 'n8n-nodes-base.set' }));
	const execution = {
		getNode: () => node,
		getInputData: () => items.map((json) => ({ json })),
		getNodeParameter: (path: string, item: number, fallback: unknown) => {
			const value = given.valuesOf?.(path, item);
			if (value !== undefined) return value;
			const [name = '', part] = path.split('.');
			const whole = parameters[name];
			return (part === undefined ? whole : (whole as IDataObject | undefined)?.[part]) ?? fallback;
		},
		getTimezone: () => 'Europe/Berlin',
		getExecutionCancelSignal: () => undefined,
		getParentNodes: (name: string) => nodesNamed(before[name] ?? []),
		getChildNodes: () => nodesNamed(after),
		getWorkflowDataProxy: () => ({ $runIndex: given.run ?? 0 }),
	};
	return execution as unknown as IExecuteFunctions;
}

/** The message of the error that a function throws; undefined if it throws none. */
export function errorOf(run: () => unknown): string | undefined {
	try {
		run();
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
