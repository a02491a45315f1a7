import { getPixels, searchPixels } from '../../../nodes/Pixel/pixel.searches';
import { loadOptionsContext, pageOf } from '../../support/loadOptionsContext.ts';

const pixels = [
	{ id: 3, name: 'Shop', type: 'facebook' },
	{ id: 2, name: 'Ads', type: 'x' },
];

it('lists pixels by name and type, newest first', async () => {
	const { context, queries } = loadOptionsContext(() => pageOf(pixels));
	expect(await searchPixels.call(context, 'o')).toEqual({
		results: [
			{ name: 'Shop – Meta Pixel (Facebook)', value: 3 },
			{ name: 'Ads – x', value: 2 },
		],
	});
	expect(queries).toEqual([
		'/pixels?search=o&search_by=name&sort_by=id&sort=desc&per_page=25&page=1',
	]);
});

it('sorts the pixels of a multi-select by name', async () => {
	const { context } = loadOptionsContext(() => pageOf(pixels));
	expect((await getPixels.call(context)).map(({ name }) => name)).toEqual([
		'Ads – x',
		'Shop – Meta Pixel (Facebook)',
	]);
});

it('reports an error of a multi-select in its message, which is all that n8n shows', async () => {
	const { context } = loadOptionsContext(() => ({ status: 403, body: { message: 'No API' } }));
	await expect(getPixels.call(context)).rejects.toThrow(/403.*\. \S/);
});
