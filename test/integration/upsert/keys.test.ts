import type { IDataObject } from 'n8n-workflow';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf, useService, type Run } from '../../support/service.ts';

const { current, link } = useService();
const scripted = useScriptedService();

const create = async (alias: string, domain: number, more: Run = {}) => {
	const parameters = {
		url: 'https://example.com/old',
		domainId: byId(domain),
		alias,
	};
	const result = await link('create', { ...more, parameters });
	expect(result.error).toBeUndefined();
	current().requests.length = 0;
};

/** Create or Update without a domain, of the alias `sale` unless told. */
const withoutDomain = (more: Run = {}): Run => ({
	...more,
	parameters: {
		url: 'https://example.com/new',
		alias: 'sale',
		domainId: byId(''),
		...more.parameters,
	},
});

const arrived = () => current().requests.map(({ method, path }) => `${method} ${path.slice(7)}`);

const missing =
	'Domain is required, because your links do not all have the same one; set it for each item';

describe('Create or Update without a domain', () => {
	it('does not touch the link of another domain that has the alias', async () => {
		await create('other', 1);
		await create('sale', 2);
		const result = await link('upsert', withoutDomain());
		expect(result.error?.message).toBe(missing);
		expect(result.error?.context.data).toMatchObject({
			rows: [{ outcome: 'failed', fieldErrors: { domain_id: [missing] } }],
		});
		expect(arrived()).toEqual(['GET /links']);
		const held = await link('getAll', {
			parameters: { filters: { search: 'sale', searchBy: 'alias' } },
		});
		expect(jsonOf(held)).toMatchObject([{ url: 'https://example.com/old' }]);
	});

	it('means the only domain of the account, and asks for it once for all rows', async () => {
		await create('sale', 2);
		const items = [{ alias: 'sale' }, { alias: 'new' }, { alias: 'newer' }];
		const run = withoutDomain({ items, parameters: { alias: '={{ $json.alias }}' } });
		const result = await link('upsert', run);
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)).toMatchObject([
			{ alias: 'sale', outcome: 'updated', domain: 'go.example' },
			{ alias: 'new', outcome: 'created', domain: 'go.example' },
			{ alias: 'newer', outcome: 'created', domain: 'go.example' },
		]);
		const unfiltered = current().requests.filter(({ query }) => query === 'per_page=100&page=1');
		expect(unfiltered).toHaveLength(1);
		expect(
			current()
				.requests.filter(({ method }) => method === 'POST')
				.map(({ body }) => new URLSearchParams(body).get('domain_id')),
		).toEqual(['2', '2']);
	});

	describe('in an account of several pages, whose oldest link has another domain', () => {
		beforeEach(async () => {
			await create('oldest', 2);
			const items = Array.from({ length: 100 }, (_, index) => ({ alias: `link-${index}` }));
			const parameters = {
				url: 'https://example.com/old',
				domainId: byId(1),
				alias: '={{ $json.alias }}',
				options: { concurrency: 20 },
			};
			await link('create', { items, parameters });
			current().requests.length = 0;
		});

		it('means the only domain of the newest links', async () => {
			const result = await link('upsert', withoutDomain({ parameters: { alias: 'link-7' } }));
			expect(jsonOf(result)).toMatchObject([{ outcome: 'updated', domain: 'short.example' }]);
			expect(arrived().slice(0, 2)).toEqual(['GET /links', 'GET /links']);
		});

		it('is refused if a link of another domain has the alias', async () => {
			const result = await link('upsert', withoutDomain({ parameters: { alias: 'oldest' } }));
			expect(result.error?.message).toBe(missing);
			expect(arrived()).toEqual(['GET /links', 'GET /links']);
		});

		it('is refused before the first write if the run read all of them', async () => {
			const items = ['link-1', 'link-2', 'new'].map((alias) => ({ alias }));
			const run = withoutDomain({ items, parameters: { alias: '={{ $json.alias }}' } });
			const result = await link('upsert', run);
			expect(result.error?.description).toMatch(
				/^Items 1 \(link-1\), 2 \(link-2\), 3 \(new\): Domain is required, /,
			);
			expect(arrived()).toEqual(['GET /links', 'GET /links']);
			const onError = 'continueRegularOutput';
			const goesOn = await link('upsert', {
				...run,
				onError,
				items: [...items, { alias: 'own', domain: 2 }],
				parameters: { ...run.parameters, domainId: byId('={{ $json.domain ?? "" }}') },
			});
			expect(jsonOf(goesOn).map(({ outcome }) => outcome)).toEqual([
				...[undefined, undefined, undefined, 'created'],
			]);
		});
	});

	it('means none where a link does not tell its domain', async () => {
		const { domain: _, ...homeless } = linkAs({ id: 2, alias: 'other' });
		const links = [linkAs({ alias: 'sale' }), homeless as IDataObject];
		scripted
			.current()
			.follow(({ method, query }) =>
				method === 'GET'
					? pageOf(links.filter(({ alias }) => String(alias).includes(query.search ?? '')))
					: oneOf(linkAs({ alias: 'sale' })),
			);
		const result = await scripted.link('upsert', withoutDomain());
		expect(result.error?.message).toBe(missing);
		expect(scripted.current().requests.map(({ method }) => method)).toEqual(['GET']);
	});

	it('creates in an account without any link, whose service chooses the domain', async () => {
		scripted
			.current()
			.follow(({ method }) =>
				method === 'GET'
					? pageOf([])
					: oneOf(linkAs({ alias: 'sale', url: 'https://example.com/new' })),
			);
		const result = await scripted.link('upsert', withoutDomain());
		expect(jsonOf(result)).toMatchObject([{ alias: 'sale', outcome: 'created' }]);
		expect(scripted.current().requests.at(-1)).toMatchObject({
			method: 'POST',
			body: 'url=https://example.com/new&alias=sale',
		});
		// The whole list was looked at, and not only what the alias finds.
		expect(scripted.current().requests[0]?.query).toEqual({ per_page: '100', page: '1' });
	});
});

it('two executions at once that match by Destination URL create one link', async () => {
	const upsert = async () =>
		await link('upsert', withoutDomain({ parameters: { matchBy: 'url', domainId: byId(1) } }));
	const results = await Promise.all([upsert(), upsert()]);
	expect(results.flatMap(jsonOf).map(({ outcome }) => outcome)).toEqual(['created', 'unchanged']);
	expect(current().counts().links).toBe(1);
});
