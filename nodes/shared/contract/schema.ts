import type { Operation, ResourceContract } from './types';
import { simpleFields, type Schema } from './view';

/** What a confirmed delete gives (assumption: delete answer). */
const deletion: Readonly<Record<string, Schema>> = {
	id: { type: ['integer', 'string'] },
	deleted: { type: 'boolean' },
};

const outcome: Schema = { type: 'string', enum: ['created', 'updated', 'unchanged'] };

/**
 * The JSON schema of an operation's output items, as n8n's editor shows it before the first run. It tells of Simplified,
 * for n8n looks it up by resource and operation alone.
 */
export function outputSchema({ view }: ResourceContract, { endpoint }: Operation) {
	const fields = simpleFields(view).map(({ name, from }) => [name, from.schema] as const);
	const properties = endpoint.task === 'deletion' ? deletion : Object.fromEntries(fields);
	return {
		type: 'object',
		properties: { ...properties, ...(endpoint.task === 'upsert' ? { outcome } : {}) },
		version: 1,
	};
}
