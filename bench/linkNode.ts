import {
	goesOn,
	mappedNode,
	only,
	syncNode,
	thisNode,
	upsertNode,
	type Access,
	type Contestant,
	type Settings,
} from './contestants.ts';
import type { Node, Steps } from './workflow.ts';

/** The Link node, which returns as much of each link as the HTTP Request node does. */
export const linkOf = (
	parameters: Record<string, unknown>,
	{ link: credential }: Access,
	settings: Settings = {},
): Node => ({
	type: 'n8n-nodes-link-management.link',
	typeVersion: 1,
	parameters: { resource: 'link', output: 'raw', ...parameters },
	credentials: { linkManagementApi: credential },
	...settings,
});

const link = (...given: Parameters<typeof linkOf>): Steps => only(linkOf(...given));

/** The only domain of the rows, chosen in the form. */
const domainId = { __rl: true, mode: 'id', value: '1' };

/** This package's Create, with what the scenario sets under Options. */
export const linkCreate = (options: object, settings?: Settings): Contestant => ({
	name: thisNode,
	steps: (access) =>
		link(
			{
				operation: 'create',
				url: '={{ $json.url }}',
				domainId,
				additionalFields: { alias: '={{ $json.alias }}' },
				options,
			},
			access,
			settings,
		),
});

/** What the fields that the columns fill hold in the form: nothing, and no expression. */
const mapped = { dataToSend: 'autoMapInputData', url: '', additionalFields: {} };

/** The same, with the columns of the rows mapped by their names. */
export const mappedCreate = (options: object): Contestant => ({
	name: mappedNode,
	steps: (access) => link({ operation: 'create', ...mapped, domainId, options }, access),
});

/** This package's Create or Update, with the columns mapped. */
export const mappedUpsert = (): Contestant => ({
	name: upsertNode,
	steps: (access) =>
		link({ operation: 'upsert', ...mapped, alias: '', domainId, options: {} }, access, goesOn),
});

/** This package's Sync of the domain, with the columns mapped. */
export const mappedSync = (): Contestant => ({
	name: syncNode,
	steps: (access) =>
		link(
			{
				operation: 'sync',
				...mapped,
				alias: '',
				scope: { domainId },
				others: 'keep',
				options: {},
			},
			access,
			goesOn,
		),
});

/** Create or Update as it was in version 0.1.0: it looks up each row. It gets a share of the rows. */
export const firstUpsert = (share: number): Contestant => ({
	name: 'version 0.1.0, Create or Update',
	commit: '71669f5',
	share,
	steps: (access) =>
		link(
			{
				operation: 'upsert',
				url: '={{ $json.url }}',
				alias: '={{ $json.alias }}',
				domainId,
				options: {},
			},
			access,
			goesOn,
		),
});

/** This package's Get Many with Return All. */
export const linkList = (): Contestant => ({
	name: thisNode,
	steps: (access) =>
		link({ operation: 'getAll', returnAll: true, filters: {}, options: {} }, access),
});
