import { linkContract } from '../../../nodes/Link/link.contract';
import { without } from '../../../nodes/shared/contract/values';
import { propertiesOf } from '../../../nodes/shared/description/properties';
import { outcomesOf } from '../../support/account.ts';
import { chosen, hintsOf, messageOf, useColumns } from '../../support/columns.ts';
import { shownProperties } from '../../support/shownProperties.ts';
import { byId, jsonOf, type Run } from '../../support/service.ts';
import { linkAs, oneOf, useScriptedService } from '../../support/scriptedService.ts';
import { switchings } from '../../support/operationNames.ts';

const { current, link, madeLink, arrived, held, items } = useColumns();

const mapped = async (
	operation: string,
	rows: readonly Record<string, unknown>[],
	parameters: Run['parameters'] = {},
	run: Run = {},
) =>
	await link(operation, {
		...run,
		items: items(rows),
		parameters: { mappingColumnMode: 'autoMapInputData', ...parameters },
	});

it('Disable and Enable send only the field, and leave everything else as it is', async () => {
	const id = await madeLink('made', { expirationClicks: 5, password: 'secret' });
	const before = await held(id);
	current().requests.length = 0;
	const disabled = await link('disable', { parameters: { linkId: byId(id) } });
	expect(disabled.error).toBeUndefined();
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

it.each<[string, Record<string, string>, (ids: number[]) => Record<string, unknown>[]]>([
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
		const result = await mapped('disable', rows, parameters);
		expect(messageOf(result)).toBe('undefined');
		expect(arrived().sort()).toEqual(ids.map((id) => `PUT /links/${id} disabled=1`));
		expect(outcomesOf(result)).toEqual(rows.map(() => 'disabled'));
		expect(hintsOf(result).join()).toContain('Ignored columns: ');
	},
);

it('stops before the first write if a row matches no link, or if all rows name one link', async () => {
	const id = await madeLink('a');
	const missing = await mapped('disable', [{ alias: 'a' }, { alias: 'z' }]);
	expect(messageOf(missing)).toContain('Alias "z" matches no link; correct it, or remove the item');
	const same = await mapped('disable', [{ alias: 'a' }, { alias: 'z' }], { linkId: chosen(id) });
	expect(messageOf(same)).toContain('Link is the same for all 2 items');
	const unnamed = await mapped('disable', [{ notes: 'x' }], { matchBy: 'id' });
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
		{ outcome: 'enabled', before: '–', note: 'Sent, but changes nothing' },
	]);
	expect(arrived()).toEqual([]);
});

it.each(switchings)(
	'%s as a tool needs the link only, and the description says when to use it',
	(operation) => {
		const shown = shownProperties(propertiesOf(linkContract), { resource: 'link', operation });
		const names = shown.filter(({ type }) => type !== 'notice').map(({ name }) => name);
		expect(names).toEqual(
			expect.arrayContaining(['linkId', 'mappingColumnMode', 'output', 'options']),
		);
		for (const name of ['updateFields', 'additionalFields', 'clearFields', 'url'])
			expect(names).not.toContain(name);
		const entry = linkContract.operations.find(({ value }) => value === operation);
		expect(entry?.action).toBe(`${operation === 'disable' ? 'Disable' : 'Enable'} link`);
		expect(entry?.useWhen).toContain('It changes nothing else');
	},
);

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
