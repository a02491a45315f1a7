import type { OperationName, ResourceContract, Schema } from '../contract/types';
import { returnsResources } from '../contract/placement';
import { simpleFields } from './output';

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
export function outputSchema({ output }: ResourceContract, operation: OperationName) {
	const fields = simpleFields(output).map(({ name, from }) => [name, from.schema] as const);
	const properties = returnsResources(operation) ? Object.fromEntries(fields) : deletion;
	return {
		type: 'object',
		properties: { ...properties, ...(operation === 'upsert' ? { outcome } : {}) },
		version: 1,
	};
}
