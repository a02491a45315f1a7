import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { countries, languages } from '../shared/description/codes';
import { batchHint } from '../shared/description/nodeOptions';
import { outputChoices } from '../shared/description/output';
import { propertiesOf } from '../shared/description/properties';
import { executeNode } from '../shared/execute/execute';
import { fixedChoices } from '../shared/methods/listSearch';
import { getPixels, searchPixels } from '../Pixel/pixel.searches';
import { linkContract } from './link.contract';
import { searchDomains, searchLinks, searchSpaces } from './link.searches';

/** The node for short links, defined by the contract table. */
export class Link implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link',
		name: 'link',
		icon: { light: 'file:link.svg', dark: 'file:link.dark.svg' },
		group: ['output'],
		version: 1,
		// The stored parameters contain the names of locators, and expressions before a run.
		subtitle:
			'={{ [$parameter["operation"], String($parameter.toJSON()["linkId"]?.cachedResultName || $parameter.toJSON()["linkId"]?.value || $parameter.toJSON()["alias"] || $parameter.toJSON()["url"] || ($parameter["operation"] === "getAll" ? "links" : "")).replace(/^=/, "")].filter((part) => part).join(": ") }}',
		description: 'Create, update, find and delete short links',
		builderHint: {
			searchHint: batchHint,
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-link-management.pixel',
					relationHint: 'Creates the pixels that links attach',
				},
				{
					nodeType: 'n8n-nodes-link-management.linkTrigger',
					relationHint: 'Starts a workflow when something happens to a link',
				},
			],
		},
		defaults: { name: 'Link' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagementApi', required: true }],
		properties: propertiesOf(linkContract),
	};

	methods = {
		listSearch: { searchDomains, searchLinks, searchPixels, searchSpaces },
		loadOptions: {
			getCountries: fixedChoices(countries),
			getLanguages: fixedChoices(languages),
			getOutputFields: fixedChoices(outputChoices(linkContract.output)),
			getPixels,
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeNode(this, linkContract);
	}
}
