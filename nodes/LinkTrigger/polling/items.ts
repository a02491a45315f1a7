import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { linkContract } from '../../Link/link.contract';
import { simpleFields } from '../../shared/description/output';
import type { MakeOutput } from '../../shared/execute/options';
import type { TriggerEvent } from '../detectors/detector';
import type { EventDefinition } from '../eventDefinition';
import { fingerprint } from './fingerprint';

/** Returns the JSON schema of Simplified output items, which n8n's editor shows before the first run. */
export const eventSchema = (events: readonly EventDefinition[]) => ({
	type: 'object',
	properties: {
		event: { type: 'string', enum: events.map(({ value }) => value) },
		eventId: { type: 'string' },
		...Object.fromEntries(
			simpleFields(linkContract.output).map(({ name, from }) => [name, from.schema]),
		),
	},
	version: 1,
});

/** What the output items of a poll have in common. */
export interface ItemContext {
	/** Address of the API. */
	readonly root: string;
	/** Distinguishes this event from the same event of the link at another time. */
	readonly occurrence: string;
	readonly output: MakeOutput;
}

/**
 * Returns the output item of an event. Its `eventId` is the same whenever the same event is reported again, and differs for
 * each other event, so that Remove Duplicates can use it.
 */
export function itemOf(
	{ event, id, link, once, extra, earlierFields }: TriggerEvent,
	{ root, occurrence, output }: ItemContext,
): INodeExecutionData {
	const parts = [event, fingerprint(root, 4), id, once ?? occurrence];
	const eventId = parts.filter((part) => part !== '').join('-');
	const head: IDataObject = { event, eventId, ...extra };
	const body: IDataObject = link ? output(link) : { id, deleted: true, ...earlierFields };
	// A table shows the first columns without scrolling. The second `head` replaces fields of the service with the same names.
	return { json: { ...head, ...body, ...head } };
}
