import { reconciliations } from '../../support/operationNames.ts';
import { jsonOf, succeeded } from '../../support/service.ts';
import {
	chosen,
	descriptionOf,
	errorsOf,
	hintsOf,
	messageOf,
	useColumns,
	type Cells,
} from '../../support/columns.ts';

const { current, mapped, arrived, madeLink, madePixel, held, link, items } = useColumns();

const url = 'https://example.com/';

const unset = { linkId: { __rl: true, mode: 'list', value: '' } };
const byId = { ...unset, matchBy: 'id' };
const byUrl = { ...unset, matchBy: 'url' };

/** Creates a link, forgets that it did, and returns its ID. */
const made = async (alias: string, to = `${url}${alias}`, domain = 1): Promise<number> =>
	await madeLink(alias, { url: to, domain });

const threeLinks = async () => [await made('a'), await made('b'), await made('c')] as const;

const reads = () => current().requests.filter(({ method }) => method === 'GET');

const writesOf = () =>
	arrived()
		.map((line) => line.replace(/&?domain_id=1/, '').replace(/ &/, ' '))
		.sort();

describe('Update with mapped columns and no link in the form', () => {
	it('finds the link of each item by the alias, on the domain of the item', async () => {
		const ids = await threeLinks();
		const rows: Cells[] = [
			{ alias: 'a', domain: 1, url: `${url}x` },
			{ alias: 'b', domain: 1, url: `${url}b` },
			{ alias: 'c', domain: 1, url: `${url}z` },
		];
		const result = await succeeded(mapped('update', rows, unset));
		expect(writesOf()).toEqual([
			`PUT /links/${ids[0]} url=${url}x`,
			`PUT /links/${ids[2]} url=${url}z`,
		]);
		expect(reads()).toHaveLength(1);
		expect(jsonOf(result)).toMatchObject(rows.map(({ alias, url: to }) => ({ alias, url: to })));
	});

	it('reads the column id only with Match By = ID; then the alias is a new value', async () => {
		const [, id] = await threeLinks();
		const row = { id, alias: 'renamed', disabled: false };
		const refused = await mapped('update', [row], unset);
		expect(messageOf(refused)).toContain('Alias "renamed" matches no link');
		expect(arrived()).toEqual([]);
		expect((await mapped('update', [row], byId)).error).toBeUndefined();
		expect(arrived()).toEqual([`PUT /links/${id} alias=renamed`]);
	});

	it('reads the column link_id with Match By = ID, and none if there is a column id too', async () => {
		const [first, id] = await threeLinks();
		const both = await mapped('update', [{ id: first, link_id: id, alias: 'x' }], byId);
		expect(messageOf(both)).toMatch(/^The columns "id" and "link_id" both fill ID; keep one/);
		expect((await mapped('update', [{ link_id: id, alias: 'x' }], byId)).error).toBeUndefined();
		expect(arrived()).toEqual([`PUT /links/${id} alias=x`]);
	});

	it('refuses another domain than that of the link, by ID', async () => {
		const id = await made('a');
		const row = { id, domain: 'short.example', disabled: true };
		expect((await mapped('update', [row], byId)).error).toBeUndefined();
		expect(arrived()).toEqual([`PUT /links/${id} disabled=1`]);
		const other = await mapped('update', [{ id, domain: 2, disabled: false }], byId);
		expect(messageOf(other)).toContain(
			`Domain differs from that of a (ID ${id}) and cannot be changed`,
		);
		expect(arrived()).toHaveLength(1);
	});

	it('uses the only link with the alias if the item has no domain, and names both of two', async () => {
		const [a, b] = await threeLinks();
		const twin = await made('a', url, 2);
		await mapped('update', [{ alias: 'b', disabled: true }], unset);
		await mapped('update', [{ alias: 'a', domain: 2, disabled: true }], unset);
		expect(arrived()).toEqual([b, twin].map((id) => `PUT /links/${id} disabled=1`));
		const both = await mapped('update', [{ alias: 'a', disabled: true }], unset);
		expect(messageOf(both)).toContain(
			`Alias "a" matches 2 links (a (ID ${twin}) on go.example, a (ID ${a}) on short.example)`,
		);
		expect(arrived()).toHaveLength(2);
	});

	it('by destination, and refuses two links with the same one by name', async () => {
		const [a, b] = await threeLinks();
		await mapped('update', [{ url: 'HTTPS://EXAMPLE.com/b', disabled: 1 }], byUrl);
		expect(arrived()).toEqual([`PUT /links/${b} disabled=1`]);
		const twin = await made('twin-of-a', `${url}a`);
		const rows = ['c', 'a'].map((path) => ({ url: `${url}${path}`, disabled: 1 }));
		const message = messageOf(await mapped('update', rows, byUrl));
		expect(message).toContain(`Destination URL "${url}a" matches 2 links (`);
		for (const one of [`a (ID ${a})`, `twin-of-a (ID ${twin})`]) expect(message).toContain(one);
		expect(arrived()).toEqual([]);
	});

	it('refuses the run before the first write if a row has no link', async () => {
		const [a, b, c] = await threeLinks();
		const rows = [a, 999, c, b].map((id) => ({ id, url: `${url}${id}` }));
		expect(messageOf(await mapped('update', rows, byId))).toMatch(
			/^Item 2.*ID "999" matches no link; correct it, or remove the item$/,
		);
		expect(arrived()).toEqual([]);
		const goesOn = await mapped('update', rows, byId, { onError: 'continueRegularOutput' });
		expect(errorsOf(goesOn).map((error) => error !== null)).toEqual([false, true, false, false]);
		expect(arrived()).toHaveLength(3);
	});

	it('refuses a row without the key, and a sheet without the column', async () => {
		const id = await made('a');
		const empty = await mapped(
			'update',
			[
				{ id: '', url },
				{ id, url },
			],
			byId,
		);
		expect(messageOf(empty)).toMatch(/^Item 1.*ID is missing; fill in its cell$/);
		expect(messageOf(await mapped('update', [{ alias: 'a', url }], byId))).toBe(
			'No column fills ID. Columns that came: alias, url. Set Link (By ID, By Short URL, By Alias) with an expression, or rename one to id.',
		);
		expect(current().requests).toEqual([]);
	});

	it('adds pixels to what the link has at that moment', async () => {
		const id = await made('a');
		const pixels = [await madePixel('one'), await madePixel('two'), await madePixel('three')];
		for (const pixel of pixels) {
			const rows = [{ alias: 'a', domain: 1, pixels: pixel }];
			const updateFields = { pixelMode: 'add' };
			await succeeded(mapped('update', rows, { ...unset, updateFields }));
		}
		expect(await held(id)).toMatchObject({ pixels: pixels.map((each) => ({ id: each })) });
	});

	it('may have nothing to change in a sheet with values', async () => {
		const [id] = await threeLinks();
		const rows = [
			{ alias: 'a', domain: 1, disabled: '' },
			{ alias: 'b', domain: 1, disabled: 'yes' },
		];
		const result = await succeeded(mapped('update', rows, unset));
		expect(arrived()).toHaveLength(1);
		expect(hintsOf(result).join()).toContain('1 updated, 1 unchanged');
		const none = await mapped('update', [{ id, note: 'x' }], byId);
		expect(messageOf(none)).toBe(
			'No column fills a field to change. Columns that came: id, note. Rename one of them to the name of a field, or fill in Update Fields.',
		);
		const ignored = await mapped('update', [{ id, url }], { ...byId, inputsToIgnore: 'url' });
		expect(messageOf(ignored)).toMatch(/ id, url\. Remove url from Inputs to Ignore, and correct/);
		const wrong = await mapped('update', [{ id, url: 'htps://example.com' }], byId);
		expect(messageOf(wrong)).toMatch(/ must start with https:\/\/ \(column url\)$/);
	});
});

it('a link of the form is refused for several rows if it is fixed, and precedes Match By', async () => {
	const id = await made('a');
	const rows = [{ url: `${url}x` }, { url: `${url}y` }];
	const result = await mapped('update', rows, { linkId: chosen(id) });
	expect(messageOf(result)).toBe(
		'Link is the same for all 2 items, so they would overwrite one link; clear Link and choose Match By, or enter an expression',
	);
	expect(descriptionOf(result)).toBe('Nothing was sent.');
	expect(current().requests).toEqual([]);
	await mapped('update', rows.slice(0, 1), { linkId: chosen(id) });
	await mapped('update', [{ id, alias: 'b2' }], { matchBy: 'url' });
	expect(arrived()).toEqual([`PUT /links/${id} url=${url}x`, `PUT /links/${id} alias=b2`]);
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
		await succeeded(mapped(operation, rows, { matchBy: 'id' }));
		expect(writesOf()).toEqual([
			`POST /links url=${url}d&alias=d`,
			`PUT /links/${ids[0]} alias=a-new`,
			`PUT /links/${ids[2]} disabled=1`,
		]);
		current().requests.length = 0;
		const unknown = [...rows.slice(2), { id: 999, url }];
		expect(messageOf(await mapped(operation, unknown, { matchBy: 'id' }))).toContain(
			`ID "999" matches no link${operation === 'sync' ? ' of the scope' : ''}; correct it, or empty it to create a link`,
		);
		expect(arrived()).toEqual([]);
	});

	it('by destination: one that is new is created, in the domain of the form', async () => {
		const [a] = await threeLinks();
		const rows = [
			{ url: `${url}a`, alias: 'a3', domain: '' },
			{ url: `${url}new`, domain: '' },
			{ url: `${url}b`, domain: '' },
		];
		const result = await mapped(operation, rows, { matchBy: 'url' });
		expect(jsonOf(result).map(({ outcome }) => outcome)).toEqual([
			...['updated', 'created', 'unchanged'],
		]);
		expect(writesOf()).toEqual([`POST /links url=${url}new`, `PUT /links/${a} alias=a3`]);
	});

	it('by destination: a path in another case is another destination', async () => {
		await made('a', `${url}Sale`);
		const result = await mapped(operation, [{ alias: 'a', url: `${url}sale` }], { matchBy: 'url' });
		expect(messageOf(result)).toMatch(/^Item 1 \(a\): .*Alias/);
	});

	it('by ID in the form, where an empty Link creates', async () => {
		const id = await made('a');
		const target =
			operation === 'sync'
				? { syncScope: { domainId: chosen(1) }, unmatchedLinks: 'keep' }
				: { domainId: chosen(1) };
		const linkId = { __rl: true, mode: 'id', value: '={{ $json.key }}' };
		await succeeded(
			link(operation, {
				items: [id, ''].map((key, at) => ({ key, to: `${url}${at}` })),
				parameters: { matchBy: 'id', linkId, url: '={{ $json.to }}', ...target },
			}),
		);
		expect(writesOf()).toEqual([`POST /links url=${url}1`, `PUT /links/${id} url=${url}0`]);
	});

	it('of one alias for two new links fails the second one, and removes nothing', async () => {
		await madeLink('old');
		const rows = ['1', '2'].map((path) => ({ alias: 'k', url: `${url}${path}` }));
		const options = { maxRemovalPercentage: 100 };
		const parameters = operation === 'sync' ? { unmatchedLinks: 'delete', options } : {};
		const result = await mapped(operation, rows, { matchBy: 'url', ...parameters });
		expect(messageOf(result)).toMatch(/^Item 2 \(k\): .*HTTP 422.*Alias/);
		expect(arrived().map((line) => line.split(' ')[0])).toEqual(['POST', 'POST']);
		expect(current().counts().links).toBe(2);
	});
});

it('a row that takes the alias of an earlier row waits until it is free, as the plan says', async () => {
	const id = await made('a');
	const latency = { kind: 'latency', milliseconds: 500 } as const;
	current().set({ faults: [{ on: { method: 'PUT' }, effect: latency }] });
	const rows = [
		{ id, alias: 'b', url: `${url}a` },
		{ id: '', alias: 'a', url: `${url}new` },
	];
	for (const dryRun of [true, false]) {
		await succeeded(mapped('upsert', rows, { matchBy: 'id', options: { dryRun } }));
	}
});

it.each([
	['a Unicode host', 'https://müller.example/a', 'https://xn--mller-kva.example/a'],
	['percent-encoding', 'https://example.com/%7Ea', 'https://example.com/~a'],
])('a single row finds a destination that is stored with %s', async (_, stored, sent) => {
	await made('a', stored);
	await mapped('upsert', [{ url: sent }], { matchBy: 'url' });
	expect(arrived()).toEqual([]);
});

describe('Sync of links whose aliases start alike', () => {
	it.each([
		['url', { url: `${url}new` }],
		['id', { id: '', url: `${url}new` }],
	])('refuses to create one without an alias, by %s', async (matchBy, row) => {
		await threeLinks();
		const syncScope = { aliasStartsWith: 'a', domainId: chosen(1) };
		const rows = [row, { ...row, alias: 'a9', url: `${url}a9` }];
		expect(messageOf(await mapped('sync', rows, { syncScope, matchBy }))).toBe(
			'Item 1: Alias is missing; a new link needs one within Sync Scope (Alias Starts With a)',
		);
		expect(arrived()).toEqual([]);
	});

	it('changes one without an alias in the row', async () => {
		const id = await made('a');
		const row = { url: `${url}a`, disabled: true };
		await mapped('sync', [row], { syncScope: { aliasStartsWith: 'a' }, matchBy: 'url' });
		expect(arrived()).toEqual([`PUT /links/${id} disabled=1`]);
	});
});

describe('rows of one link', () => {
	it('are executed in their order in Update if the form sets the link', async () => {
		const id = await made('a');
		const rows = [
			{ key: id, url: `${url}x`, disabled: true },
			{ key: id, url: `${url}y` },
			{ key: id, url: `${url}y` },
		];
		const linkId = { __rl: true, mode: 'id', value: '={{ $json.key }}' };
		const result = await succeeded(mapped('update', rows, { linkId, inputsToIgnore: 'key' }));
		expect(jsonOf(result)).toHaveLength(3);
		expect(arrived()).toEqual(
			['x&disabled=1', 'y'].map((sent) => `PUT /links/${id} url=${url}${sent}`),
		);
	});

	it('write only what differs in Update if the form sets the link, so that an expiry in UTC stays', async () => {
		const id = await madeLink('a', { expiration: '2090-07-01 22:00' });
		const timezone = 'America/New_York';
		const linkId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
		const [item] = jsonOf(await link('get', { parameters: { linkId: chosen(id) }, timezone }));
		expect(item?.expiresAt).toMatch(/22:00.*Z$/);
		const rows = [{ ...item, url: `${url}x` }];
		const parameters = { linkId, mappingColumnMode: 'autoMapInputData' };
		for (let run = 0; run < 2; run += 1)
			await link('update', { parameters, items: items(rows), timezone });
		expect(arrived()).toEqual([`PUT /links/${id} url=${url}x`]);
	});

	it.each(['update', 'upsert', 'sync'] as const)(
		'names the owner of a taken alias in %s by ID',
		async (operation) => {
			const [a, b] = await threeLinks();
			const row = { id: b, alias: 'a', url, domain: 1 };
			const result = await mapped(operation, [row], { matchBy: 'id' });
			expect(descriptionOf(result)).toContain(
				`The alias is taken by the link a (ID ${a}); use another one.`,
			);
		},
	);

	it('does not name a link as the owner of its own alias', async () => {
		await made('a');
		const effect = {
			kind: 'status',
			status: 422,
			body: { message: { alias: ['Nope.'] } },
		} as const;
		current().set({ faults: [{ on: { method: 'PUT' }, effect }] });
		const result = await mapped('update', [{ alias: 'a', url }], unset);
		expect(messageOf(result)).toContain('Alias: Nope.');
		expect(descriptionOf(result)).not.toContain('taken');
	});

	it.each(['update', 'upsert'] as const)(
		'are refused under two addresses by %s',
		async (operation) => {
			const id = await made('a');
			const shown = String((await held(id))?.short_url);
			const rows = [shown, id].map((key) => ({ id: key, url: `${url}${key}` }));
			expect(messageOf(await mapped(operation, rows, byId))).toMatch(
				/^Item 2.*: ID ".*" matches the same link as ".*" \(a \(ID \d+\)\); keep only one of the two$/,
			);
			expect(arrived()).toEqual([]);
		},
	);
});
