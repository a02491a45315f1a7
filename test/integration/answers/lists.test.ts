import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkAs, useScriptedService } from '../../support/scriptedService.ts';
import { jsonOf } from '../../support/service.ts';

const { current, link, pixel } = useScriptedService();

/** So many links, newest first. */
const links = (count: number) =>
	Array.from({ length: count }, (_, index) => linkAs({ id: count - index, alias: `a-${index}` }));

/** A service without pages: it answers every list with all that it has. */
const withoutPages = (body: unknown) => current().follow(() => ({ body }));

const all = { parameters: { returnAll: true } };

describe('a service without pages', () => {
	it.each([
		['a bare array', links(30)],
		['data alone', { data: links(30) }],
		['data with a status', { data: links(30), status: 200 }],
	])('gives its whole list at once, as %s', async (_, body) => {
		withoutPages(body);
		const result = await link('getAll', all);
		expect(result.error).toBeUndefined();
		expect(jsonOf(result).map(({ id }) => id)).toEqual(links(30).map(({ id }) => id));
	});

	it('is read to its end, but not where it has just as many as a page', async () => {
		for (const count of [11, 24, 26, 99, 101, 250]) {
			withoutPages(links(count));
			const result = await link('getAll', all);
			expect(result.error).toBeUndefined();
			expect(jsonOf(result)).toHaveLength(count);
		}
		for (const count of [10, 25, 50, 100]) {
			withoutPages(links(count));
			const { error } = await link('getAll', all);
			expect(error?.message).toMatch(/^The service ignores the page parameter/);
		}
		withoutPages({ data: links(30), meta: { current_page: 1, last_page: 2, total: 60 } });
		const { error } = await link('getAll', all);
		expect(error?.message).toMatch(/^The service ignores the page parameter/);
	});

	it('gives its whole list of pixels, and the first of it', async () => {
		withoutPages(links(30).map(({ id }) => ({ id, name: `p-${id}`, type: 'bing', value: 'v' })));
		for (const [parameters, count] of [
			[{ returnAll: true }, 30],
			[{ returnAll: false, limit: 28 }, 28],
			[{ returnAll: false, limit: 100 }, 30],
		] as const) {
			const result = await pixel('getAll', { parameters });
			expect(result.error).toBeUndefined();
			expect(jsonOf(result)).toHaveLength(count);
		}
	});
});

it('the reference says what may be left out of a list from which something is deleted while it is read', () => {
	const reference = readFileSync(join(__dirname, '../../../docs/reference.md'), 'utf8');
	const [paragraph] = reference.split('\n\n').filter((text) => text.includes('**Return All**'));
	expect(paragraph).toMatch(/delet/);
});
