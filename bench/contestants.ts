import type { Node, Steps } from './workflow.ts';

/** Where the service is, and the credentials of an n8n for it. */
export interface Access {
	service: string;
	link: { id: string; name: string };
	bearer: { id: string; name: string };
}

/** A contestant inside n8n: its name in the results, and what it does in a given n8n. */
export interface Contestant {
	name: string;
	/** The commit of which its n8n has the package; this checkout's unless told. */
	commit?: string;
	/** How many rows it gets; all of the scenario's unless told. */
	share?: number;
	steps(access: Access): Steps;
}

export const thisNode = 'this node';
export const mappedNode = `${thisNode}, columns mapped`;
export const upsertNode = `${thisNode}, Create or Update`;
export const syncNode = `${thisNode}, Sync`;
export const httpRequest = 'HTTP Request';
export const barePool = 'undici pool';

/** n8n's On Error and Retry On Fail settings of a node. */
export type Settings = Pick<Node, 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>;

/** After a row that failed, the others go on. */
export const goesOn = { onError: 'continueRegularOutput' } as const satisfies Settings;
/** And n8n tries the node again as often as it can. */
export const triesAgain = { ...goesOn, retryOnFail: true, maxTries: 5 } as const satisfies Settings;

/** One node alone. */
export const only = (node: Node): Steps => ({ chain: [node] });
