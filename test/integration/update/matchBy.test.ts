import { reconciliations } from '../../support/operationNames.ts';
import { jsonOf } from '../../support/service.ts';
import {
	chosen,
	descriptionOf,
	errorsOf,
	hintsOf,
	messageOf,
	useColumns,
	type Cells,
} from '../../support/columns.ts';

const { current, mapped, mappedPixels, arrived, madeLink, madePixel, held, link } = useColumns();

const url = 'https://example.com/';

/** Update without a link in the form. */
const unset = { linkId: { __rl: true, mode: 'list', value: '' } };

/** Links a, b and c with destinations of their own. */
const threeLinks = async () => {
	const ids: number[] = [];
	for (const alias of ['a', 'b', 'c']) {
		const result = await link('create', {
			parameters: {
				url: `${url}${alias}`,
				domainId: chosen(1),
				output: 'raw',
				alias,
			},
		});
		ids.push(Number(jsonOf(result)[0]?.id));
	}
	current().requests.length = 0;
	return ids;
};

/** The paths of the reads that arrived. */
const reads = () =>
	current()
		.requests.filter(({ method }) => method === 'GET')
		.map(({ path }) => path.replace('/api/v1', ''));

const writesOf = () =>
	arrived().map((line) => line.replace(/&?domain_id=1/, '').replace(/ &/, ' '));

describe('Update with mapped columns and no link in the form', () => {
	it('finds the link of each item by the alias, on the domain of the item', async () => {
		const ids = await threeLinks();
		const rows: Cells[] = [
			{ alias: 'a', domain: 1, url: `${url}x` },
			{ alias: 'b', domain: 1, url: `${url}b` },
			{ alias: 'c', domain: 1, url: `${url}z` },
		];
		const result = await mapped('update', rows, unset);
		expect(result.error).toBeUndefined();
		expect(arrived().sort()).toEqual([
			`PUT /links/${ids[0]} url=${url}x`,
			`PUT /links/${ids[2]} url=${url}z`,
		]);
		expect(reads()).toHaveLength(1);
		expect(jsonOf(result).map(({ alias, url: to }) => [alias, to])).toEqual([
			['a', `${url}x`],
			['b', `${url}b`],
			['c', `${url}z`],
		]);
	});

	it('reads the column id only with Match By = ID; then the alias is a new value', async () => {
		const ids = await threeLinks();
		const row = { id: ids[1], alias: 'renamed', disabled: false };
		const refused = await mapped('update', [row], unset);
		expect(messageOf(refused)).toContain('Alias "renamed" matches no link');
		expect(arrived()).toEqual([]);
		const result = await mapped('update', [row], { ...unset, matchBy: 'id' });
		expect(result.error).toBeUndefined();
		expect(arrived()).toEqual([`PUT /links/${ids[1]} alias=renamed`]);
		expect(await held(Number(ids[1]))).toMatchObject({ alias: 'renamed' });
	});

	it('refuses another domain than that of the link, by ID', async () => {
		const [id = 0] = await threeLinks();
		const byId = { ...unset, matchBy: 'id' };
		const row = { id, domain: 'short.example', disabled: true };
		const result = await mapped('update', [row], byId);
		expect(result.error).toBeUndefined();
		expect(arrived()).toEqual([`PUT /links/${id} disabled=1`]);
		const other = await mapped('update', [{ id, domain: 2, disabled: false }], byId);
		expect(messageOf(other)).toContain(
			`Domain differs from that of a (ID ${id}) and cannot be changed`,
		);
		expect(arrived()).toHaveLength(1);
	});

	it('uses the only link with the alias if the item has no domain, and names both of two', async () => {
		const ids = await threeLinks();
		const second = await link('create', {
			parameters: { url, domainId: chosen(2), output: 'raw', alias: 'a' },
		});
		const twin = Number(jsonOf(second)[0]?.id);
		current().requests.length = 0;
		await mapped('update', [{ alias: 'b', disabled: true }], unset);
		await mapped('update', [{ alias: 'a', domain: 2, disabled: true }], unset);
		expect(arrived()).toEqual([ids[1], twin].map((id) => `PUT /links/${id} disabled=1`));
		const both = await mapped('update', [{ alias: 'a', disabled: true }], unset);
		expect(messageOf(both)).toContain(
			`Alias "a" matches 2 links (a (ID ${twin}) on go.example, a (ID ${ids[0]}) on short.example)`,
		);
		expect(arrived()).toHaveLength(2);
	});

	it('by destination, and refuses two links with the same one by name', async () => {
		const ids = await threeLinks();
		const byUrl = { ...unset, matchBy: 'url' };
		await mapped('update', [{ url: 'HTTPS://EXAMPLE.com/b', disabled: 1 }], byUrl);
		expect(arrived()).toEqual([`PUT /links/${ids[1]} disabled=1`]);
		const twin = await link('create', {
			parameters: {
				url: `${url}a`,
				domainId: chosen(1),
				alias: 'twin-of-a',
			},
		});
		current().requests.length = 0;
		const rows = [
			{ url: `${url}c`, disabled: 1 },
			{ url: `${url}a`, disabled: 1 },
		];
		const result = await mapped('update', rows, byUrl);
		expect(messageOf(result)).toContain(`Destination URL "${url}a" matches 2 links (`);
		expect(messageOf(result)).toContain(`a (ID ${ids[0]})`);
		expect(messageOf(result)).toContain(`twin-of-a (ID ${Number(jsonOf(twin)[0]?.id)})`);
		expect(arrived()).toEqual([]);
	});

	it('refuses the run before the first write if a row has no link', async () => {
		const ids = await threeLinks();
		const rows = [
			{ id: ids[0], url: `${url}x` },
			{ id: 999, url: `${url}y` },
			{ id: ids[2], url: `${url}z` },
			{ id: ids[1], url: `${url}w` },
		];
		const byId = { ...unset, matchBy: 'id' };
		const result = await mapped('update', rows, byId);
		expect(messageOf(result)).toMatch(
			/^Item 2.*ID "999" matches no link; correct it, or remove the item$/,
		);
		expect(arrived()).toEqual([]);
		const goesOn = await mapped('update', rows, byId, { onError: 'continueRegularOutput' });
		expect(errorsOf(goesOn).map((error) => error !== null)).toEqual([false, true, false, false]);
		expect(arrived()).toHaveLength(3);
	});

	it('refuses a row without the key, and a sheet without the column', async () => {
		const ids = await threeLinks();
		const byId = { ...unset, matchBy: 'id' };
		const empty = await mapped(
			'update',
			[
				{ id: '', url },
				{ id: ids[0], url },
			],
			byId,
		);
		expect(messageOf(empty)).toMatch(/^Item 1.*ID is missing; fill in its cell$/);
		const none = await mapped('update', [{ alias: 'a', url }], byId);
		expect(messageOf(none)).toBe(
			'No column fills ID. Columns that came: alias, url. Rename one to id, or choose another Match By.',
		);
		expect(current().requests).toEqual([]);
	});

	it('adds pixels to what the link has at that moment', async () => {
		await threeLinks();
		const pixels = [await madePixel('one'), await madePixel('two'), await madePixel('three')];
		const updateFields = { pixelMode: 'add' };
		for (const pixel of pixels) {
			const rows = [{ alias: 'a', domain: 1, pixels: pixel }];
			const result = await mapped('update', rows, { ...unset, updateFields });
			expect(result.error).toBeUndefined();
		}
		const [one] = jsonOf(
			await link('getAll', { parameters: { returnAll: true, output: 'raw' } }),
		).filter(({ alias }) => alias === 'a');
		expect((one?.pixels as { id: number }[]).map(({ id }) => id).sort()).toEqual(pixels.sort());
	});
});

describe('Update with mapped columns and a link in the form', () => {
	it('refuses one fixed link for several rows', async () => {
		const ids = await threeLinks();
		const rows = [{ url: `${url}x` }, { url: `${url}y` }];
		const result = await mapped('update', rows, { linkId: chosen(Number(ids[0])) });
		expect(messageOf(result)).toBe(
			'Link is the same for all 2 items, so they would overwrite one link; clear Link and choose Match By, or enter an expression',
		);
		expect(descriptionOf(result)).toBe('Nothing was sent.');
		expect(current().requests).toEqual([]);
		await mapped('update', [{ url: `${url}x` }], { linkId: chosen(Number(ids[0])) });
		expect(arrived()).toEqual([`PUT /links/${ids[0]} url=${url}x`]);
	});

	it('an expression takes precedence over Match By', async () => {
		const ids = await threeLinks();
		await mapped('update', [{ id: ids[0], alias: 'b2' }], { matchBy: 'url' });
		expect(arrived()).toEqual([`PUT /links/${ids[0]} alias=b2`]);
	});
});

describe.each(reconciliations)('%s', (operation) => {
	it('by ID: an empty one creates, an unknown one is refused, the alias is a new value', async () => {
		const ids = await threeLinks();
		const rows = [
			{ id: ids[0], alias: 'a-new', url: `${url}a` },
			{ id: '', alias: 'd', url: `${url}d` },
			{ id: String(ids[2]), disabled: 'true' },
			{ id: ` ${ids[1]} `, alias: 'b', url: `${url}b` },
		];
		const result = await mapped(operation, rows, { matchBy: 'id' });
		expect(result.error).toBeUndefined();
		expect(writesOf().sort()).toEqual([
			`POST /links url=${url}d&alias=d`,
			`PUT /links/${ids[0]} alias=a-new`,
			`PUT /links/${ids[2]} disabled=1`,
		]);
		current().requests.length = 0;
		const unknown = await mapped(operation, [...rows.slice(2), { id: 999, url }], {
			matchBy: 'id',
		});
		expect(messageOf(unknown)).toContain(
			`ID "999" matches no link${operation === 'sync' ? ' of the scope' : ''}; correct it, or empty it to create a link`,
		);
		expect(arrived()).toEqual([]);
	});

	it('by destination: one that is new is created', async () => {
		const ids = await threeLinks();
		const rows = [{ url: `${url}a`, alias: 'a3' }, { url: `${url}new` }, { url: `${url}b` }];
		const result = await mapped(operation, rows, { matchBy: 'url' });
		expect(result.error).toBeUndefined();
		expect(writesOf().sort()).toEqual([
			`POST /links url=${url}new`,
			`PUT /links/${ids[0]} alias=a3`,
		]);
		expect(jsonOf(result).map(({ outcome }) => outcome)).toEqual([
			'updated',
			'created',
			'unchanged',
		]);
	});

	it('in the form too, where an empty Link creates', async () => {
		const ids = await threeLinks();
		const result = await link(operation, {
			items: [
				{ key: ids[0], to: `${url}x` },
				{ key: '', to: `${url}y` },
			] as never,
			parameters: {
				matchBy: 'id',
				linkId: { __rl: true, mode: 'id', value: '={{ $json.key }}' },
				url: '={{ $json.to }}',
				...(operation === 'sync'
					? { syncScope: { domainId: chosen(1) }, unmatchedLinks: 'keep' }
					: { domainId: chosen(1) }),
			},
		});
		expect(result.error).toBeUndefined();
		expect(writesOf().sort()).toEqual([
			`POST /links url=${url}y`,
			`PUT /links/${ids[0]} url=${url}x`,
		]);
	});
});

describe('Sync of links whose aliases start alike', () => {
	it.each([
		['url', { url: `${url}new` }],
		['id', { id: '', url: `${url}new` }],
	])('refuses to create one without an alias, by %s', async (matchBy, row) => {
		await threeLinks();
		const scope = { aliasStartsWith: 'a', domainId: chosen(1) };
		const result = await mapped('sync', [row, { ...row, alias: 'a9', url: `${url}a9` }], {
			syncScope: scope,
			matchBy,
		});
		expect(messageOf(result)).toBe(
			'Item 1: Alias is missing; a new link needs one within Sync Scope (Alias Starts With a)',
		);
		expect(arrived()).toEqual([]);
	});

	it('changes one without an alias in the row', async () => {
		const [id] = await threeLinks();
		const row = { url: `${url}a`, disabled: true };
		await mapped('sync', [row], { syncScope: { aliasStartsWith: 'a' }, matchBy: 'url' });
		expect(arrived()).toEqual([`PUT /links/${id} disabled=1`]);
	});
});

describe('Pixels', () => {
	it('are found by ID, and renamed', async () => {
		const ids = [await madePixel('one'), await madePixel('two')];
		const byId = { pixelId: { __rl: true, mode: 'list', value: '' }, matchBy: 'id' };
		await mappedPixels('update', [{ id: ids[1], name: 'second' }], byId);
		expect(arrived()).toEqual([`PUT /pixels/${ids[1]} name=second`]);
		await mappedPixels('upsert', [{ id: ids[0], name: 'first' }], { matchBy: 'id' });
		expect(arrived().at(-1)).toBe(`PUT /pixels/${ids[0]} name=first`);
	});

	it('are found by name in Update', async () => {
		const id = await madePixel('one');
		await mappedPixels('update', [{ name: 'one', value: 'new' }], {
			pixelId: { __rl: true, mode: 'list', value: '' },
		});
		expect(arrived()).toEqual([`PUT /pixels/${id} value=new`]);
	});
});

describe('rows of one link', () => {
	const byId = { ...unset, matchBy: 'id' };

	it('must not change it in different ways in Update', async () => {
		const [id = 0] = await threeLinks();
		const rows = [
			{ id, url: `${url}x` },
			{ id: `0${id}`, disabled: true },
		];
		const result = await mapped('update', rows, byId);
		expect(messageOf(result)).toMatch(
			/^Item 2: ID has the same value as item 1, but other fields differ; keep only one of the two$/,
		);
		expect(current().requests).toEqual([]);
	});

	it('are executed in their order in Update if the form sets the link', async () => {
		const [id = 0] = await threeLinks();
		const rows = [
			{ key: id, url: `${url}x`, disabled: true },
			{ key: id, url: `${url}y` },
			{ key: id, url: `${url}y` },
		];
		const linkId = { __rl: true, mode: 'id', value: '={{ $json.key }}' };
		const parameters = { linkId, inputsToIgnore: 'key' };
		const result = await mapped('update', rows, parameters);
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)).toHaveLength(3);
		expect(arrived()).toEqual([
			`PUT /links/${id} url=${url}x&disabled=1`,
			`PUT /links/${id} url=${url}y`,
			`PUT /links/${id} url=${url}y`,
		]);
	});

	it('are one in Update if they are identical, and each returns an item', async () => {
		const [id = 0] = await threeLinks();
		const row = { id, url: `${url}x` };
		const result = await mapped('update', [row, row, row], byId);
		expect(arrived()).toEqual([`PUT /links/${id} url=${url}x`]);
		expect(jsonOf(result)).toHaveLength(3);
	});
});

it.each(['update', 'upsert'] as const)(
	'%s refuses one link under two addresses',
	async (operation) => {
		const [id = 0] = await threeLinks();
		const shown = String((await held(id))?.short_url);
		current().requests.length = 0;
		const rows = [
			{ id: shown, url: `${url}x` },
			{ id, url: `${url}y` },
		];
		const result = await mapped(operation, rows, { ...unset, matchBy: 'id' });
		expect(messageOf(result)).toMatch(
			/^Item 2.*: ID ".*" matches the same link as ".*" \(a \(ID \d+\)\); keep only one of the two$/,
		);
		expect(arrived()).toEqual([]);
	},
);

describe('a row that Match By finds', () => {
	it('may have nothing to change', async () => {
		const [id = 0] = await threeLinks();
		const rows = [
			{ alias: 'a', domain: 1, disabled: '' },
			{ alias: 'b', domain: 1, disabled: 'yes' },
		];
		const result = await mapped('update', rows, unset);
		expect(result.error).toBeUndefined();
		expect(arrived()).toHaveLength(1);
		expect(hintsOf(result).join()).toContain('1 updated, 1 unchanged');
		const none = await mapped('update', [{ id, note: 'x' }], { ...unset, matchBy: 'id' });
		expect(hintsOf(none).join()).toContain('Nothing was changed. 1 item: 1 unchanged.');
	});

	it('keeps the domain of the form if the cell is empty, also where empty cells clear', async () => {
		await threeLinks();
		const result = await mapped('upsert', [{ url: `${url}new`, domain: '' }], {
			matchBy: 'url',
			options: { emptyValues: 'clear' },
		});
		expect(result.error).toBeUndefined();
		expect(arrived()).toEqual([`POST /links url=${url}new&domain_id=1`]);
	});
});

it.each(reconciliations)(
	'%s of one alias for two new links fails the second one, and removes nothing',
	async (operation) => {
		await madeLink('old');
		const rows = [
			{ alias: 'k', url: `${url}1` },
			{ alias: 'k', url: `${url}2` },
		];
		const options = { maxRemovalPercentage: 100 };
		const parameters = operation === 'sync' ? { unmatchedLinks: 'delete', options } : {};
		const result = await mapped(operation, rows, { matchBy: 'url', ...parameters });
		expect(messageOf(result)).toMatch(/^Item 2 \(k\): .*HTTP 422.*Alias/);
		const links = jsonOf(await link('getAll', { parameters: { returnAll: true } }));
		expect(links.map(({ alias, url: stored }) => [alias, stored])).toEqual(
			expect.arrayContaining([['k', `${url}1`]]),
		);
		expect(links).toHaveLength(2);
	},
);
