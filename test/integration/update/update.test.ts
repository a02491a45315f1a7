import type { IDataObject } from 'n8n-workflow';
import { without } from '../../../nodes/shared/contract/values';
import { outcomesOf } from '../../support/account.ts';
import { chosen, hintsOf, messageOf, useColumns } from '../../support/columns.ts';
import { sheetOn } from '../../support/mappedSheet.ts';
import { switchings } from '../../support/operationNames.ts';
import { linkAs, oneOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf, succeeded, type Run } from '../../support/service.ts';

const { current, link, madeLink, madePixel, arrived, held } = useColumns();

const full = {
	...{ alias: 'full', password: 'secret', spaceId: byId(2), privacy: 2, privacyPassword: 'hidden' },
	...{ expirationUrl: 'https://example.com/over', expiration: '2099-12-31' },
	...{ expirationClicks: 100, targetType: 1 },
	country: { rules: [{ key: 'DE', value: 'https://example.de/' }] },
};

/** Makes a link and returns its ID. */
const made = async ({ alias, ...fields }: IDataObject = full): Promise<number> =>
	await madeLink(String(alias), fields);

async function pixels(...names: string[]): Promise<number[]> {
	const ids: number[] = [];
	for (const name of names) ids.push(await madePixel(name));
	return ids;
}

const update = async (id: number, parameters: Run['parameters'], run: Run = {}) =>
	await link('update', { ...run, parameters: { linkId: byId(id), ...parameters } });

/** The requests that arrived, with what a write sent, readable. */
const allArrived = () =>
	current().requests.map(({ method, path, body }) =>
		[method, path.replace('/api/v1', ''), body && decodeURIComponent(body)]
			.filter(Boolean)
			.join(' '),
	);

it('takes no options of other operations, which the workflow may still contain', async () => {
	const id = await made();
	const options = { generateAlias: 8, maxRemovals: 'no number' };
	expect((await update(id, { updateFields: { privacy: 1 }, options })).error).toBeUndefined();
	expect(allArrived().at(-1)).toBe(`PUT /links/${id} privacy=1`);
});

describe('Clear Fields', () => {
	it('empties each field that it names', async () => {
		const [attached = 0] = await pixels('Attached');
		const id = await made({ ...full, pixelIds: [attached] });
		const before = await held(id);
		current().requests.length = 0;
		const clearFields = [
			...['spaceId', 'password', 'privacyPassword', 'expirationUrl', 'expirationClicks'],
			...['expiration', 'country', 'platform', 'language', 'rotation', 'pixelIds'],
		];
		expect((await update(id, { clearFields })).error).toBeUndefined();
		const rules = ['country', 'platform', 'language'].map(
			(name) => `${name}[0][key]=&${name}[0][value]=`,
		);
		const [sent = ''] = allArrived();
		expect(sent.split(/[ &]/).slice(2).sort()).toEqual(
			[
				...['space_id=', 'password=', 'privacy_password=', 'expiration_url=', 'expiration_clicks='],
				...['expiration_date=', 'expiration_time=', 'rotation[0][value]=', 'pixel_ids[]='],
				...rules.flatMap((pair) => pair.split('&')),
			].sort(),
		);
		expect(await held(id)).toEqual({
			...before,
			...{ space: null, password: false, privacy_password: false, expiration_url: null },
			...{ expiration_clicks: null, ends_at: null, pixels: [], country_target: null },
			updated_at: expect.anything(),
		});
	});

	it('takes names and labels from an expression, and leaves what is not named', async () => {
		const id = await made();
		await update(id, { clearFields: '={{ "password; Space" }}' });
		expect(await held(id)).toMatchObject({ password: false, space: null, expiration_clicks: 100 });
	});

	it('refuses what cannot be cleared, and what is set at the same time, before sending', async () => {
		const id = await made();
		const unknown = await update(id, { clearFields: ['alias'] });
		expect(messageOf(unknown)).toMatch(/^Clear Fields "alias" cannot be cleared; use /);
		const both = await update(id, {
			clearFields: ['spaceId', 'expiration'],
			updateFields: { spaceId: byId(1), expiration: '2099-01-01' },
		});
		expect(messageOf(both)).toBe(
			'Expiration is both set and cleared; do only one of them. Space is both set and cleared; do only one of them',
		);
		expect(allArrived()).toEqual([]);
	});
});

describe('an empty cell', () => {
	const fields = {
		url: '={{ $json.url }}',
		spaceId: { __rl: true, mode: 'id', value: '={{ $json.space }}' },
		expiration: '={{ $json.expires }}',
		targetType: 1,
		country: '={{ $json.rules }}',
	};
	const items = [{ url: 'https://example.com/new', space: '', expires: null, rules: '' }];

	it('is skipped, or clears its field where the option says so', async () => {
		const id = await made();
		await update(id, { updateFields: fields }, { items });
		const options = { emptyValues: 'clear' };
		await update(id, { updateFields: fields, options }, { items });
		const url = `PUT /links/${id} url=https://example.com/new`;
		expect(allArrived()).toEqual([
			`${url}&target_type=1`,
			`${url}&country[0][key]=&country[0][value]=&expiration_date=&expiration_time=&space_id=&target_type=1`,
		]);
		expect(await held(id)).toMatchObject({ space: null, ends_at: null, country_target: null });
	});

	it.each<[IDataObject, RegExp]>([
		[
			{ alias: '' },
			/^Alias is empty, and the service cannot clear it; fill it in, or leave it out$/,
		],
		[
			{ pixelIds: '={{ "" }}', pixelMode: '={{ "Append" }}' },
			/^Pixel Mode "Append" is not one of the allowed values/,
		],
	])('is refused where it means nothing: %j', async (updateFields, message) => {
		const id = await made();
		const parameters = {
			updateFields: { disabled: true, ...updateFields } as never,
			options: { emptyValues: 'clear' },
		};
		expect(messageOf(await update(id, parameters))).toMatch(message);
		expect(allArrived()).toEqual([]);
	});

	it('clears date and time of an expiry, and no pixels where some were to be added', async () => {
		const [a = 0] = await pixels('a');
		const id = await made({ ...full, pixelIds: [a] });
		const options = { emptyValues: 'clear' };
		await update(id, { updateFields: { expiration: '={{ null }}' }, options });
		expect(allArrived()).toEqual([`PUT /links/${id} expiration_date=&expiration_time=`]);
		const adding = { pixelIds: '={{ "" }}', pixelMode: 'add', disabled: true };
		await update(id, { updateFields: adding, options });
		expect(allArrived().at(-1)).toBe(`PUT /links/${id} disabled=1`);
		expect(await held(id)).toMatchObject({ pixels: [{ id: a }], ends_at: null });
		const replacing = { pixelIds: '={{ "" }}', pixelMode: 'replace' };
		await update(id, { updateFields: replacing, options });
		expect(await held(id)).toMatchObject({ pixels: [] });
	});

	it('is a locator in a collection too, of which the editor forgets the mark', async () => {
		const id = await made();
		const spaceId = (value: string) => ({ mode: 'list', value }) as never;
		await update(id, { updateFields: { spaceId: spaceId(''), disabled: true } });
		await update(id, { updateFields: { spaceId: spaceId('={{ 1 }}') } });
		expect(allArrived()).toEqual([`PUT /links/${id} disabled=1`, `PUT /links/${id} space_id=1`]);
	});

	it('leaves out UTM parameters and a password of blanks, and needs no Destination URL', async () => {
		const id = await made();
		const updateFields = {
			url: 'https://example.com/new',
			utm: { parameters: { utm_source: '={{ "" }}', utm_medium: '={{ " " }}' } },
			password: '={{ "  " }}',
		};
		for (const emptyValues of ['skip', 'clear'])
			await update(id, { updateFields, options: { emptyValues } });
		for (const utm of [{}, { parameters: {} }, { parameters: { utm_source: '={{ "" }}' } }])
			await update(id, { updateFields: { disabled: true, utm } });
		expect(allArrived()).toEqual(
			[
				...['url=https://example.com/new', 'url=https://example.com/new&password='],
				...['disabled=1', 'disabled=1', 'disabled=1'],
			].map((form) => `PUT /links/${id} ${form}`),
		);
	});
});

describe('Pixel Mode', () => {
	const pixelsOf = async (id: number) =>
		((await held(id))?.pixels as { id: number }[]).map((each) => each.id);

	it.each([
		['add', [1, 2], [0, 1, 2]],
		['remove', [1, 2], [0]],
		['remove', [0, 1], []],
		['replace', [2], [2]],
	])('%s %j', async (pixelMode, named, expected) => {
		const ids = await pixels('a', 'b', 'c');
		const of = (indexes: number[]) => indexes.map((index) => ids[index] ?? 0);
		const id = await made({ alias: 'p', pixelIds: of([0, 1]) });
		const updateFields = { pixelIds: of(named), pixelMode, disabled: true };
		expect((await update(id, { updateFields })).error).toBeUndefined();
		expect(await pixelsOf(id)).toEqual(of(expected));
		expect(await held(id)).toMatchObject({ disabled: 1 });
	});

	it('comes from a column, and so do the fields to clear', async () => {
		const [a = 0, b = 0] = await pixels('a', 'b');
		const id = await made({ alias: 'p', pixelIds: [a], password: 'secret' });
		const row = { alias: 'p', pixels: b, 'Pixel Mode': 'Add', clear_fields: 'password' };
		const parameters = { mappingColumnMode: 'autoMapInputData', linkId: byId('') };
		expect((await link('update', { items: [row], parameters })).error).toBeUndefined();
		expect(await held(id)).toMatchObject({ pixels: [{ id: a }, { id: b }], password: false });
	});

	it('sends nothing where nothing changes, and says so', async () => {
		const [a = 0, b = 0] = await pixels('a', 'b');
		const id = await made({ alias: 'p', pixelIds: [a] });
		const updateFields = { pixelIds: [a], pixelMode: 'add' };
		const result = await update(id, { updateFields });
		expect(jsonOf(result)).toMatchObject([{ id }]);
		expect(allArrived()).toEqual([`GET /links/${id}`]);
		expect(JSON.stringify(result.task.hints)).toContain('Nothing was changed');
		await update(id, { updateFields: { pixelIds: [b], pixelMode: 'remove' } });
		expect(await pixelsOf(id)).toEqual([a]);
	});

	it('takes turns with rows that replace, however the link is named', async () => {
		const [a = 0, b = 0, c = 0] = await pixels('a', 'b', 'c');
		const id = await made({ alias: 'p' });
		current().set({ faults: [{ effect: { kind: 'latency', milliseconds: 20 } }] });
		await succeeded(
			link('update', {
				items: [
					{ link: id, pixel: a, mode: 'add' },
					{ link: id, pixel: b, mode: 'replace' },
					{ link: 'https://short.example/p', pixel: c, mode: 'add' },
				],
				parameters: {
					linkId: byId('={{ $json.link }}'),
					updateFields: { pixelIds: '={{ $json.pixel }}', pixelMode: '={{ $json.mode }}' },
				},
			}),
		);
		expect(await pixelsOf(id)).toEqual([b, c]);
	});
});

const sheet = sheetOn(link);

it('Disable and Enable send only the field, and leave everything else as it is', async () => {
	const id = await madeLink('made', { expirationClicks: 5, password: 'secret' });
	const before = await held(id);
	current().requests.length = 0;
	const disabled = await succeeded(link('disable', { parameters: { linkId: byId(id) } }));
	expect(jsonOf(disabled)).toMatchObject([{ id, status: 'disabled', outcome: 'disabled' }]);
	const again = await link('disable', { parameters: { linkId: byId(id) } });
	expect(jsonOf(again)).toMatchObject([{ id, status: 'disabled', outcome: 'disabled' }]);
	const write = `PUT /links/${id} disabled=`;
	expect(arrived()).toEqual([`${write}1`, `${write}1`]);
	// By ID, the write is the only request.
	expect(current().requests).toHaveLength(2);
	const byUrl = { linkId: { __rl: true, mode: 'url', value: 'https://short.example/made' } };
	const known = await link('disable', { parameters: byUrl });
	expect(jsonOf(known)).toMatchObject([{ id, status: 'disabled', outcome: 'unchanged' }]);
	expect(hintsOf(known)).toEqual([expect.stringMatching(/^Nothing was changed\. .*1 unchanged/)]);
	const enabled = await link('enable', { parameters: byUrl });
	expect(jsonOf(enabled)).toMatchObject([{ id, status: 'active', outcome: 'enabled' }]);
	expect(arrived()).toEqual([`${write}1`, `${write}1`, `${write}0`]);
	expect(await held(id)).toEqual({ ...before, updated_at: expect.anything() });
});

it.each<[string, Record<string, string>, (ids: number[]) => IDataObject[]]>([
	['alias', { matchBy: 'alias' }, () => [{ slug: 'a' }, { slug: 'b' }, { slug: 'a' }]],
	['ID', { matchBy: 'id' }, (ids) => ids.map((id) => ({ id, alias: 'never written' }))],
	[
		'destination',
		{ matchBy: 'url' },
		() => [{ url: 'https://example.com/a' }, { url: 'https://example.com/b' }],
	],
])(
	'finds links by a column with the %s, and writes no other column',
	async (_, parameters, rowsFor) => {
		const ids: number[] = [];
		for (const alias of ['a', 'b']) {
			ids.push(await madeLink(alias));
			const url = `https://example.com/${alias}`;
			await link('update', {
				parameters: { linkId: chosen(ids.at(-1) ?? 0), updateFields: { url } },
			});
		}
		current().requests.length = 0;
		const rows = rowsFor(ids).map((row) => ({ ...row, notes: 'x', disabled: 'no', clicks: 7 }));
		const result = await succeeded(sheet('disable', rows, { parameters }));
		expect(arrived().sort()).toEqual(ids.map((id) => `PUT /links/${id} disabled=1`));
		expect(outcomesOf(result)).toEqual(rows.map(() => 'disabled'));
		expect(hintsOf(result).join()).toContain('Ignored columns: ');
	},
);

it('stops before the first write if a row matches no link, or if all rows name one link', async () => {
	const id = await madeLink('a');
	const missing = await sheet('disable', [{ alias: 'a' }, { alias: 'z' }]);
	expect(messageOf(missing)).toContain('Alias "z" matches no link; correct it, or remove the item');
	const same = await sheet('disable', [{ alias: 'a' }, { alias: 'z' }], {
		parameters: { linkId: chosen(id) },
	});
	expect(messageOf(same)).toContain('Link is the same for all 2 items');
	const unnamed = await sheet('disable', [{ notes: 'x' }], { parameters: { matchBy: 'id' } });
	expect(messageOf(unnamed)).toContain('No column fills ID. Columns that came: notes.');
	expect(arrived()).toEqual([]);
});

it('shows in a dry run what a run would send, and writes nothing', async () => {
	const id = await madeLink('a');
	const options = { dryRun: true };
	const parameters = { linkId: byId(id), options };
	expect(jsonOf(await link('disable', { parameters }))).toMatchObject([
		{ outcome: 'disabled', before: 'Disabled: false', after: 'Disabled: true' },
	]);
	expect(jsonOf(await link('enable', { parameters }))).toMatchObject([
		{ outcome: 'enabled', before: '–', after: '–', note: 'Sent, but changes nothing' },
	]);
	expect(arrived()).toEqual([]);
});

describe('a service that answers something else than the switched link', () => {
	const scripted = useScriptedService();

	it.each(switchings)('shows no status if the response to %s lacks it', async (operation) => {
		scripted.current().follow(() => oneOf(without(linkAs({}), 'disabled')));
		const result = await scripted.link(operation, { parameters: { linkId: byId(1) } });
		expect(jsonOf(result)).toMatchObject([{ id: 1, status: null, outcome: `${operation}d` }]);
	});

	it('fails the item, whatever it answers in place of the link', async () => {
		scripted.current().follow(() => oneOf(linkAs({ disabled: 0 })));
		const result = await scripted.link('disable', { parameters: { linkId: byId(1) } });
		expect(messageOf(result)).toBe(
			'The service reported success, but did not store Disabled (sent "1", returned 0)',
		);
		const answers = [
			{ status: 200, body: { deleted: true } },
			{ status: 200, body: '' },
		];
		for (const answer of answers) {
			scripted.current().follow(() => answer);
			const { error } = await scripted.link('disable', { parameters: { linkId: byId(1) } });
			expect(error).toBeDefined();
		}
	});
});
