import type { INodeProperties } from 'n8n-workflow';

/** Returns what to say if a field that is needed was left out: `Domain is required. Choose one, or enter its ID under By ID`. */
export function requiredText({ displayName, modes }: INodeProperties): string {
	const byId = modes?.find(({ name }) => name === 'id');
	const remedy = byId ? `Choose one, or enter its ID under ${byId.displayName}` : 'Enter a value';
	return `${displayName} is required. ${remedy}`;
}
