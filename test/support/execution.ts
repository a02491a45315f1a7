import type { IDataObject, IExecuteFunctions, INode, INodeParameters } from 'n8n-workflow';

export const nodeLike = (parameters: INodeParameters = {}): INode => ({
	...{ id: '1', name: 'Link', type: 'n8n-nodes.link', typeVersion: 1, position: [0, 0] },
	parameters,
});

/** The parts of an execution of one item that read its settings. */
export function executionLike(parameters: INodeParameters = {}): IExecuteFunctions {
	const execution = {
		getNode: () => nodeLike(parameters),
		getInputData: () => [{ json: {} }],
		getNodeParameter: (path: string, _item: number, fallback: unknown) => {
			const [name = '', part] = path.split('.');
			const whole = parameters[name];
			return (part === undefined ? whole : (whole as IDataObject | undefined)?.[part]) ?? fallback;
		},
		getTimezone: () => 'Europe/Berlin',
		getExecutionCancelSignal: () => undefined,
	};
	return execution as unknown as IExecuteFunctions;
}
