import type { IDataObject } from 'n8n-workflow';
import { hintsOf, row } from '../../support/account.ts';
import { byId, jsonOf, useService } from '../../support/service.ts';

const { link } = useService();

const expiration = '2031-05-01';

const run = async (operation: string, items: IDataObject[], options: IDataObject = {}) =>
	await link(operation, {
		items,
		parameters: {
			mappingColumnMode: 'autoMapInputData',
			domainId: byId(1),
			syncScope: { domainId: byId(1) } as never,
			unmatchedLinks: 'keep',
			options: { mapPasswords: true, ...options } as never,
		},
	});

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
