import { Workflow, type IConnections, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { eachLink, hintsOf, linksOf, outcomesOf, row, rows } from '../../support/account.ts';
import { useScriptedSync } from '../../support/scriptedSync.ts';
import { byId, continues, jsonOf } from '../../support/service.ts';

const { current, pixel, begin, writes, aliases, sync } = useScriptedSync();

describe('a scope that is not clear refuses the run before anything is sent', () => {
	it.each<[string, INodeParameters | string, RegExp]>([
		['none', {}, /^Sync Scope is empty; set at least one of Alias Starts With, Domain, Space/],
		['no object', 'all', /^Sync Scope is empty/],
		['no domain', { domainId: byId(''), aliasStartsWith: 'a' }, /^Domain is part of the scope and/],
		['no space', { spaceId: '', domainId: byId(1) }, /^Space is part of the scope and empty/],
		['blanks', { aliasStartsWith: '  ' }, /^Alias Starts With is part of the scope and empty/],
		['no value', { domainId: '={{ $json.nothing }}' }, /^Domain is part of the scope/],
		['a failure', { domainId: '={{ $("Nowhere").item.json.id }}' }, /^(Sync Scope|Domain) /],
		['what is no ID', { domainId: '={{ [[1]] }}' }, /^Domain .* is not an ID/],
		[
			'another one for each row',
			{ domainId: '={{ $json.own }}' },
			/^Sync Scope differs between items: Domain 1 in item 1, Domain 2 in item 3/,
		],
	])('%s', async (_name, syncScope, message) => {
		const items = [row('a', { own: 1 }), row('b', { own: 1 }), row('c', { own: 2 })];
		for (const more of [{}, continues]) {
			begin(linksOf(row('a')));
			const result = await sync(items, { syncScope }, more);
			const said =
				result.error?.message ?? String(jsonOf(result)[2]?.error).replace('Item 3: ', '');
			expect(said).toMatch(message);
			expect(jsonOf(result)).toHaveLength(result.error ? 0 : 3);
			expect(current().requests).toEqual([]);
		}
	});

	it.each<[string, IDataObject]>([
		['an invalid address', { url: 'nowhere' }],
		['an expression that fails', { fails: true }],
	])('a scope that differs in a row with %s', async (_name, more) => {
		const items = [
			row('spring-a', { prefix: 'spring-' }),
			row('summer-b', { prefix: 'summer-', ...more }),
		];
		const parameters = {
			mappingColumnMode: 'defineBelow',
			alias: '={{ $json.alias }}',
			url: '={{ $json.fails ? $("Nowhere").item.json.url : $json.url }}',
			syncScope: { aliasStartsWith: '={{ $json.prefix }}' },
		} as never;
		for (const way of [{}, continues]) {
			begin(linksOf(row('spring-x')));
			const result = await sync(items, parameters, way);
			const said = result.error?.message ?? String(jsonOf(result)[1]?.error);
			expect(said).toMatch(
				/Sync Scope differs between items: Alias Starts With spring- in item 1, Alias Starts With summer- in item 2; set the same value for all$/,
			);
			expect(current().requests).toEqual([]);
		}
	});

	it('an empty scope in a row with an expression that fails', async () => {
		const parameters = {
			mappingColumnMode: 'defineBelow',
			alias: '={{ $json.alias }}',
			url: '={{ $("Nowhere").item.json.url }}',
			syncScope: {},
		} as never;
		begin(linksOf(row('a')));
		const result = await sync([row('a')], parameters);
		expect(result.error?.message).toMatch(/^Sync Scope is empty/);
		expect(current().requests).toEqual([]);
	});

	it('the same scope by its name and by its ID, though a row is invalid', async () => {
		begin(linksOf(row('a', { space_id: 2 })));
		const items = [
			row('a', { spaceOf: 'Support' }),
			row('b', { spaceOf: '2', url: 'nowhere' }),
			row('c', { spaceOf: 'support', url: 'nowhere' }),
		];
		const syncScope = { spaceId: '={{ $json.spaceOf }}', domainId: byId(1) };
		const result = await sync(items, { syncScope }, continues);
		expect(outcomesOf(result)).toEqual(['unchanged', undefined, undefined]);
	});

	it.each<[string, IDataObject, RegExp]>([
		['domain', { domainId: 2 }, /^Item 2 \(spring-b\): Domain "2" is outside the .* \(Domain 1\)/],
		['space', { spaceId: 9 }, /^Item 2 \(spring-b\): Space "9" is outside the .* \(Space 2\)/],
		[
			'alias',
			{ alias: 'Spring-b' },
			/^Item 2 \(Spring-b\): Alias "Spring-b" is outside the Sync Scope \(Alias Starts With spring-\)/,
		],
	])('and so does a row that lies outside of it by its %s', async (_name, more, message) => {
		begin(linksOf(row('spring-x', { space_id: 2 })));
		const syncScope = { domainId: byId(1), spaceId: byId(2), aliasStartsWith: 'spring-' };
		const items = [row('spring-a'), row('spring-b', more)];
		expect((await sync(items, { syncScope })).error?.message).toMatch(message);
		expect(current().requests).toEqual([]);
		// The others may go on, but nothing is removed.
		const result = await sync(items, { syncScope }, continues);
		expect(outcomesOf(result)).toEqual(['created', undefined]);
		expect(hintsOf(result)).toMatch(/Nothing was removed, because not all items could be sent/);
		expect(writes().map(([method]) => method)).toEqual(['POST']);
	});

	it('and so does a row without a domain, where there are several and the scope has none', async () => {
		begin(linksOf(row('s-1'), row('s-2', { domain_id: 2 })));
		const items = [row('s-9', { domainId: 1 }), row('s-2')];
		const result = await sync(items, { syncScope: { aliasStartsWith: 's-' } });
		expect(result.error?.message).toBe(
			'Item 2 (s-2): Domain is required, because your links do not all have the same one; set it for each item',
		);
		expect(writes()).toEqual([]);
	});

	it('for pixels too', async () => {
		const items = [{ name: 'a', type: 'quora', value: 'v' }];
		const parameters = (scope: IDataObject) => ({
			mappingColumnMode: 'autoMapInputData',
			syncScope: scope as never,
			unmatchedPixels: 'delete',
		});
		const outside = await pixel('sync', { items, parameters: parameters({ type: 'bing' }) });
		expect(outside.error?.message).toMatch(/^Item 1 \(a\): Type "quora" is outside the Sync Scope/);
		const unknown = await pixel('sync', { items, parameters: parameters({ type: 'myspace' }) });
		expect(unknown.error?.message).toMatch(/^Type "myspace" is not one of the allowed values/);
		expect(current().requests).toEqual([]);
	});
});

describe('what lies outside of the scope is never changed', () => {
	it.each<[string, IDataObject]>([
		['says nothing of its domain', { domain: undefined }],
		['has no domain', { domain: null }],
		['tells a domain without an ID', { domain: { name: 'short.example' } }],
		['tells the name of its domain only', { domain: 'short.example' }],
		['says nothing of its space', { space: undefined }],
		['has no alias', { alias: null }],
		['says nothing of its alias', { alias: undefined }],
		['has an ID that is none', { id: true }],
		['has an object for an ID', { id: { value: 3 } }],
	])('a link that %s is kept', async (_name, more) => {
		begin(linksOf(...rows('a', 'b', 'c').map((each) => ({ ...each, space_id: 2 }))), {
			query: ({ domain_id, space_id, search, search_by, ...query }) => query,
			change: eachLink((link) => (link.id === 3 ? { ...link, ...more } : link)),
		});
		const syncScope = { domainId: byId(1), spaceId: byId(2) };
		const result = await sync(rows('a'), { syncScope });
		expect(writes().map(([method, id]) => [method, id])).toEqual([['DELETE', '2']]);
		expect(outcomesOf(result)).toEqual(['unchanged', 'deleted']);
		expect(current().links).toHaveLength(2);
	});

	it('a link that may be that of a row, because it tells no domain', async () => {
		begin(linksOf(row('a', { space_id: 2, domain_id: 2 }), row('b', { space_id: 2 })), {
			change: eachLink((link) => (link.id === 1 ? { ...link, domain: undefined } : link)),
		});
		const result = await sync([row('a', { domainId: 1 })], { syncScope: { spaceId: byId(2) } });
		expect(outcomesOf(result)).toEqual(['created', 'deleted']);
		expect(aliases()).toEqual(['a', 'a']);
	});

	it('a link that has the alias of a row', async () => {
		const outside = row('a', { space_id: 1, url: 'https://example.com/old' });
		begin(linksOf(outside, row('b', { space_id: 2 })));
		const syncScope = { domainId: byId(1), spaceId: byId(2) };
		const result = await sync(rows('a'), { syncScope });
		expect(result.error?.message).toBe(
			'Item 1 (a): The link a (ID 1) exists already, but the service does not show it in the scope (Domain 1, Space 2)',
		);
		expect(current().links[1]).toMatchObject({ url: 'https://example.com/old' });
		expect(aliases()).toEqual(['a', 'b']);
		expect(writes().map(([method]) => method)).toEqual(['POST']);
		const plan = await sync(rows('a'), { syncScope, options: { dryRun: true } });
		expect(plan.error?.message).toMatch(/^Item 1 \(a\): The alias is taken by the link a \(ID 1\)/);
	});

	it('a link that left the scope while it was read', async () => {
		begin(linksOf(row('a', { space_id: 2, url: 'https://example.com/old' })), {
			before: ({ method, path }) => {
				if (method === 'PUT' && path === '/links/1')
					current().service.database.exec('UPDATE links SET id = 2, space_id = 1');
			},
		});
		const result = await sync(rows('a'), { syncScope: { spaceId: byId(2), domainId: byId(1) } });
		expect(result.error?.message).toMatch(/^Item 1 \(a\): The link a \(ID 2\) exists already, but/);
		expect(current().links).toMatchObject([{ id: 2, url: 'https://example.com/old' }]);
	});
});

describe('Unmatched Links but Keep is refused where the rows cannot be the whole sheet', () => {
	/** Lets all workflows of a test have other connections than the straight one. */
	function wired(connections: IConnections): void {
		const { setConnections } = Workflow.prototype;
		jest.spyOn(Workflow.prototype, 'setConnections').mockImplementation(function (this: Workflow) {
			setConnections.call(this, connections);
		});
	}

	afterEach(() => jest.restoreAllMocks());

	const to = (node: string) => ({ node, type: 'main', index: 0 }) as const;

	it.each(['delete', 'disable'])('in a loop (%s)', async (unmatchedLinks) => {
		begin(linksOf(row('a'), row('b')));
		// The way back starts at an output that gives nothing, so that the loop ends.
		wired({ Rows: { main: [[to('Target')]] }, Target: { main: [[], [to('Rows')]] } });
		const result = await sync(rows('a'), { unmatchedLinks });
		expect(result.error?.message).toMatch(
			/^Unmatched Links must be Keep here, because the node is in a loop, which passes only some of the items at a time: the links of the other items would be removed$/,
		);
		expect(current().requests).toEqual([]);
		expect(outcomesOf(await sync(rows('a'), { unmatchedLinks: 'keep' }))).toEqual(['unchanged']);
	});

	it('on two branches, but not at the end of a chain', async () => {
		begin(linksOf(row('a'), row('b')));
		const { error } = await sync(rows('a'), {}, { through: ['A', 'B'] });
		expect(error?.message).toMatch(/the items come from "A" and from "B", and the node runs once/);
		wired({ Rows: { main: [[to('A')]] }, A: { main: [[to('B')]] }, B: { main: [[to('Target')]] } });
		const chain = await sync(rows('a'), {}, { through: ['A', 'B'] });
		expect(outcomesOf(chain)).toEqual(['unchanged', 'deleted']);
	});

	it('in a second run', async () => {
		begin(linksOf(row('a'), row('b'), row('c')));
		wired({ Rows: { main: [[to('Target'), to('Target')]] } });
		const { run } = await sync(rows('a', 'b'), {}, continues);
		const [first, second] = run.data.resultData.runData.Target ?? [];
		expect(first?.data?.main?.[0]?.map(({ json }) => json.outcome)).toEqual([
			...['unchanged', 'unchanged', 'deleted'],
		]);
		expect(second?.data?.main?.[0]?.[0]?.json.error).toMatch(
			/the node has already run in this execution/,
		);
		expect(current().links).toHaveLength(2);
	});

	it('with Execute Once', async () => {
		begin(linksOf(row('a'), row('b')));
		const once = { settings: { executeOnce: true } };
		expect((await sync(rows('a', 'b'), {}, once)).error?.message).toMatch(/because Execute Once/);
		expect(current().requests).toEqual([]);
		expect(outcomesOf(await sync(rows('a', 'b'), { unmatchedLinks: 'keep' }, once))).toEqual([
			'unchanged',
		]);
	});

	it('as a tool of an agent', async () => {
		begin(linksOf(row('a'), row('b')));
		const tool = { settings: { type: 'n8n-nodes-link-management.linkTool' } };
		expect((await sync(rows('a'), {}, tool)).error?.message).toMatch(/because an AI agent calls/);
		expect(current().requests).toEqual([]);
		expect(outcomesOf(await sync(rows('a'), { unmatchedLinks: 'keep' }, tool))).toEqual([
			'unchanged',
		]);
	});
});
