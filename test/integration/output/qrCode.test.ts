import type {
	IBinaryData,
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';
import { chosen, errorsOf, hintsOf, messageOf, useColumns } from '../../support/columns.ts';
import type { NodeResult } from '../../support/n8n.ts';
import { readPng, readSvg, textIn } from '../../support/pictures.ts';
import { byId, jsonOf, pairsOf, type Run } from '../../support/service.ts';

const { current, link, pixel, mapped, madeLink, arrived } = useColumns();

const byUrl = (value: string) => ({ __rl: true, mode: 'url', value });

/** The option with its settings. */
const qrCode = (picture: INodeParameters = {}, more: INodeParameters = {}) => ({
	options: { ...more, qrCode: { picture } },
});

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
		await link('getQrCode', {
			...run,
			parameters: { linkId: linkId as never, ...run.parameters },
		});

	it('returns the simplified link and its code, with one request', async () => {
		const id = await madeLink('made');
		current().requests.length = 0;
		const result = await draw(byId(id));
		expect(messageOf(result)).toBe('undefined');
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
		const items = Array.from({ length: 250 }, (_, at) => ({ url: `https://s.example/${at}` }));
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

	it('has the format, the size, the colors and the names that are set', async () => {
		const picture = {
			...{ format: 'svg', size: 200, errorCorrection: 'H', foregroundColor: '#000080' },
			...{ fileName: 'a/b: c', binaryPropertyName: 'picture' },
		};
		const result = await draw(byUrl('https://s.example/a'), { parameters: qrCode(picture) });
		expect(codesIn(result, 'picture')).toEqual(['https://s.example/a']);
		const file = itemsOf(result)[0]?.binary?.picture;
		expect(file).toMatchObject({ fileName: 'a-b- c.svg', mimeType: 'image/svg+xml' });
		const svg = String(contentOf(file));
		expect(svg).toContain('fill="#000080"');
		// 29 modules and 8 of the border, with 5 px each.
		expect(svg).toContain(' width="185"');
	});

	it('evaluates its settings for each item', async () => {
		const items = [{ name: 'Ann' }, { name: 'Ben' }];
		const parameters = qrCode({ fileName: '={{ $json.name }}' });
		const result = await draw(byUrl('https://s.example/a'), { items, parameters });
		expect(itemsOf(result).map(({ binary }) => binary?.qrCode?.fileName)).toEqual([
			...['Ann.png', 'Ben.png'],
		]);
	});

	it('returns SVG as text', async () => {
		const parameters = qrCode({ format: 'svgText' });
		const result = await draw(byUrl('https://s.example/a'), { parameters });
		const [item] = jsonOf(result);
		expect(Object.keys(item ?? {})).toEqual(['shortUrl', 'qrCode']);
		expect(textIn(readSvg(String(item?.qrCode)))).toBe('https://s.example/a');
		expect(itemsOf(result)[0]).not.toHaveProperty('binary');
	});

	it('includes the input if asked to', async () => {
		const parameters = { options: { includeInput: true } };
		const items = [{ name: 'Ann' }];
		const result = await draw(byUrl('https://s.example/a'), { items, parameters });
		expect(jsonOf(result)).toEqual([{ name: 'Ann', link: { shortUrl: 'https://s.example/a' } }]);
		expect(codesIn(result)).toEqual(['https://s.example/a']);
	});

	it('returns no file to an AI agent, and SVG text if it is asked for', async () => {
		const settings = { type: 'n8n-nodes-link-management.linkTool' };
		const linkId = byUrl('https://s.example/a');
		const plain = await draw(linkId, { settings });
		expect(itemsOf(plain)).toEqual([
			expect.objectContaining({ json: { shortUrl: 'https://s.example/a' } }),
		]);
		expect(itemsOf(plain)[0]).not.toHaveProperty('binary');
		const text = await draw(linkId, { settings, parameters: qrCode({ format: 'svgText' }) });
		expect(jsonOf(text)).toEqual([{ shortUrl: 'https://s.example/a', qrCode: expect.any(String) }]);
	});

	describe('fails', () => {
		const bad = { foregroundColor: '={{ $json.color }}', size: '={{ $json.size }}' };
		const items = [
			{ url: 'https://s.example/a', color: '#000000', size: 300 },
			{ url: 'https://s.example/b', color: '#eeeeee', size: 300 },
			{ url: 'https://s.example/c', color: '#000000', size: 30 },
			{ url: `https://s.example/${'d'.repeat(3000)}`, color: '#000000', size: 300 },
			{ url: 'https://s:bad/e', color: '#000000', size: 300 },
		];

		it('each item by itself, if the node continues', async () => {
			const onError = 'continueRegularOutput';
			const result = await draw(byUrl('={{ $json.url }}'), {
				...{ items, onError, parameters: qrCode(bad) },
			});
			expect(errorsOf(result)).toEqual([
				null,
				expect.stringMatching(
					/^Item 2: Foreground Color has a contrast of 1\.1 to Background Color; /,
				),
				'Item 3: Size 30 is too small for the QR code of this URL, which has 33 modules on each side',
				'Item 4: The URL of 3018 characters is too long for a QR code with Error Correction M',
				'Item 5: "https://s:bad/e" is not a valid URL, so it has no QR code',
			]);
			expect(codesIn(result)).toEqual(['https://s.example/a', ...Array(4).fill(undefined)]);
			expect(requests()).toEqual([]);
		});

		it('before the first request, if settings are invalid', async () => {
			const id = await madeLink('made');
			current().requests.length = 0;
			const foregroundColor = 'navy';
			const result = await draw(byId(id), { parameters: qrCode({ foregroundColor }) });
			expect(messageOf(result)).toBe(
				'Foreground Color "navy" is not a color; enter a hex code like #000000',
			);
			const later = await draw(byId(id), { items: items.slice(0, 2), parameters: qrCode(bad) });
			expect(messageOf(later)).toMatch(/^Item 2: Foreground Color has a contrast/);
			expect(requests()).toEqual([]);
		});

		it('for a link that does not exist', async () => {
			expect(messageOf(await draw(byId(99)))).toBe('No link has the ID 99');
		});
	});

	it('in a dry run shows the request, draws nothing, and sends nothing for a short URL', async () => {
		const options = { dryRun: true };
		const parameters = { output: 'raw', options };
		const [request] = jsonOf(await draw(byId(7), { parameters }));
		expect(request).toMatchObject({ method: 'GET', url: `${current().url}/api/v1/links/7` });
		const result = await draw(byUrl('https://s.example/a'), { parameters });
		expect(itemsOf(result)).toEqual([expect.objectContaining({ json: { request: null } })]);
		expect(itemsOf(result)[0]).not.toHaveProperty('binary');
		expect(requests()).toEqual([]);
	});
});

describe('the option QR Code', () => {
	const write = { url: 'https://example.com/new', domainId: chosen(1) };

	it('adds the code to each link that an operation returns', async () => {
		const id = await madeLink('a');
		await madeLink('b');
		const scope = { syncScope: { aliasStartsWith: 's-' }, unmatchedLinks: 'keep' };
		const runs: [string, INodeParameters][] = [
			['create', write],
			['upsert', { ...write, alias: 'a' }],
			['update', { linkId: byId(id), updateFields: { disabled: true } }],
			['get', { linkId: byId(id) }],
			['getAll', { returnAll: true }],
			[
				'sync',
				{ url: write.url, alias: 's-1', additionalFields: { domainId: chosen(1) }, ...scope },
			],
		];
		const counts: [string, number][] = [];
		for (const [operation, parameters] of runs) {
			const result = await link(operation, { parameters: { ...parameters, ...qrCode() } });
			expect(messageOf(result)).toBe('undefined');
			expect(codesIn(result)).toEqual(jsonOf(result).map(shortUrlOf));
			counts.push([operation, itemsOf(result).length]);
		}
		expect(counts).toEqual([
			...[
				['create', 1],
				['upsert', 1],
				['update', 1],
				['get', 1],
				['getAll', 3],
				['sync', 1],
			],
		]);
	});

	it('sends no more requests, and needs no short URL in the output', async () => {
		const parameters = { ...write, output: 'selectedFields', outputFields: ['alias'] };
		const result = await link('create', { parameters: { ...parameters, ...qrCode() } });
		expect(Object.keys(jsonOf(result)[0] ?? {})).toEqual(['alias']);
		expect(codesIn(result)[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/s\/[\w-]+$/);
		expect(requests()).toEqual(['POST /links']);
	});

	it.each(['upsert', 'update'])(
		'evaluates its settings for each of several items with one link: %s',
		async (operation) => {
			const id = await madeLink('made');
			const rows = ['Ann', 'Ben', 'Ann'].map((name) => ({
				...{ alias: 'made', url: write.url, disabled: true, name },
			}));
			const picture = { fileName: '={{ $json.name }}', binaryPropertyName: '={{ $json.name }}' };
			const result = await link(operation, {
				items: rows,
				retryOnFail: true,
				parameters: {
					...{ mappingColumnMode: 'autoMapInputData', matchBy: 'alias', inputsToIgnore: 'name' },
					...(operation === 'upsert' ? { domainId: write.domainId } : {}),
					...{ output: 'selectedFields', outputFields: ['id'], ...qrCode(picture) },
				},
			});
			expect(messageOf(result)).toBe('undefined');
			expect(arrived()).toHaveLength(1);
			expect(jsonOf(result).map((item) => item.id)).toEqual([id, id, id]);
			const files = itemsOf(result).map(({ binary }) => Object.values(binary ?? {}));
			expect(files.map((all) => all.map(({ fileName }) => fileName))).toEqual([
				...[['Ann.png'], ['Ben.png'], ['Ann.png']],
			]);
			expect(codesIn(result, 'Ben')).toEqual([
				...[undefined, expect.stringMatching(/made$/), undefined],
			]);
		},
	);

	it('adds nothing in a dry run, to failed items, and to links that Sync removes', async () => {
		await madeLink('taken');
		const parameters = { ...write, alias: '={{ $json.alias }}' };
		const dry = await link('create', { parameters: { ...write, ...qrCode({}, { dryRun: true }) } });
		expect(codesIn(dry)).toEqual([undefined]);
		const created = await link('create', {
			items: [{ alias: 'taken' }, { alias: 'free' }],
			onError: 'continueRegularOutput',
			parameters: { ...parameters, ...qrCode() },
		});
		expect(codesIn(created)).toEqual([undefined, expect.stringMatching(/free$/)]);
		const synced = await mapped('sync', [{ alias: 'free', url: write.url }], {
			...{ syncScope: { domainId: chosen(1) }, unmatchedLinks: 'disable' },
			...qrCode({}, { maxRemovalPercentage: 100 }),
		});
		expect(jsonOf(synced).map(({ outcome }) => outcome)).toEqual(['unchanged', 'disabled']);
		expect(codesIn(synced)).toEqual([expect.stringMatching(/free$/), undefined]);
	});

	it('never fails a link that was written, and says why it has no code', async () => {
		const result = await link('create', {
			parameters: { ...write, ...qrCode({ size: 29, errorCorrection: 'H' }) },
		});
		expect(messageOf(result)).toBe('undefined');
		expect(jsonOf(result)).toMatchObject([{ url: write.url }]);
		expect(codesIn(result)).toEqual([undefined]);
		expect(hintsOf(result).join()).toMatch(
			/1 link has no QR code: Size 29 is too small for the QR code of this URL, which has \d+ modules/,
		);
		expect(arrived()).toHaveLength(1);
	});

	it('refuses invalid settings before it writes', async () => {
		const result = await link('create', {
			parameters: { ...write, ...qrCode({ backgroundColor: '#000' }) },
		});
		expect(messageOf(result)).toContain('Foreground Color is not darker than Background Color');
		expect(requests()).toEqual([]);
	});

	it('is not an option of Pixel, whose resources have no address', async () => {
		const parameters = { name: 'a', type: 'quora', value: '1', ...qrCode() };
		const result = await pixel('create', { parameters });
		expect(messageOf(result)).toBe('undefined');
		expect(itemsOf(result)[0]).not.toHaveProperty('binary');
	});
});
