import type { IDataObject } from 'n8n-workflow';
import type { Hooks } from '../../../testkit/service/index.ts';
import { eachLink, hintsOf, linksOf, outcomesOf, row, writesIn } from '../../support/account.ts';
import { messageOf } from '../../support/columns.ts';
import { sheetOn } from '../../support/mappedSheet.ts';
import { reconciliations } from '../../support/operationNames.ts';
import { linkAs, oneOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf, succeeded, useService } from '../../support/service.ts';
import { linkForm } from '../linkForm.ts';

const scripted = useScriptedService();

const methods = () =>
	writesIn(scripted.current().requests).map(([method, id]) => `${method} ${id}`.trim());

const sheet = sheetOn(scripted.link);

const timezone = 'Europe/Berlin';

const expiring = (...times: string[]) =>
	times.map((time, index) => row(`a-${index}`, { expiration: `2031-01-10 ${time}` }));

// An edit by exactly the offset of the zone is missed (docs/service-behavior.md).
it('an edit by the offset of the zone changes nothing, whatever other rows do', async () => {
	const ends = ['10:00', '12:00', '14:00'].map((time) => `2031-01-10T${time}:00.000000Z`);
	scripted.current().hold(linksOf(...ends.map((ends_at, at) => row(`a-${at}`, { ends_at }))));
	const items = [
		...expiring('11:00', '12:00', '15:30'),
		row('new', { expiration: '2031-01-10 20:00' }),
	];
	expect(outcomesOf(await sheet('upsert', items, { timezone }))).toEqual([
		'unchanged',
		'unchanged',
		'updated',
		'created',
	]);
	const stored = scripted.current().links.toReversed();
	expect(stored.slice(0, 2).map(({ ends_at: end }) => end)).toEqual(ends.slice(0, 2));
});

it.each([3, 1])(
	'a service whose clock differs by a constant gets one hint, and fails if the expiry stays, with %d rows',
	async (count) => {
		const times = ['10:00', '12:00', '14:00'].slice(0, count);
		const links = linksOf(...times.map((_, index) => row(`a-${index}`)));
		scripted.current().hold(links, {
			form: ({ expiration_time: time, ...form }) => ({
				...{
					...form,
					expiration_time: String(time).replace(/^\d\d/, (hour) => `${Number(hour) + 3}`),
				},
			}),
		});
		const items = expiring(...times);
		const result = await sheet('upsert', items);
		expect(outcomesOf(result)).toEqual(items.map(() => 'updated'));
		expect(hintsOf(result).match(/Set Account Time Zone in the credential/g)).toHaveLength(1);
		expect(hintsOf(result)).not.toContain('did not store');
		// The service answers with the expiry that the link had, so it may not have stored the new one.
		const second = await sheet('upsert', items);
		expect(second.error?.message).toContain('did not store Expiration');
		expect(second.error?.description).toContain('Set Account Time Zone in the credential');
	},
);

describe('an expiry in the past', () => {
	const past = '2020-05-01 10:00';
	const ended = row('ended', { ends_at: '2020-05-01T10:00:00Z' });
	const open = row('open', { ends_at: '2031-01-01T10:00:00Z' });
	const pastIn = (count: string) => `. Expiration is in the past for ${count}.`;

	it.each(reconciliations)(
		'is sent by %s, with a hint that counts the links',
		async (operation) => {
			const items = [
				row('new', { expiration: past }),
				row('ended', { expiration: past }),
				row('open', { expiration: past }),
				row('other'),
			];
			for (const options of [{ dryRun: true }, {}]) {
				scripted.current().hold(linksOf(ended, open));
				const result = await succeeded(sheet(operation, items, { parameters: { options } }));
				expect(outcomesOf(result)).toEqual(['created', 'unchanged', 'updated', 'created']);
				// The link that has it already gets no request.
				expect(hintsOf(result)).toContain(pastIn('2 links'));
			}
			expect(writesIn(scripted.current().requests)).toContainEqual([
				'PUT',
				'2',
				{ expiration_date: '2020-05-01', expiration_time: '10:00' },
			]);
		},
	);

	it('gives no hint if nothing sends it', async () => {
		scripted.current().hold(linksOf(ended));
		const changed = row('ended', { expiration: past, url: 'https://example.com/new' });
		const result = await sheet('upsert', [changed, row('a', { expiration: '2090-01-01' })]);
		expect(outcomesOf(result)).toEqual(['updated', 'created']);
		expect(hintsOf(result)).not.toContain('in the past');
	});

	it.each([{}, { dryRun: true }])(
		'is sent by Update with a hint, and refused by Create and tools, %j',
		async (options) => {
			scripted.current().hold(linksOf(open));
			const update = { linkId: byId(1), updateFields: { expiration: past } };
			const tool = { settings: { type: 'n8n-nodes-link-management.linkTool' } };
			const create = { url: 'https://example.com/', domainId: byId(1), alias: 'a' };
			const additionalFields = { expiration: past };
			for (const [operation, parameters, more] of [
				['create', { ...create, additionalFields }, {}],
				['upsert', { ...create, additionalFields }, tool],
				['update', update, tool],
			] as const) {
				const run = { ...more, parameters: { ...parameters, options } };
				expect((await scripted.link(operation, run as never)).error?.message).toMatch(
					/Expiration "2020-05-01 10:00" is in the past; choose a later time/,
				);
			}
			expect(scripted.current().requests).toEqual([]);
			const result = await succeeded(
				scripted.link('update', { parameters: { ...update, options } as never }),
			);
			expect(hintsOf(result)).toContain(pastIn('1 link'));
		},
	);
});

describe('an ID above 2^53', () => {
	const raw = '9007199254740993';
	const asNumber = (text: string) => text.replaceAll(`"${raw}"`, raw);
	const answer = (body: unknown) => ({ body: asNumber(JSON.stringify(body)) });

	it('of what a link is related to is never sent, and the output has none', async () => {
		const one = linkAs({
			pixels: [{ id: raw, name: 'P' }],
			domain: { id: raw, name: 'd.example' },
		});
		scripted.current().follow(() => answer(oneOf(one).body));
		const selected = { output: 'selectedFields', outputFields: ['domainId', 'pixelIds', 'domain'] };
		const read = await scripted.link('get', { parameters: { linkId: byId(1), ...selected } });
		expect(jsonOf(read)).toEqual([{ domainId: null, pixelIds: [], domain: 'd.example' }]);
		const updateFields = { pixelIds: [5], pixelMode: 'add' };
		const result = await scripted.link('update', {
			parameters: { linkId: byId(1), updateFields: updateFields as never },
		});
		expect(result.error?.message).toContain('does not return the Pixels of the link');
		expect(methods()).toEqual([]);
	});

	it('that no node uses is left alone', async () => {
		const more =
			'"updated_ns":1700000000000000000,"score":1e300,"owner":{"id":12345678901234567890}';
		const body = JSON.stringify(oneOf(linkAs({})).body).replace('"title":null', more);
		scripted.current().follow(() => ({ body }));
		expect((await scripted.link('get', { parameters: { linkId: byId(1) } })).error).toBeUndefined();
	});

	it('is never sent rounded, as a number of an expression or inside a list', async () => {
		scripted.current().follow(() => oneOf(linkAs({})));
		const number = '={{ 9007199254740993 }}';
		const utm = { parameters: { utm_source: number } };
		for (const [linkId, updateFields] of [
			[number, { disabled: true }],
			[byId(1), { pixelIds: `=[${raw}]` }],
			[byId(1), { spaceId: number }],
			[byId(1), { alias: number }],
			[byId(1), { url: 'https://example.com/', utm }],
		]) {
			const result = await scripted.link('update', {
				parameters: { linkId, updateFields } as never,
			});
			expect(result.error?.message).toContain('a number above 9007199254740991');
		}
		const parameters = { linkId: number, options: { ignoreMissing: true } };
		const { error } = await scripted.link('delete', { parameters });
		expect(error?.message).toContain('a number above 9007199254740991');
		expect(scripted.current().requests).toEqual([]);
	});

	it('as text is sent as it is, and a delete that is answered with a rounded one is done', async () => {
		scripted
			.current()
			.follow(({ path }) =>
				path === `/links/${raw}` ? answer({ id: raw, object: 'link', deleted: true }) : 'drop',
			);
		const result = await scripted.link('delete', {
			parameters: { linkId: byId(raw), options: { ignoreMissing: true } },
		});
		expect(jsonOf(result)).toEqual([{ id: raw, deleted: true }]);
	});
});

const { link, current } = useService();

const expiration = '2031-05-01';

const run = async (operation: string, items: IDataObject[], options: IDataObject = {}) =>
	await sheetOn(link, options)(operation, items, { parameters: { unmatchedLinks: 'keep' } });

const full = [
	row('a', { expiration, expirationUrl: 'https://example.com/over', password: 'secret' }),
	row('b', { expiration }),
	row('c'),
];
const emptied = ['a', 'b', 'c'].map((alias) =>
	row(alias, { expiration: '', expirationUrl: null, password: ' ' }),
);

/** The sentence about empty cells in a hint. */
const keptIn = (result: Parameters<typeof hintsOf>[0]) =>
	/\d+ empty cells? [^.]*\. See [^.]*\./.exec(hintsOf(result))?.[0];

const kept =
	"3 empty cells kept the link's value: Expiration, Expiration Redirect URL. See Empty Values.";

it.each(['upsert', 'sync'])(
	'%s counts the empty cells of fields that have a value, apart from passwords',
	async (operation) => {
		await run('create', full);
		expect(keptIn(await run(operation, emptied))).toBe(kept);
		const changed = emptied.map((cells) => ({ ...cells, url: 'https://example.com/new' }));
		expect(keptIn(await run(operation, changed))).toBe(kept);
		const one = "1 empty cell kept the link's value: Expiration. See Empty Values.";
		expect(keptIn(await run(operation, [row('b', { expiration: '' })]))).toBe(one);
	},
);

it.each(['skip', 'clear'])('Empty Values %s counts none', async (emptyValues) => {
	await run('create', full);
	const result = await run('upsert', emptied, { emptyValues });
	expect(keptIn(result)).toBeUndefined();
	const outcome = emptyValues === 'skip' ? 'unchanged' : 'updated';
	expect(jsonOf(result).filter((item) => item.outcome === outcome)).not.toEqual([]);
});

it.each<['sync' | 'upsert', IDataObject]>([
	['upsert', {}],
	['sync', {}],
	['upsert', { emptyValues: 'clear' }],
])('%s keeps and counts the cells that only some items lack: %j', async (operation, options) => {
	await run('create', full);
	// Extract from File leaves out the empty cells of a CSV file.
	const lacking = [row('a'), row('b', { expiration: '2031-06-01' }), row('c')];
	const one = "1 empty cell kept the link's value: Expiration. See Empty Values.";
	expect(keptIn(await run(operation, lacking, options))).toBe(one);
	const [, , first] = jsonOf(await link('getAll', { parameters: { output: 'raw' } }));
	expect(first).toMatchObject({ alias: 'a', ends_at: expect.stringContaining('2031') as unknown });
	expect(keptIn(await run(operation, lacking, { emptyValues: 'skip' }))).toBeUndefined();
});

it('Create and Update count none', async () => {
	const created = await run('create', emptied);
	expect(keptIn(created)).toBeUndefined();
	const items = jsonOf(created).map(({ id }) => ({ id, disabled: true, expiration: '' }));
	const parameters = {
		mappingColumnMode: 'autoMapInputData',
		linkId: byId('={{ $json.id }}'),
	} as const;
	expect(keptIn(await link('update', { items, parameters }))).toBeUndefined();
});

/** Creates or updates the link of each item, whose fields are filled in by hand. */
const upsertWith = async (fields: IDataObject, items: IDataObject[]) =>
	await link('upsert', { items, parameters: linkForm({ alias: 'one', ...fields }) });

it('the last day of the calendar is sent, and found again', async () => {
	for (const outcome of ['created', 'unchanged']) {
		const expiration = '={{ $json.expires }}';
		const result = await succeeded(upsertWith({ expiration }, [{ expires: '9999-12-31' }]));
		expect(outcomesOf(result)).toEqual([outcome]);
	}
	expect(current().requests.find(({ method }) => method === 'POST')?.body).toContain(
		'expiration_date=9999-12-31&expiration_time=23%3A59',
	);
});

/** An object that JavaScript can convert neither to a text nor to a number. */
const poison = { toString: 1, valueOf: 1 };

it.each<[string, IDataObject, IDataObject, number | string]>([
	['Expiration', { expiration: '={{ $json.bad }}' }, { getTime: 1, ...poison }, ''],
	[
		'Target Type',
		{
			targetType: '={{ $json.bad }}',
			country: { rules: [{ key: 'DE', value: 'https://e.example' }] },
		},
		poison,
		1,
	],
])(
	'an exception while rows are read names row and field: %s',
	async (name, additionalFields, bad, good) => {
		const result = await upsertWith(additionalFields, [{ bad: good }, { bad }]);
		expect(result.error?.message).toMatch(new RegExp(`^Item 2 \\(one\\): .*${name} `));
		expect(current().requests).toEqual([]);
	},
);

/** A service that stores aliases in lower case, and refuses one that differs from another in nothing but case. */
const lowerCase: Hooks = {
	form: ({ alias, ...form }) =>
		typeof alias === 'string' ? { ...form, alias: alias.toLowerCase() } : form,
};

it.each([1, 5])(
	'Create or Update does not overwrite the link of another row on a service that stores aliases in lower case, %i at once',
	async (concurrency) => {
		scripted.current().hold([], lowerCase);
		const rows = [
			{ alias: 'Spring', url: 'https://example.com/1' },
			{ alias: 'spring', url: 'https://example.com/2' },
			{ alias: 'other', url: 'https://example.com/3' },
		];
		const result = await sheet('upsert', rows, { parameters: { options: { concurrency } } });
		expect(messageOf(result)).toMatch(
			/^Item 2 \(spring\): Another item of this run created spring \(ID 1\), and the service treats this item as the same link/,
		);
		const writes = writesIn(scripted.current().requests);
		expect(writes.filter(([method]) => method === 'PUT')).toEqual([]);
	},
);

it.each(['enable', 'upsert', 'sync'])(
	'%s sends the state of a link whose response has null for it',
	async (operation) => {
		const change = eachLink((link) => ({ ...link, disabled: null }));
		scripted.current().hold(linksOf(row('a')), { change });
		const item = operation === 'enable' ? { alias: 'a' } : row('a', { disabled: false });
		await sheet(operation, [item], { parameters: { matchBy: 'alias' } });
		expect(methods()).toEqual(['PUT 1']);
	},
);

it('two rows of one link on a service that ignores case do not both succeed with different values', async () => {
	scripted.current().hold(linksOf(row('spring')), lowerCase);
	const first = row('Spring', { url: 'https://example.com/spring' });
	const rows = [first, row('spring', { url: 'https://example.com/2' })];
	const result = await sheet('upsert', rows);
	expect(messageOf(result)).toMatch(/^Item \d \([Ss]pring\): /);
});
