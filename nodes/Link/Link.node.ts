import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type NodeHint,
} from 'n8n-workflow';
import { countries, languages } from '../shared/description/codes';
import { batchHint, hint, hints } from '../shared/description/nodeOptions';
import { outputChoices } from '../shared/description/output';
import { propertiesOf } from '../shared/description/properties';
import { executeNode } from '../shared/execute/execute';
import { fixedChoices } from '../shared/methods/fixedChoices';
import { getPixels, searchPixels } from '../Pixel/pixel.searches';
import { rulesByTargetType } from './fields/targeting';
import { linkContract } from './link.contract';
import { searchDomains, searchLinks, searchSpaces } from './link.searches';

/** Returns a hint with a condition on the operation and on the optional fields in the form. */
const fieldHint = (message: string, condition: string): NodeHint =>
	hint(
		message,
		`={{ ((operation, form) => Boolean(${condition}))($parameter.operation, $parameter[$parameter.operation === "update" ? "updateFields" : "additionalFields"] ?? {}) }}`,
	);

const creates = '["create", "sync", "upsert"].includes(operation)';

/** Hints about fields that need another field. Services accept incomplete values without an error (assumption: limits). */
const linkHints: NodeHint[] = [
	fieldHint(
		'Target Type needs rules. Add them too.',
		`${creates} && form.targetType && !form[(${JSON.stringify(rulesByTargetType)})[form.targetType]]`,
	),
	fieldHint(
		'Statistics Privacy is Password. Set Statistics Password, too.',
		`${creates} && form.privacy === 2 && !form.privacyPassword`,
	),
	fieldHint(
		'These pixels replace all pixels of the link. To keep them, set Pixel Mode to Add or Remove.',
		'operation === "update" && form.pixelIds && !form.pixelMode',
	),
];

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
		hints: [...hints, ...linkHints],
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
