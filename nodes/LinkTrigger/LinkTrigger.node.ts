import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { linkContract } from '../Link/link.contract';
import { searchDomains, searchSpaces } from '../Link/link.searches';
import { searchPixels } from '../Pixel/pixel.searches';
import { output, outputChoices, outputFields } from '../shared/description/output';
import { fixedChoices } from '../shared/methods/listSearch';
import { events } from './events';
import { pollNode } from './pollNode';
import { eventsProperty, filtersProperty, startFromProperty } from './settings';

/** Starts a workflow when something happens to a link. The service has no webhooks, so the node polls it. */
export class LinkTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Trigger',
		name: 'linkTrigger',
		icon: { light: 'file:linkTrigger.svg', dark: 'file:linkTrigger.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ [$parameter["events"]].flat().join(", ").replace(/[A-Z]/g, " $&").toLowerCase() }}',
		description:
			// n8n shows this text for the Link node and this node together.
			'Create, update, find and delete short links, or start a workflow when something happens to a link',
		eventTriggerDescription: '',
		activationMessage: 'Your workflow will now start when a selected event occurs.',
		builderHint: {
			searchHint: 'Only starts workflows. To create links use Link',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-link-management.link',
					relationHint: 'Creates, updates, finds and deletes links',
				},
			],
		},
		defaults: { name: 'Link Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagementApi', required: true }],
		properties: [
			eventsProperty,
			...events.flatMap(({ needs }) => needs ?? []),
			filtersProperty,
			startFromProperty,
			output,
			outputFields(linkContract.output),
		],
	};

	methods = {
		listSearch: { searchDomains, searchPixels, searchSpaces },
		loadOptions: { getOutputFields: fixedChoices(outputChoices(linkContract.output)) },
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollNode(this);
	}
}
