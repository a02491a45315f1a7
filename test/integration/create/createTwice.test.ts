import { jsonOf, pairsOf } from '../../support/service.ts';
import {
	chosen,
	errorsOf,
	hintsOf,
	messageOf,
	useColumns,
	type Cells,
} from '../../support/columns.ts';

const { current, link, pixel, mapped, mappedPixels, arrived } = useColumns();

const url = 'https://example.com/';
const continues = { onError: 'continueRegularOutput' } as const;
const contradiction = (row: number, first: number, name = 'same') =>
	`Item ${row} (${name}): Alias has the same value as item ${first}, but other fields differ; keep only one of the two`;

describe('Create with one alias twice in one sheet', () => {
	const same = { alias: 'same', url: `${url}same` };
	const other = { alias: 'other', url: `${url}other` };
	const else_ = { alias: 'same', url: `${url}else` };

	it('refuses rows with other values before anything is sent', async () => {
		const result = await mapped('create', [same, other, else_]);
		expect(messageOf(result)).toBe(contradiction(3, 1));
		expect(current().requests).toEqual([]);
		const going = await mapped('create', [same, other, else_], {}, continues);
		expect(errorsOf(going)).toEqual([null, null, contradiction(3, 1)]);
		expect(arrived()).toHaveLength(2);
	});

	it('does rows that are the same once, and returns the link for both', async () => {
		const rows = [same, other, { ...same, note: 'again' }, { ...same, url: ` ${same.url} ` }];
		const result = await mapped('create', rows);
		expect(result.error).toBeUndefined();
		const [first, , third, fourth] = jsonOf(result);
		expect(first).toMatchObject(same);
		expect([third, fourth]).toEqual([first, first]);
		expect(pairsOf(result)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		expect(arrived()).toHaveLength(2);
		expect(hintsOf(result)[0]).toBe('4 items: 2 created, 2 items are the same as others.');
	});

	it('does so with values of the form too', async () => {
		const parameters = {
			url: '={{ $json.to }}',
			domainId: chosen(1),
			alias: 'same',
		};
		const items = [{ to: url }, { to: `${url}2` }];
		const result = await link('create', { items, parameters });
		expect(messageOf(result)).toBe(contradiction(2, 1));
		expect(current().requests).toEqual([]);
		const once = await link('create', { items: [{ to: url }, { to: url }], parameters });
		expect(jsonOf(once)).toMatchObject([{ alias: 'same' }, { alias: 'same' }]);
		expect(current().counts().links).toBe(1);
	});

	it('leaves aliases of several domains, in other letters, and none to the service', async () => {
		const rows: Cells[] = [
			{ ...same, domain: 1 },
			{ ...else_, domain: 2 },
			{ ...same, domain: 1, alias: 'third' },
			{ url, domain: 1 },
			{ url, domain: 1 },
		];
		const result = await mapped('create', rows, { domainId: '' });
		expect(result.error).toBeUndefined();
		expect(arrived()).toHaveLength(5);
		const letters = [same, { ...else_, alias: 'SAME' }];
		await mapped('create', letters, { domainId: chosen(2) }, continues);
		expect(arrived()).toHaveLength(7);
	});

	it('compares rows without a domain with each other only', async () => {
		const rows = [same, { ...else_, domain: 2 }, else_];
		const result = await mapped('create', rows, { domainId: '' });
		expect(messageOf(result)).toBe(contradiction(3, 1));
		expect(current().requests).toEqual([]);
	});

	it('finds pixels of one name', async () => {
		const row = { name: 'Same', type: 'bing', value: '1' };
		const result = await mappedPixels('create', [row, { ...row, value: '2' }]);
		expect(messageOf(result)).toBe(
			'Item 2 (Same): Name has the same value as item 1, but other fields differ; keep only one of the two',
		);
		const parameters = { name: 'Same', type: 'bing', value: '1' };
		const once = await pixel('create', { items: [{}, {}], parameters });
		const [first] = jsonOf(once);
		expect(jsonOf(once)).toEqual([first, first]);
		expect(arrived()).toHaveLength(1);
	});
});
