import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { chosen, messageOf } from '../../support/columns.ts';
import { PollingTrigger } from '../../support/pollingTrigger.ts';
import { apiKey, byId, useService } from '../../support/service.ts';

const { current, link, pixel } = useService();
const nodes = { link, pixel };

/** A workflow as n8n stored it when that version of the package was the newest. */
interface SavedWorkflow {
	readonly nodes: readonly { readonly type: string; readonly parameters: INodeParameters }[];
}

const folder = join(__dirname, '..', '..', 'workflows');

const saved = readdirSync(folder).flatMap((version) =>
	readdirSync(join(folder, version)).map((file): [string, SavedWorkflow] => [
		`${version}/${file}`,
		JSON.parse(readFileSync(join(folder, version, file), 'utf8')) as SavedWorkflow,
	]),
);

const isTriggered = ([, { nodes: all }]: (typeof saved)[number]) => all.length === 1;
const triggers = saved.filter(isTriggered);
const actions = saved.filter((one) => !isTriggered(one));

/** What the workflows find at the service. */
async function seed(): Promise<void> {
	const values = { name: 'Shoppers', type: 'facebook', value: '123' };
	await pixel('create', { parameters: values });
	for (const name of ['a', 'b']) {
		await link('create', {
			parameters: {
				url: `https://example.com/${name}`,
				domainId: byId(1),
				alias: `old-${name}`,
				additionalFields: { spaceId: chosen(2) },
			},
		});
	}
	current().requests.length = 0;
}

/** What arrived, without what differs between two runs. Rows go side by side, so their order means nothing. */
const arrived = () =>
	current()
		.requests.map(({ method, path, query, body }) => {
			const where = `${method} ${path}${query ? `?${query}` : ''}`;
			return [where, ...[...new URLSearchParams(body)].map((pair) => pair.join('='))].join('\n  ');
		})
		.sort();

describe('a workflow that an earlier version has saved', () => {
	beforeEach(seed);

	it.each(triggers)('polls for what it polled then: %s', async (_, { nodes: [trigger] }) => {
		const credential = { baseUrl: current().url, apiKey };
		const { parameters = {} } = trigger ?? {};
		const polling = new PollingTrigger('classic', { node: 'linkTrigger', parameters, credential });
		for (const polled of [await polling.activate(), await polling.poll()]) {
			expect(polled.error).toBeUndefined();
		}
		expect(arrived().join('\n')).toMatchSnapshot();
	});

	it.each(actions)('sends what it sent then: %s', async (_, { nodes: [rows, target] }) => {
		const code = String(rows?.parameters.jsCode);
		const items = JSON.parse(code.replace(/^return (.*);$/s, '$1')) as IDataObject[];
		const { resource, operation, ...parameters } = target?.parameters ?? {};
		const run = nodes[resource as keyof typeof nodes];
		const result = await run(String(operation), { items, parameters });
		expect(messageOf(result)).toBe('undefined');
		expect(arrived().join('\n')).toMatchSnapshot();
	});
});
