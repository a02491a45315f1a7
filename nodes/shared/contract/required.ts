import type { INodeProperties } from 'n8n-workflow';

/**
 * Returns the message for a missing required field: `Domain is required. Choose one, or enter its ID under By ID`.
 */
export function requiredText({ displayName, modes }: INodeProperties): string {
	const byId = modes?.find(({ name }) => name === 'id');
	const remedy = byId ? `Choose one, or enter its ID under ${byId.displayName}` : 'Enter a value';
	return `${displayName} is required. ${remedy}`;
}
