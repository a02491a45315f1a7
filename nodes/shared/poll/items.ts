import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { MakeOutput } from '../execute/options';
import { simpleFields } from '../description/output';
import type { Happening, TriggerContract } from './types';

/** The JSON schema of the output items, as n8n's editor shows it before the first run. It tells of Simplified. */
export const eventSchema = ({ resource, events }: TriggerContract) => ({
	type: 'object',
	properties: {
		event: { type: 'string', enum: events.map(({ value }) => value) },
		eventId: { type: 'string' },
		...Object.fromEntries(
			simpleFields(resource.output).map(({ name, from }) => [name, from.schema]),
		),
	},
	version: 1,
});

/** What the output items of a poll are made with. */
export interface ItemParts {
	/** Tells this service from others. */
	readonly service: string;
	/** Tells what happens now from what happens to the same resource another time. */
	readonly occurrence: string;
	readonly output: MakeOutput;
}

/**
 * The output item of an event. Its `eventId` is the same whenever the same event is reported again, and another one for every
 * other event, so that Remove Duplicates can go by it.
 */
export function itemOf(
	{ event, id, resource, once, told }: Happening,
	{ service, occurrence, output }: ItemParts,
): INodeExecutionData {
	const parts = [event, service, id, once ?? occurrence];
	const eventId = parts.filter((part) => part !== '').join('-');
	const head: IDataObject = { event, eventId, ...told };
	const body: IDataObject = resource ? output(resource) : { id, deleted: true };
	// First, so that a table shows it without being scrolled, and again, since the service may use one of the names.
	return { json: { ...head, ...body, ...head } };
}
