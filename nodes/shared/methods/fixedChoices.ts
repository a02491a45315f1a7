import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

/** Returns a method that loads a list that the node already has. It sends no request. */
export const fixedChoices = (choices: INodePropertyOptions[]) =>
	async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return choices;
	};
