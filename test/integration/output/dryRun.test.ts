import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { linksOf, row, rows, writesIn } from '../../support/account.ts';
import { chosen, errorsOf, hintsOf, messageOf, useColumns } from '../../support/columns.ts';
import type { NodeResult } from '../../support/n8n.ts';
import { useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf, succeeded, type Run } from '../../support/service.ts';

const { current, link, pixel, mapped, madeLink, madePixel, arrived, lastForm } = useColumns();

const dry = async (
	operation: string,
	{ options, ...parameters }: INodeParameters,
	run: Run = {},
): Promise<NodeResult> => {
	current().requests.length = 0;
	const all = { dryRun: true, ...(options as IDataObject) } as INodeParameters;
	const result = await link(operation, { ...run, parameters: { ...parameters, options: all } });
	expect(arrived()).toEqual([]);
	return result;
};

async function shown(operation: string, parameters: INodeParameters, item: IDataObject = {}) {
	const result = await succeeded(dry(operation, parameters, { items: [item] }));
	expect(current().requests).toHaveLength(1);
	expect(hintsOf(result).join()).toMatch(
		/^Dry run: nothing was written\. 1 item would be: 1 \w+\.$/,
	);
	return jsonOf(result)[0];
}

const mask = '••••••';

describe('a dry run', () => {
	it.each(['id', 'url'])(
		'with Match By %s finds in the order of the rows that the alias of a create is taken',
		async (matchBy) => {
			const url = '={{ $json.url }}';
			const parameters = { matchBy, url, domainId: byId(1), alias: '={{ $json.alias }}' };
			await link('create', { items: [{ url: 'https://example.com/', alias: 'one' }], parameters });
			const items = ['one', 'free', 'new', 'New'].map((alias) => ({
				...{ id: '', alias, url: `https://example.com/${alias}` },
				...(alias === 'free' ? { id: 1, url: 'https://example.com/' } : {}),
			}));
			const options = { dryRun: true };
			const plan = { ...parameters, mappingColumnMode: 'autoMapInputData', options };
			const other = matchBy === 'url' ? 'one, or match the items by Alias' : 'one';
			const notes: unknown[] = [
				expect.stringMatching(`The alias is taken by the link one .ID 1.; use another ${other}$`),
				...['Changes 1 field', 'New'],
				'New, unless the service refuses the alias because of the link new (new)',
			];
			for (const some of [items, items.slice(0, 1)]) {
				const run = { items: some, parameters: plan, onError: 'continueRegularOutput' } as const;
				const shownNotes = jsonOf(await link('upsert', run)).map(
					({ note, error }) => note ?? error,
				);
				expect(shownNotes).toEqual(notes.slice(0, some.length));
			}
		},
	);

	it('shows what differs of a link that is there, before and after, and no secret', async () => {
		const key = { url: 'https://example.com/', domainId: byId(1), alias: 'one' };
		const ruleTo = (place: string) => ({
			key: place.toUpperCase(),
			value: `https://example.com/${place}`,
		});
		const fields = {
			spaceId: byId(2),
			password: 'old-secret',
			privacyPassword: 'old-secret',
			country: { rules: ['us', 'de'].map(ruleTo) },
			disabled: false,
		};
		const create = { ...key, additionalFields: fields };
		await link('upsert', { parameters: create });

		const parameters = {
			...key,
			additionalFields: {
				...fields,
				country: { rules: [ruleTo('us')] },
				spaceId: byId('={{ $json.space }}'),
				password: 'new-secret',
				privacyPassword: '={{ $json.none }}',
				disabled: true,
			},
			options: { emptyValues: 'clear' },
		};
		const item = { space: '', none: null };
		expect(await shown('upsert', parameters, item)).toEqual({
			...{ outcome: 'updated', id: 1, alias: 'one' },
			before: [
				'Country Rules: US=https://example.com/us, DE=https://example.com/de',
				`Disabled: false; Password: ${mask}; Statistics Password: ${mask}; Space: 2`,
			].join('; '),
			after: [
				'Country Rules: US=https://example.com/us; Disabled: true',
				`Password: ${mask}; Statistics Password: (empty); Space: (empty)`,
			].join('; '),
			note: 'Changes 4 fields. The password is sent each time, because the service does not return it',
		});
		await link('upsert', { items: [item], parameters });
		expect(arrived()).toEqual([expect.stringMatching(/^PUT /)]);
		expect(lastForm()).toEqual({
			space_id: '',
			password: 'new-secret',
			privacy_password: '',
			'country[0][key]': 'US',
			'country[0][value]': 'https://example.com/us',
			disabled: '1',
		});
		expect(await shown('upsert', { ...key, additionalFields: { disabled: true } })).toEqual({
			...{ outcome: 'unchanged', id: 1, alias: 'one' },
			...{ before: '–', after: '–', note: 'Nothing to change' },
		});
	});
});

const keys = ['outcome', 'id', 'alias', 'before', 'after', 'note'];
const url = (name: string) => `https://example.com/${name}`;

/** Checks that n8n's table shows each item of a dry run as a line of texts under the same headings. */
function expectTable(result: NodeResult, headings = keys): void {
	expect(messageOf(result)).toBe('undefined');
	const items = jsonOf(result);
	expect(items.length).toBeGreaterThan(0);
	for (const item of items) {
		expect(Object.keys(item)).toEqual(headings);
		const { id, ...texts } = item;
		expect(id === null || ['number', 'string'].includes(typeof id)).toBe(true);
		for (const text of Object.values(texts)) expect(typeof text).toBe('string');
		expect(item.outcome).not.toBe('');
		expect(item.note).not.toBe('');
	}
}

describe('a Dry Run', () => {
	const reads = () =>
		current().requests.map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`);

	it('shows the same table for every operation that writes', async () => {
		const id = await madeLink('made', { expirationClicks: 5 });
		await madeLink('other');
		const key = { domainId: chosen(1), alias: 'made' };
		const scope = { aliasStartsWith: 'm' };
		const runs: [string, INodeParameters][] = [
			['create', { url: url('new'), domainId: chosen(1) }],
			['create', { url: url('new'), ...key, alias: 'made' }],
			['upsert', { url: url('new'), ...key }],
			['upsert', { url: url('new'), ...key, alias: 'new' }],
			['update', { linkId: byId(id), updateFields: { url: url('new') } }],
			['update', { linkId: byId(id), updateFields: { url: url('old') } }],
			['disable', { linkId: byId(id) }],
			['enable', { linkId: byId(id) }],
			['delete', { linkId: byId(id) }],
			['delete', { linkId: byId(99), options: { ignoreMissing: true } }],
			['sync', { url: url('new'), alias: 'm-new', syncScope: scope, unmatchedLinks: 'disable' }],
			['sync', { url: url('new'), alias: 'm-new', syncScope: scope, unmatchedLinks: 'delete' }],
		];
		const seen: string[] = [];
		for (const [operation, { options, ...parameters }] of runs) {
			const isSync = operation === 'sync';
			const given = {
				...(isSync ? { maxRemovalPercentage: 100 } : {}),
				...(options as IDataObject),
			};
			const domain = isSync ? { additionalFields: { domainId: chosen(1) } } : {};
			const result = await dry(operation, { ...domain, ...parameters, options: given as never });
			expectTable(result);
			expect(hintsOf(result).join()).toMatch(/^Dry run: nothing was (written|sent)\./);
			seen.push([operation, ...jsonOf(result).map(({ outcome }) => outcome)].join(' '));
		}
		expect(seen).toEqual([
			...['create created', 'create refused', 'upsert updated', 'upsert created'],
			...['update updated', 'update updated', 'disable disabled', 'enable enabled'],
			...['delete deleted', 'delete missing', 'sync created disabled', 'sync created deleted'],
		]);
	});

	it('and for pixels, by their names', async () => {
		const id = await madePixel('made');
		const headings = keys.map((key) => key.replace('alias', 'name'));
		const write = { name: 'made', type: 'quora', value: 'new' };
		const type = { before: 'Type: Microsoft UET Tag (Bing); Tracking ID: old' };
		const removal = { after: '–', note: 'Deletes permanently' };
		const update = { pixelId: byId(id), updateFields: { name: 'new' } };
		const runs: [string, INodeParameters, object][] = [
			['create', write, { outcome: 'refused', id: null, before: '–' }],
			['upsert', write, { outcome: 'updated', id, ...type }],
			['delete', { pixelId: byId(id) }, { outcome: 'deleted', id, ...type, ...removal }],
			['update', update, { outcome: 'updated', id, before: 'Name: made', after: 'Name: new' }],
		];
		for (const [operation, parameters, expected] of runs) {
			const options = { dryRun: true };
			const result = await pixel(operation, { parameters: { ...parameters, options } });
			expectTable(result, headings);
			expect(jsonOf(result)).toMatchObject([{ name: 'made', ...expected }]);
		}
		expect(arrived()).toEqual([]);
	});

	it('shows the pixels that Pixel Mode results in', async () => {
		const [one, two] = [await madePixel('one'), await madePixel('two')];
		const id = await madeLink('made', { pixelIds: [one] });
		const add = async (pixelIds: number[]) =>
			jsonOf(
				await dry('update', { linkId: byId(id), updateFields: { pixelIds, pixelMode: 'add' } }),
			);
		expect(await add([two])).toMatchObject([
			{ outcome: 'updated', before: `Pixels: ${one}`, after: `Pixels: ${one}, ${two}` },
		]);
		expect(await add([one])).toMatchObject([{ outcome: 'unchanged', before: '–', after: '–' }]);
	});

	it('finds links by ID and by short URL, many with one request, and follows renames', async () => {
		const ids = [await madeLink('a'), await madeLink('b'), await madeLink('c')];
		current().requests.length = 0;
		const links = [ids[2], ids[0], 'https://short.example/b', `${current().url}/s/z2`];
		const items = links.map((link) => ({ link }));
		const updateFields = { alias: '={{ "z" + $itemIndex }}' };
		const linkId = byId('={{ $json.link }}');
		const result = await dry('update', { linkId, updateFields }, { items });
		expectTable(result);
		expect(jsonOf(result).map(({ id, alias, after }) => [id, alias, after])).toEqual(
			['c', 'a', 'b', 'z2'].map((alias, at) => [
				ids[[2, 0, 1, 1][at] ?? 0],
				alias,
				`Alias: z${at}`,
			]),
		);
		expect(reads()).toEqual(['GET /links', 'GET /links']);
	});

	it('fails for a link that does not exist, as a run would, unless Ignore Missing is on', async () => {
		const items = [await madeLink('a'), await madeLink('b'), 99].map((id) => ({ id }));
		const parameters = { linkId: byId('={{ $json.id }}'), updateFields: { disabled: true } };
		const error = 'Item 3: No link has the ID 99';
		const { error: failed } = await dry('update', parameters, { items });
		expect(failed).toMatchObject({ message: error, httpCode: '404' });
		expect(failed).toMatchObject({ description: expect.not.stringMatching(/done/) });
		const result = await dry('update', parameters, { items, onError: 'continueRegularOutput' });
		expect(errorsOf(result)).toEqual([null, null, error]);
		const linkId = byId(99);
		expect(messageOf(await dry('delete', { linkId }))).toContain('No link has the ID 99');
		expect(jsonOf(await dry('delete', { linkId, options: { ignoreMissing: true } }))).toMatchObject(
			[{ outcome: 'missing', id: 99, alias: '–', note: 'Already deleted' }],
		);
	});

	describe('of Create', () => {
		it('says which rows the service would refuse because their alias is taken', async () => {
			const id = await madeLink('taken');
			const result = await mapped('create', rows('taken', 'free'), { options: { dryRun: true } });
			expectTable(result);
			expect(jsonOf(result)).toMatchObject([
				{
					...{ outcome: 'refused', id: null, alias: 'taken', before: '–' },
					after: `Destination URL: ${url('taken')}; Domain: 1; Alias: taken`,
					note: `The alias is taken by the link taken (ID ${id}); use Create or Update to change it`,
				},
				{ outcome: 'created', alias: 'free', note: 'New' },
			]);
			expect(reads()).toEqual(['GET /links', 'GET /links']);
			expect(hintsOf(result)[0]).toContain('2 items would be: 1 created, 1 refused.');
		});

		it('takes an alias of another domain for free, and is unsure without a domain', async () => {
			const id = await madeLink('taken');
			const noteOf = async (domain: INodeParameters) =>
				jsonOf(await dry('create', { url: url('a'), alias: 'taken', ...domain }))[0]?.note;
			expect(await noteOf({ domainId: chosen(2) })).toBe('New');
			expect(await noteOf({})).toBe(
				`New, unless the service refuses the alias because of the link taken (ID ${id})`,
			);
		});

		it.each(['create', 'upsert'] as const)(
			'is unsure in %s about an alias in another case',
			async (operation) => {
				const id = await madeLink('taken');
				const plan = await mapped(operation, rows('TAKEN'), { options: { dryRun: true } });
				const note = `New, unless the service refuses the alias because of the link taken (ID ${id})`;
				expect(jsonOf(plan)).toMatchObject([{ outcome: 'created', note }]);
			},
		);

		it('omits an alias that the next run would generate again', async () => {
			const parameters = { url: url('a'), domainId: chosen(1), options: { generateAlias: 6 } };
			expect(jsonOf(await dry('create', parameters))).toMatchObject([
				{
					...{ alias: '–', after: `Destination URL: ${url('a')}; Domain: 1` },
					note: 'New; a run generates the alias',
				},
			]);
			expect(reads()).toEqual([]);
		});
	});

	it('shows the same table to AI agents, and if Output is Raw', async () => {
		const id = await madeLink('made');
		const settings = { type: 'n8n-nodes-link-management.linkTool' };
		const output = 'raw';
		expectTable(
			await dry(
				'update',
				{ linkId: byId(id), updateFields: { disabled: true }, output },
				{ settings },
			),
		);
		const options = { dryRun: true, maxRemovalPercentage: 100, mapPasswords: true };
		const sheet = [row('new', { password: 'secret' })];
		const result = await mapped('sync', sheet, { output, unmatchedLinks: 'delete', options });
		expectTable(result);
		expect(jsonOf(result).map(({ outcome }) => outcome)).toEqual(['created', 'deleted']);
		expect(JSON.stringify(result.outputs)).not.toContain('"secret"');
	});

	it.each(['get', 'getQrCode'])('has no effect on %s', async (operation) => {
		const id = await madeLink('made');
		const parameters = { linkId: byId(id), options: { dryRun: true } };
		const result = await link(operation, { parameters });
		expect(jsonOf(result)).toMatchObject([{ shortUrl: expect.stringMatching(/\/made$/) }]);
		expect(hintsOf(result)).toEqual([]);
	});
});

describe('a Dry Run in an account of three pages', () => {
	const { current, link } = useScriptedService();

	it.each([
		[10, 'reads the list', 3],
		[2, 'reads them one by one', 0],
	])('of %d links %s', async (count, _how, pages) => {
		const aliases = Array.from({ length: 250 }, (_, at) => row(`a-${at}`));
		current().hold(linksOf(...aliases));
		const items = Array.from({ length: count }, (_, at) => ({ id: 1 + 20 * at }));
		const parameters = { linkId: byId('={{ $json.id }}'), options: { dryRun: true } };
		const result = await link('delete', { items, parameters });
		expectTable(result);
		expect(jsonOf(result).map(({ id }) => id)).toEqual(items.map(({ id }) => id));
		expect(writesIn(current().requests)).toEqual([]);
		expect(current().requests.filter(({ path }) => path === '/links')).toHaveLength(pages);
		expect(current().requests).toHaveLength(pages || count);
	});

	it('of 10 creates reads the list, and searches for no alias', async () => {
		current().hold(linksOf(...Array.from({ length: 250 }, (_, at) => row(`a-${at}`))));
		const items = Array.from({ length: 10 }, (_, at) => ({ alias: `new-${at}` }));
		const form = { url: 'https://example.com/', domainId: byId(1), options: { dryRun: true } };
		const result = await link('create', {
			items,
			parameters: { ...form, alias: '={{ $json.alias }}' },
		});
		expect(jsonOf(result).map(({ outcome }) => outcome)).toEqual(items.map(() => 'created'));
		expect(current().requests).toHaveLength(3);
	});
});
