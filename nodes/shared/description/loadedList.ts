import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/**
 * Returns a list that the node knows, but that the editor loads with a method of the node. n8n's AI builder gets every value
 * of a fixed list, and thousands of characters for each operation.
 *
 * @param loadOptionsMethod the name of the method, which returns `options`
 */
export const loadedList = (loadOptionsMethod: string, options: INodePropertyOptions[]) =>
	({ typeOptions: { loadOptionsMethod }, options }) satisfies Partial<INodeProperties>;
