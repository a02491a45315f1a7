import type { IDataObject } from 'n8n-workflow';
import { linksOf, outcomesOf, row, rows, type Oddities } from '../../support/account.ts';
import { useScriptedSync } from '../../support/scriptedSync.ts';
import { byId } from '../../support/service.ts';
import type { NodeRun } from '../../support/n8n.ts';

const { current, sync, begin, methods } = useScriptedSync();

describe('what somebody else changes after the list was read', () => {
	it.each(['delete', 'disable'])(
		'a link that got the alias of a row stays (%s)',
		async (others) => {
			const links = begin(linksOf(row('old')), {
				before: ({ method }) => {
					if (method === 'POST') Object.assign(links[0] ?? {}, row('new'));
					return undefined;
				},
			});
			const result = await sync(rows('new'), {}, { parameters: { unmatchedLinks: others } });
			expect(outcomesOf(result)).toEqual(['unchanged']);
			expect(links).toMatchObject([{ id: 1, alias: 'new', disabled: 0 }]);
			expect(methods()).toEqual(['POST ']);
		},
	);

	it('of two links that changed their aliases none is removed, and the row says so', async () => {
		const links = begin(linksOf(row('a'), row('b')), {
			before: ({ method }) => {
				if (method === 'PUT') links.forEach((one) => (one.alias = one.id === 1 ? 'b' : 'a'));
				return undefined;
			},
		});
		const result = await sync([{ ...row('a'), url: 'https://example.com/changed' }]);
		expect(result.error?.message).toMatch(/^Item 1 \(a\): The service returned a different link/);
		expect(methods()).toEqual(['PUT 1']);
		expect(links).toHaveLength(2);
	});
});

describe('an answer that does not fit its row stops the removals', () => {
	const answered = (method: string, more: IDataObject): Oddities => ({
		before: (request) =>
			request.method === method
				? { status: 200, body: { data: { ...linksOf(row('a'))[0], ...more } } }
				: undefined,
	});

	it('a create that came to lie in another space than the scope', async () => {
		const space = { id: 2, name: 'Two' };
		const links = begin(linksOf(row('old')), answered('POST', { id: 7, space }));
		const scope = { spaceId: byId(1) } as never;
		const result = await sync(
			rows('a'),
			{},
			{ parameters: { syncScope: scope, domainId: byId(1) } },
		);
		expect(result.error?.message).toMatch(
			/was written, but the service put it outside of the scope/,
		);
		expect(links).toHaveLength(1);
	});

	it.each([{ id: 2 }, { alias: 'zzz' }, { domain: { id: 2 } }])('an update: %j', async (more) => {
		const links = begin(linksOf(row('a'), row('b')), answered('PUT', { id: 1, ...more }));
		const result = await sync([{ ...row('a'), url: 'https://example.com/changed' }]);
		expect(result.error?.message).toMatch(/^Item 1 \(a\): The service returned a different link/);
		expect(links).toHaveLength(2);
	});
});

describe('settings that are given by expressions', () => {
	it.each<[string, IDataObject, NodeRun['parameters']?]>([
		['Unmatched Links', {}, { unmatchedLinks: '={{ $itemIndex === 0 ? "delete" : "keep" }}' }],
		['Max Removals', { maxRemovals: '={{ 10 - 10 * $itemIndex }}' }],
		['Max Removal Percentage', { maxRemovalPercentage: '={{ 100 - 50 * $itemIndex }}' }],
		['Dry Run', { dryRun: '={{ $itemIndex === 1 }}' }],
	])('%s must be the same for all rows', async (name, options, parameters = {}) => {
		begin(linksOf(row('a'), row('b'), row('c')));
		const result = await sync(rows('a', 'b'), options, { parameters });
		expect(result.error?.message).toMatch(
			RegExp(
				`^${name} differs between items: \\w+ in item 1, \\w+ in item 2; set the same value for all$`,
			),
		);
		expect(current().requests).toEqual([]);
	});

	it('Unmatched Links that gives nothing remove nothing', async () => {
		begin(linksOf(row('a'), row('b')));
		const result = await sync(
			rows('a'),
			{},
			{ parameters: { unmatchedLinks: '={{ $json.nothing }}' } },
		);
		expect(result.error?.message).toMatch(
			/^Unmatched Links has an expression that returns no value/,
		);
		expect(current().requests).toEqual([]);
	});

	it('that agree are taken', async () => {
		begin(linksOf(row('a'), row('b')));
		const parameters = { unmatchedLinks: '={{ "del" + "ete" }}' };
		const result = await sync(rows('a'), {}, { parameters });
		expect(outcomesOf(result)).toEqual(['unchanged', 'deleted']);
	});
});

describe('rows that reach the node on two ways', () => {
	it('are refused before the first of them, since the node would run once for each', async () => {
		begin(linksOf(row('a'), row('b')));
		const result = await sync(rows('a'), {}, { through: ['One way', 'Other way'] });
		expect(result.error?.message).toMatch(
			/^Unmatched Links must be Keep here, because the items come from "One way" and from "Other way"/,
		);
		expect(current().requests).toEqual([]);
	});

	it('and are taken on one way', async () => {
		begin(linksOf(row('a'), row('b')));
		const result = await sync(rows('a'), {}, { through: ['Only way'] });
		expect(outcomesOf(result)).toEqual(['unchanged', 'deleted']);
	});
});
