import type { IBinaryData, IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { errorsOf, hintsOf, messageOf, useColumns } from '../../support/columns.ts';
import type { NodeResult } from '../../support/n8n.ts';
import { readPng, readSvg, textIn } from '../../support/pictures.ts';
import { byId, jsonOf, pairsOf, succeeded, type Run } from '../../support/service.ts';

const { current, link, madeLink } = useColumns();

const byUrl = (value: string) => ({ __rl: true, mode: 'url', value });

const itemsOf = ({ outputs }: NodeResult): INodeExecutionData[] => outputs[0] ?? [];

const contentOf = (file: IBinaryData | undefined) => Buffer.from(file?.data ?? '', 'base64');

/** The text of the QR code of each item; undefined for an item without one. */
const codesIn = (result: NodeResult, name = 'qrCode') =>
	itemsOf(result).map(({ binary }) => {
		const file = binary?.[name];
		if (file === undefined) return undefined;
		const isPng = file.mimeType === 'image/png';
		return textIn(isPng ? readPng(contentOf(file)) : readSvg(String(contentOf(file))));
	});

const requests = () =>
	current().requests.map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`);

const shortUrlOf = (item: IDataObject | undefined) => String(item?.shortUrl);

describe('QR Code', () => {
	const draw = async (linkId: unknown, run: Run = {}) =>
		await link('getQrCode', { ...run, parameters: { linkId: linkId as never, ...run.parameters } });

	it('returns the simplified link and its code, with one request', async () => {
		const id = await madeLink('made');
		current().requests.length = 0;
		const result = await succeeded(draw(byId(id)));
		expect(requests()).toEqual([`GET /links/${id}`]);
		expect(jsonOf(result)).toEqual([
			expect.objectContaining({ id, alias: 'made', url: expect.any(String), status: 'active' }),
		]);
		expect(codesIn(result)).toEqual([shortUrlOf(jsonOf(result)[0])]);
		expect(itemsOf(result)[0]?.binary?.qrCode).toMatchObject({
			...{ fileName: 'made.png', fileExtension: 'png', mimeType: 'image/png' },
		});
		expect(hintsOf(result)).toEqual([]);
	});

	it('returns the code of a short URL without a request', async () => {
		const result = await draw(byUrl('https://other.example/a/b?c=d'));
		expect(jsonOf(result)).toEqual([{ shortUrl: 'https://other.example/a/b?c=d' }]);
		expect(codesIn(result)).toEqual(['https://other.example/a/b?c=d']);
		expect(itemsOf(result)[0]?.binary?.qrCode?.fileName).toBe('b.png');
		expect(requests()).toEqual([]);
	});

	it('makes one item for each of many items, keeps their files, and sends nothing for short URLs', async () => {
		const items = Array.from({ length: 40 }, (_, at) => ({ url: `https://s.example/${at}` }));
		const file = { data: 'YQ==', mimeType: 'text/plain' };
		const binaries: IBinaryKeyData[] = [{ file }, { qrCode: file }];
		const result = await draw(byUrl('={{ $json.url }}'), { items, binaries });
		expect(codesIn(result)).toEqual(items.map(({ url }) => url));
		expect(pairsOf(result)).toEqual(items.map((_, item) => ({ item })));
		expect(Object.keys(itemsOf(result)[0]?.binary ?? {})).toEqual(['file', 'qrCode']);
		expect(itemsOf(result)[0]?.binary?.file).toMatchObject(file);
		expect(Object.keys(itemsOf(result)[1]?.binary ?? {})).toEqual(['qrCode']);
		expect(requests()).toEqual([]);
	});

	it('has the format, the size and the field that are set', async () => {
		const parameters = {
			...{ format: 'SVG', size: 200.9, options: { binaryPropertyName: ' picture ' } },
		};
		const result = await draw(byUrl('https://s.example/a'), { parameters });
		expect(codesIn(result, 'picture')).toEqual(['https://s.example/a']);
		const file = itemsOf(result)[0]?.binary?.picture;
		expect(file).toMatchObject({ fileName: 'a.svg', mimeType: 'image/svg+xml' });
		// 25 modules and 8 of the border, with 6 px each.
		expect(String(contentOf(file))).toContain(' width="198"');
	});

	it('evaluates its settings for each item, and has defaults for empty ones', async () => {
		const items = [
			{ format: 'svg', size: 66, field: 'a' },
			{ format: '', size: '', field: '' },
		];
		const parameters = {
			...{ format: '={{ $json.format }}', size: '={{ $json.size }}' },
			options: { binaryPropertyName: '={{ $json.field }}' },
		};
		const result = await draw(byUrl('https://s.example/a'), { items, parameters });
		const files = itemsOf(result).map(({ binary }) => Object.entries(binary ?? {}));
		expect(files.map((all) => all.map(([name, { fileName }]) => [name, fileName]))).toEqual([
			[['a', 'a.svg']],
			[['qrCode', 'a.png']],
		]);
		expect(readPng(contentOf(files[1]?.[0]?.[1])).width).toBe(297);
	});

	it('returns SVG as text', async () => {
		const parameters = { format: 'svgText' };
		const result = await draw(byUrl('https://s.example/a'), { parameters });
		const [item] = jsonOf(result);
		expect(Object.keys(item ?? {})).toEqual(['shortUrl', 'qrCode']);
		expect(textIn(readSvg(String(item?.qrCode)))).toBe('https://s.example/a');
		expect(itemsOf(result)[0]).not.toHaveProperty('binary');
	});

	it('returns no file to an AI agent, and SVG text if it is asked for', async () => {
		const settings = { type: 'n8n-nodes-link-management.linkTool' };
		const linkId = byUrl('https://s.example/a');
		const plain = await draw(linkId, { settings });
		expect(itemsOf(plain)).toEqual([
			expect.objectContaining({ json: { shortUrl: 'https://s.example/a' } }),
		]);
		expect(itemsOf(plain)[0]).not.toHaveProperty('binary');
		const text = await draw(linkId, { settings, parameters: { format: 'svgText' } });
		expect(jsonOf(text)).toEqual([{ shortUrl: 'https://s.example/a', qrCode: expect.any(String) }]);
	});

	describe('fails', () => {
		const size = '={{ $json.size }}';
		const items = [
			{ url: 'https://s.example/a', size: 300 },
			{ url: 'https://s.example/b', size: 28 },
			{ url: 'https://s.example/c', size: 30 },
			{ url: `https://s.example/${'d'.repeat(3000)}`, size: 300 },
			{ url: 'https://s:bad/e', size: 300 },
		];

		it('each item by itself, if the node continues', async () => {
			const onError = 'continueRegularOutput';
			const parameters = { size };
			const result = await draw(byUrl('={{ $json.url }}'), { items, onError, parameters });
			expect(errorsOf(result)).toEqual([
				null,
				'Item 2: Size 28 is not a number from 29 to 2000',
				'Item 3: Size 30 is too small for the QR code of this URL, which has 33 modules on each side',
				'Item 4: The URL of 3018 characters is too long for a QR code',
				'Item 5: "https://s:bad/e" is not a valid URL, so it has no QR code',
			]);
			expect(codesIn(result)).toEqual(['https://s.example/a', ...Array(4).fill(undefined)]);
			expect(requests()).toEqual([]);
		});

		it('before the first request, if settings are invalid', async () => {
			const id = await madeLink('made');
			current().requests.length = 0;
			const result = await draw(byId(id), { parameters: { format: 'gif' } });
			expect(messageOf(result)).toBe(
				'Format "gif" is not one of the allowed values; use png (PNG), svg (SVG), svgText (SVG Text)',
			);
			const later = await draw(byId(id), { items: items.slice(0, 2), parameters: { size } });
			expect(messageOf(later)).toMatch(/^Item 2: Size 28 is not/);
			expect(requests()).toEqual([]);
		});

		it('for a link that does not exist', async () => {
			expect(messageOf(await draw(byId(99)))).toBe('No link has the ID 99');
		});
	});
});
