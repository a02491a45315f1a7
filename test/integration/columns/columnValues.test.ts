import { chosen, messageOf, useColumns } from '../../support/columns.ts';

const { current, mapped, lastForm, madeLink, held } = useColumns();

const url = 'https://example.com/';

describe('what comes first', () => {
	const expression = "={{ 'https://example.com/' + $json.row }}";
	const fixed = `${url}fixed`;

	it('is an expression, then the column, then the fixed value', async () => {
		const rows = [{ row: 'a', url: `${url}column`, alias: 'x', disabled: 1, Domain: 2 }];
		const alias = '={{ "expressed" }}';
		const additionalFields = { disabled: false, spaceId: chosen(1) };
		await mapped('create', rows, { url: expression, alias, additionalFields });
		expect(lastForm()).toEqual({
			url: `${url}a`,
			domain_id: '2',
			alias: 'expressed',
			disabled: '1',
			space_id: '1',
		});
		await mapped('create', rows, { url: '={{ $json.missing }}' });
		expect(lastForm()).toMatchObject({ url: `${url}column` });
		await mapped('create', rows, { url: fixed });
		expect(lastForm()).toMatchObject({ url: `${url}column`, alias: 'x' });
		await mapped('create', [{}], { url: fixed });
		expect(lastForm()).toEqual({ url: fixed, domain_id: '1' });
	});

	it('is so in a set of inputs, one by one, and an expression may give nothing', async () => {
		const parameters = {
			...{ utm_source: '={{ "expressed" }}', utm_medium: 'fixed', utm_term: 'fixed' },
			utm_id: '={{ $json.missing }}',
		};
		const columns = ['utm_source', 'utm_medium', 'utm_content', 'utm_id'];
		const row = { url, ...Object.fromEntries(columns.map((name) => [name, 'column'])) };
		await mapped('create', [row], { additionalFields: { utm: { parameters } } });
		expect(Object.fromEntries(new URL(lastForm().url ?? '').searchParams)).toEqual({
			...{ utm_source: 'expressed', utm_medium: 'column', utm_term: 'fixed' },
			...{ utm_content: 'column', utm_id: 'column' },
		});
	});

	it.each(['', '  ', null])('is the fixed value where a cell holds %j', async (empty) => {
		const row = { url: empty, Domain: empty, disabled: empty, space: empty, utm_source: empty };
		const utm = { parameters: { utm_source: 'fixed' } };
		const additionalFields = { disabled: true, spaceId: chosen(2), utm };
		const result = await mapped('create', [row], { url: fixed, additionalFields });
		expect(result.error).toBeUndefined();
		expect(lastForm()).toEqual({
			url: `${fixed}?utm_source=fixed`,
			domain_id: '1',
			disabled: '1',
			space_id: '2',
		});
	});

	it.each(['upsert', 'update', 'sync'] as const)(
		'is the empty cell on %s, where empty ones clear',
		async (operation) => {
			const place = operation === 'update' ? 'updateFields' : 'additionalFields';
			const id = await madeLink('made', { spaceId: chosen(1) });
			const row = { id, alias: 'made', url, space: ' ', pixelIds: '[]' };
			const run = async (emptyValues: string) =>
				await mapped(operation, [row], {
					[place]: { spaceId: chosen(2) },
					options: { emptyValues },
				});
			await run('clear');
			expect(await held(id)).toMatchObject({ url, space: null });
			await run('skip');
			expect(await held(id)).toMatchObject({ url, space: { id: 2 } });
		},
	);

	it('is refused as by expression where a column sets what the form clears', async () => {
		const both = await mapped('update', [{ id: 1, space: 2 }], { clearFields: ['spaceId'] });
		expect(messageOf(both)).toBe(
			'Item 1: Space is both set and cleared; do only one of them, or add the column space to Inputs to Ignore',
		);
		expect(current().requests).toEqual([]);
	});
});
