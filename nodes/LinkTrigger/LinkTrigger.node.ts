import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { output, outputFields } from '../shared/description/output';
import { eventsProperty, filtersProperty, startFromProperty } from '../shared/poll/settings';
import { pollNode } from '../shared/poll/pollNode';
import { searchDomains, searchSpaces } from '../Link/link.searches';
import { searchPixels } from '../Pixel/pixel.searches';
import { linkTrigger } from './linkTrigger.events';

/** Starts a workflow when something happens to a link. The service tells nobody, so it is asked again and again. */
export class LinkTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Link Trigger',
		name: 'linkTrigger',
		icon: { light: 'file:linkTrigger.svg', dark: 'file:linkTrigger.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ [$parameter["events"]].flat().join(", ").replace("clicksReached", "clicks reached") }}',
		description:
			// n8n shows the Link node and this one as one, with this text.
			'Create, change, look up and delete short links, or start a workflow when something happens to one',
		eventTriggerDescription: '',
		activationMessage: 'Your workflow will now start when one of the chosen events happens.',
		defaults: { name: 'Link Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'linkManagementApi', required: true }],
		properties: [
			eventsProperty(linkTrigger),
			linkTrigger.thresholds.property,
			filtersProperty(linkTrigger),
			startFromProperty(linkTrigger),
			output,
			outputFields(linkTrigger.resource.output),
		],
	};

	methods = { listSearch: { searchDomains, searchPixels, searchSpaces } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollNode(this, linkTrigger);
	}
}
