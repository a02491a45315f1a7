import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { batchHint } from '../shared/description/nodeOptions';
import { outputChoices } from '../shared/description/output';
import { propertiesOf } from '../shared/description/properties';
import { executeNode } from '../shared/execute/execute';
import { fixedChoices } from '../shared/methods/listSearch';
import { pixelContract } from './pixel.contract';
import { searchPixels } from './pixel.searches';

/** The node for tracking pixels, defined by the contract table. */
export class Pixel implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Pixel',
		name: 'pixel',
		icon: { light: 'file:pixel.svg', dark: 'file:pixel.dark.svg' },
		group: ['output'],
		version: 1,
		// The stored parameters contain the names of locators, and expressions before a run.
		subtitle:
			'={{ [$parameter["operation"], String($parameter.toJSON()["pixelId"]?.cachedResultName || $parameter.toJSON()["pixelId"]?.value || $parameter.toJSON()["name"] || ($parameter["operation"] === "getAll" ? "pixels" : "")).replace(/^=/, "")].filter((part) => part).join(": ") }}',
		description: 'Create, update, find and delete tracking pixels',
		builderHint: {
			searchHint: batchHint,
			relatedNodes: [
				{ nodeType: 'n8n-nodes-link-management.link', relationHint: 'Attaches pixels to links' },
			],
		},
		defaults: { name: 'Pixel' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagementApi', required: true }],
		properties: propertiesOf(pixelContract),
	};

	methods = {
		listSearch: { searchPixels },
		loadOptions: {
			getOutputFields: fixedChoices(outputChoices(pixelContract.output)),
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeNode(this, pixelContract);
	}
}
