import { jsonOf } from '../../support/service.ts';
import { hintsOf, messageOf, useColumns } from '../../support/columns.ts';

const { current, mapped, arrived, madeLink, madePixel, held } = useColumns();

const url = 'https://example.com/new';
const unset = { linkId: { __rl: true, mode: 'list', value: '' } };

describe('IDs in cells that a sheet filled up with zeros', () => {
	it('are the same domain: Match By creates no second link', async () => {
		const rows = [
			{ url, domain: '1' },
			{ url, domain: '001' },
		];
		await mapped('upsert', rows, { matchBy: 'url' });
		expect(arrived()).toEqual([`POST /links url=${url}&domain_id=1`]);
		expect(current().counts().links).toBe(1);
	});

	it('are found by alias and domain, and rows that contradict each other are refused', async () => {
		const id = await madeLink('a');
		await mapped('update', [{ alias: 'a', domain: '01', disabled: true }], unset);
		expect(await held(id)).toMatchObject({ disabled: 1 });
		current().requests.length = 0;
		const rows = [
			{ alias: 'a', domain: '1', url: `${url}1` },
			{ alias: 'a', domain: '01', url: `${url}2` },
		];
		const result = await mapped('upsert', rows);
		expect(messageOf(result)).toMatch(/^Item 2 \(a\): Alias has the same value as item 1/);
		expect(current().requests).toEqual([]);
	});

	it('of pixels and spaces are compared with those of the link', async () => {
		const pixel = await madePixel('one');
		await madeLink('a', { pixelIds: [pixel], spaceId: { __rl: true, mode: 'list', value: 2 } });
		const row = { alias: 'a', pixels: `0${pixel}; ${pixel}`, space: '02' };
		const result = await mapped('upsert', [{ ...row, url: 'https://example.com/old' }]);
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)).toMatchObject([{ outcome: 'unchanged' }]);
		expect(arrived()).toEqual([]);
		expect(hintsOf(result).join()).not.toContain('did not store these values as sent');
	});
});
