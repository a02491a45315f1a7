import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId, jsonOf, useService, type Run } from './service.ts';
import type { NodeResult } from './n8n.ts';
import { writes, type Write } from './operationNames.ts';

export { writes, type Write };

/** A row as it comes from a node before: also with what JSON has no word for, such as a Date. */
export type Cells = Record<string, unknown>;

/** A locator as the list fills it in. One by ID n8n would match with a pattern, which may time out on a busy machine. */
export const chosen = (value: number) => ({ __rl: true, mode: 'list', value });

/** What an operation cannot do without beside the columns. Update names its link by a column, as it always did. */
const needed: Record<Write, Run['parameters']> = {
	create: { domainId: chosen(1) },
	upsert: { domainId: chosen(1) },
	update: { linkId: byId('={{ $json.id }}') },
	sync: { syncScope: { domainId: chosen(1) }, unmatchedLinks: 'keep' },
};

const neededByPixels: Record<Write, Run['parameters']> = {
	create: {},
	upsert: {},
	update: { pixelId: byId('={{ $json.id }}') },
	sync: { syncScope: { nameStartsWith: 'm' }, unmatchedPixels: 'keep' },
};

export const messageOf = ({ error }: NodeResult) => String(error?.message);

export const descriptionOf = ({ error }: NodeResult) =>
	String(error && 'description' in error ? error.description : undefined);

export const hintsOf = ({ task }: NodeResult) => (task.hints ?? []).map(({ message }) => message);

/** The errors of the rows of a run that goes on after them. */
export const errorsOf = (result: NodeResult) => jsonOf(result).map(({ error }) => error ?? null);

/** The reference service, and the nodes with their values taken from columns. */
export function useColumns() {
	const service = useService();
	const { current, link, pixel } = service;

	const items = (rows: readonly Cells[]) => rows as IDataObject[];

	/** Returns what runs an operation whose values come from the columns of the rows. */
	const mappedOn =
		(node: typeof link, neededBy: Record<Write, Run['parameters']>) =>
		async (
			operation: Write,
			rows: readonly Cells[],
			parameters: Run['parameters'] = {},
			run: Run = {},
		): Promise<NodeResult> =>
			await node(operation, {
				...run,
				items: items(rows),
				parameters: {
					mappingColumnMode: 'autoMapInputData',
					...neededBy[operation],
					...parameters,
				},
			});
	const mapped = mappedOn(link, needed);
	const mappedPixels = mappedOn(pixel, neededByPixels);

	/** The writes that arrived: `POST /links alias=a&…`, readable. */
	const arrived = () =>
		current()
			.requests.filter(({ method }) => method !== 'GET')
			.map(({ method, path, body }) =>
				`${method} ${path.replace('/api/v1', '')} ${decodeURIComponent(body)}`.trim(),
			);

	/** The names and values of the last form that arrived; of a list all values, with commas. */
	const lastForm = (): Record<string, string> => {
		const form = new URLSearchParams(current().requests.findLast(({ body }) => body)?.body);
		return Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name).join()]));
	};

	/** Makes a link or a pixel by the form alone; the journal is empty afterwards. */
	const made = async (node: typeof link, parameters: Run['parameters']): Promise<number> => {
		const result = await node('create', { parameters: { ...parameters, output: 'raw' } });
		const [one] = jsonOf(result);
		if (typeof one?.id !== 'number') throw new Error(messageOf(result));
		current().requests.length = 0;
		return one.id;
	};
	const madeLink = async (
		alias = 'made',
		{ url = 'https://example.com/old', domain = 1, ...additionalFields }: IDataObject = {},
	) =>
		await made(link, {
			...{ url, domainId: chosen(Number(domain)), alias },
			additionalFields: additionalFields as never,
		} as INodeParameters);
	const madePixel = async (name = 'made', type = 'bing') =>
		await made(pixel, { name, type, value: 'old' });

	/** What the service holds of a link. */
	const held = async (id: number) =>
		jsonOf(await link('get', { parameters: { linkId: chosen(id), output: 'raw' } }))[0];

	return { ...service, mapped, mappedPixels, arrived, lastForm, madeLink, madePixel, held, items };
}
