import type { IDataObject, INode } from 'n8n-workflow';
import type { ResourceContract } from '../contract/types';

/**
 * Whether a node runs as a tool of an AI agent. n8n gives each tool variant this name; its `isToolExecution` says no for
 * the tools of the present AI Agent, which n8n's engine runs like ordinary nodes.
 */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/** What a model is told of an empty list; n8n would hand it an empty text, which may mean anything. */
export const nothingFound = ({ name }: ResourceContract): IDataObject => ({
	message: `No ${name.toLowerCase()} was found. Search for another text, or in another field.`,
});
