import { startService, type RunningService } from '../../testkit/service/index.ts';
import type { INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import { formParameters } from './formParameters.ts';
import { askNode, runNode, type NodeResult, type NodeRun } from './n8n.ts';
import { useVirtualTime } from './virtualTime.ts';

export const apiKey = 'test-key-0123456789';

/** The setting of a node that goes on after errors. */
export const continues = { onError: 'continueRegularOutput' } as const;

/** What a test varies about a run; node, credential and operation are given apart. */
export type Run = Omit<Partial<NodeRun>, 'node' | 'credential'> & {
	credential?: Partial<NodeRun['credential']>;
};

/** Returns what runs an operation of each node with a credential, or loads one of its lists. */
export function runnersOf(credentialOf: (changes: Run['credential']) => NodeRun['credential']) {
	const runOn =
		(node: NodeRun['node']) =>
		async (operation: string, run: Run = {}): Promise<NodeResult> =>
			await runNode({
				...run,
				node,
				parameters: { operation, ...formParameters(run.parameters) },
				credential: credentialOf(run.credential),
			});

	/** What a list shows that a node offers for choosing: the text typed so far, and the token of the page before. */
	const search = async (
		node: NodeRun['node'],
		method: string,
		typed?: string,
		token?: string,
		credential: Run['credential'] = {},
	): Promise<INodeListSearchResult> =>
		await askNode({ node, credential: credentialOf(credential) }, async (type, context) => {
			const found = type.methods?.listSearch?.[method];
			if (!found) throw new Error(`${node} has no list named ${method}`);
			return await found.call(context, typed, token);
		});

	const load = async (
		node: NodeRun['node'],
		method: string,
		credential: Run['credential'] = {},
	): Promise<INodePropertyOptions[]> =>
		await askNode({ node, credential: credentialOf(credential) }, async (type, context) => {
			const found = type.methods?.loadOptions?.[method];
			if (!found) throw new Error(`${node} has no options named ${method}`);
			return await found.call(context);
		});

	return { link: runOn('link'), pixel: runOn('pixel'), search, load };
}

/**
 * Starts a strict reference service for each test, on virtual time: what one test taught the rate limiter of an address is not
 * known in the next. Strict means that the service refuses whatever the contract does not list.
 */
export function useReferenceService(): () => RunningService {
	let service: RunningService | undefined;

	useVirtualTime();
	beforeEach(async () => {
		service = await startService({ strict: true, apiKeys: [apiKey] });
	});
	afterEach(async () => {
		await service?.stop();
		service = undefined;
	});
	return () => {
		if (!service) throw new Error('the reference service is not running');
		return service;
	};
}

/** Starts an empty reference service for each test, and points the nodes at it. */
export function useService() {
	const current = useReferenceService();
	beforeEach(() => current().clear());

	const credentialOf = (credential: Run['credential']) => ({
		baseUrl: current().url,
		apiKey,
		...credential,
	});

	return { current, ...runnersOf(credentialOf) };
}

/** A resource locator as the editor stores it. */
export const byId = (value: number | string) => ({ __rl: true, mode: 'id', value });

/** The JSON of the items of the first output. */
export const jsonOf = ({ outputs }: NodeResult) => (outputs[0] ?? []).map(({ json }) => json);

/** The input rows that the items of an output are linked to. */
export const pairsOf = ({ outputs }: NodeResult, output = 0) =>
	(outputs[output] ?? []).map(({ pairedItem }) => pairedItem);

/** Waits for the end of a run, and expects that it succeeds. */
export async function succeeded(run: Promise<NodeResult>): Promise<NodeResult> {
	const result = await run;
	expect(result.error).toBeUndefined();
	return result;
}
