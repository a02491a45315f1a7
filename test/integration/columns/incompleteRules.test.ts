import type { IDataObject } from 'n8n-workflow';
import { byId, jsonOf, useService } from '../../support/service.ts';

const { current, link, pixel } = useService();

const url = 'https://example.com/';

/** Creates a link for one row, whose columns stand in `$json`. */
const create = ({ alias, ...additionalFields }: IDataObject, items: IDataObject[] = [{}]) => {
	const parameters = {
		url,
		domainId: byId(1),
		...(alias === undefined ? {} : { alias: alias as never }),
		additionalFields: additionalFields as never,
	};
	return link('create', { items, parameters });
};

/** What a create sent beside destination and domain, readable. */
const formSent = () => {
	const form = new URLSearchParams(current().requests.at(-1)?.body);
	form.delete('url');
	form.delete('domain_id');
	return [...form].map(([name, value]) => `${name}=${value}`);
};

describe('a rule of which no cell is filled in', () => {
	const filled = { key: 'DE', value: `${url}de` };
	const sent = ['target_type=1', 'country[0][key]=DE', `country[0][value]=${url}de`];

	it.each<[string, unknown]>([
		['two empty texts', { key: '', value: '' }],
		['blanks', { key: ' ', value: '  ' }],
		['nulls', { key: null, value: null }],
		['nothing', {}],
	])('is skipped among the others: %s', async (_, empty) => {
		for (const rules of [
			[empty, filled],
			[filled, empty],
			[empty, filled, empty],
		]) {
			const result = await create({ targetType: 1, country: { rules: rules as never } });
			expect(result.error).toBeUndefined();
			expect(formSent().toSorted()).toEqual(sent.toSorted());
		}
	});

	it('is skipped in the rows of a sheet, whose columns expressions read', async () => {
		const rules = [1, 2, 3].map((n) => ({
			key: `={{ $json.key${n} }}`,
			value: `={{ $json.value${n} }}`,
		}));
		const row = { key1: '', value1: '', key2: 'DE', value2: `${url}de`, key3: null, value3: null };
		const result = await create({ targetType: 1, country: { rules } }, [row]);
		expect(result.error).toBeUndefined();
		expect(formSent().toSorted()).toEqual(sent.toSorted());
		const half = await create({ targetType: 1, country: { rules } }, [{ ...row, key3: 'FR' }]);
		expect(half.error?.message).toMatch(/^Country Rules rule 3: Destination URL is missing/);
		expect(current().requests).toHaveLength(1);
	});

	it('is skipped in a list of addresses', async () => {
		const rotation = { rules: [{ value: '' }, { value: `${url}a` }] };
		expect((await create({ targetType: 4, rotation })).error).toBeUndefined();
		expect(formSent().toSorted()).toEqual([`rotation[0][value]=${url}a`, 'target_type=4']);
	});
});

describe('a cell is taken for what it plainly is', () => {
	it.each<[IDataObject, string[]]>([
		[{ disabled: ' 1 ' }, ['disabled=1']],
		[{ disabled: 'true ' }, ['disabled=1']],
		[{ disabled: ' FALSE\n' }, ['disabled=0']],
		[{ privacy: ' 1 ' }, ['privacy=1']],
		[{ targetType: ' 0 ' }, ['target_type=0']],
	])('%j', async (row, expected) => {
		const fields = Object.keys(row).map((name) => [name, `={{ $json.${name} }}`]);
		const result = await create(Object.fromEntries(fields), [row]);
		expect(result.error).toBeUndefined();
		expect(formSent()).toEqual(expected);
	});

	it.each<[string, (one: number, other: number) => unknown]>([
		['resources', (one, other) => [{ id: one }, { id: other, name: 'b' }]],
		['resources as JSON', (one, other) => JSON.stringify([{ id: one }, { id: String(other) }])],
		['resources and IDs', (one, other) => [{ id: one }, other]],
	])('%s as pixels', async (_, given) => {
		const ids: number[] = [];
		for (const name of ['a', 'b']) {
			const made = await pixel('create', { parameters: { name, type: 'bing', value: 'v' } });
			ids.push(Number(jsonOf(made)[0]?.id));
		}
		const [one = 0, other = 0] = ids;
		const row = { pixels: given(one, other) as never };
		const result = await create({ pixelIds: '={{ $json.pixels }}' }, [row]);
		expect(result.error).toBeUndefined();
		expect(formSent()).toEqual([`pixel_ids[]=${one}`, `pixel_ids[]=${other}`]);
	});

	it('utm_id is a UTM parameter', async () => {
		const parameters = { utm_source: 'letter', utm_id: 'abc.123' };
		const result = await create({ utm: { parameters } });
		expect(result.error).toBeUndefined();
		const { searchParams } = new URL(String(jsonOf(result)[0]?.url));
		expect(Object.fromEntries(searchParams)).toEqual(parameters);
	});

	it.each([
		['Disabled', 'disabled', '1 or 0'],
		['Pixels', 'pixelIds', '[{ "id": [3] }]'],
	])('but no more than that: %s (%s) %j', async (name, field, value) => {
		const result = await create({ [field]: value });
		expect(result.error?.message).toMatch(new RegExp(`^.*${name.replaceAll(/[()]/g, '\\$&')} `));
		expect(current().requests).toEqual([]);
	});
});
