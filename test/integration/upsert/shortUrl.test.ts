import type { IDataObject } from 'n8n-workflow';
import { linkAs, oneOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf } from '../../support/service.ts';

const { current, link } = useScriptedService();

describe('the short URL of a result', () => {
	it.each([
		['https://short.example/one', 'https://short.example/one'],
		['javascript:alert(1)', null],
		['data:text/html,x', null],
		[3, null],
	])('is %j: %j', async (shortUrl, expected) => {
		current().follow(() => oneOf(linkAs({ short_url: shortUrl })));
		const get = async (parameters: IDataObject) =>
			jsonOf(await link('get', { parameters: { linkId: byId(1), ...parameters } as never }))[0];
		expect((await get({}))?.shortUrl).toBe(expected);
		const selected = { output: 'selectedFields', outputFields: ['shortUrl'] };
		expect(await get(selected)).toEqual({ shortUrl: expected });
		expect((await get({ output: 'raw' }))?.short_url).toBe(shortUrl);
	});
});
