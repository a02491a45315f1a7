import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

/**
 * Returns a method that loads a list that the node already has. It sends no request. With this method, n8n's AI builder does not
 * get every value of the list, and thousands of characters for each operation.
 */
export const fixedChoices = (choices: INodePropertyOptions[]) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return choices;
	};
