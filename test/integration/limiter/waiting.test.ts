import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { apiKey, byId, jsonOf } from '../../support/service.ts';
import { askNode } from '../../support/n8n.ts';

const { current, link } = useScriptedService();

const update = async (id: string, options: object, cancelAfter?: number) => {
	const updateFields = { url: `https://example.com/${id}` };
	const parameters = { linkId: byId(id), updateFields, options: { ...options } };
	return await link('update', { parameters, cancelAfter });
};

describe('a row on a link that another execution works on', () => {
	/** Starts an execution that works on the link until it is released. */
	async function holdLink() {
		let release: () => void = () => undefined;
		const released = new Promise<void>((resolve) => (release = resolve));
		current().follow(async (_, earlier) => {
			if (earlier === 0) await released;
			return oneOf(linkAs({ url: 'https://example.com/1' }));
		});
		const first = update('1', {});
		await current().arrivalOf(1);
		return { first, release };
	}

	it('fails after Max Wait, and a later one still waits for the first', async () => {
		const { first, release } = await holdLink();
		const last = update('1', {});
		const waiting = await update('1', { maxWait: 1 });
		expect(waiting.error?.message).toBe(
			'Another execution is still changing the same resource, after Max Wait of 1 second',
		);
		expect(waiting.error?.description).toMatch(/Nothing was changed\./);
		expect(current().requests).toHaveLength(1);
		release();
		expect(jsonOf(await first)).toMatchObject([{ id: 1 }]);
		expect(jsonOf(await last)).toMatchObject([{ id: 1 }]);
		expect(current().requests).toHaveLength(2);
	});

	it('sends nothing after a cancel', async () => {
		const { first, release } = await holdLink();
		await update('1', {}, 200);
		release();
		await first;
		await update('1', {});
		expect(current().requests).toHaveLength(2);
	});
});

describe('Requests Per Minute', () => {
	it('of one run stalls no other run', async () => {
		current().follow(({ path }) => {
			const id = Number(path.split('/').at(-1));
			return oneOf(linkAs({ id, url: `https://example.com/${id}` }));
		});
		const stalled = link('update', {
			items: [{ id: 1 }, { id: 2 }],
			parameters: {
				linkId: byId('={{ $json.id }}'),
				updateFields: { url: '=https://example.com/{{ $json.id }}' },
				options: { requestsPerMinute: 1 },
			},
			cancelAfter: 3000,
		});
		await current().arrivalOf(1);
		for (const id of ['3', '4', '5']) expect(jsonOf(await update(id, {}))).toHaveLength(1);
		expect(current().requests).toHaveLength(4);
		await stalled;
	});
});

describe('a list that never ends', () => {
	beforeEach(() => {
		current().follow(({ query }) => {
			const from = Number(query.page) * 1000;
			const items = Array.from({ length: Number(query.per_page) }, (_, index) => ({
				id: from + index,
				name: `Pixel ${from + index}`,
				type: 'facebook',
			}));
			return pageOf(items, Number(query.page), Number(query.page) + 1);
		});
	});

	it('fills a multi-select with 5,000 entries', async () => {
		const credential = { baseUrl: current().url, apiKey };
		const pixels = await askNode({ node: 'link', credential }, async (node, context) =>
			node.methods?.loadOptions?.getPixels?.call(context),
		);
		expect(pixels).toHaveLength(5000);
		expect(current().requests).toHaveLength(50);
	});

	it.each([
		[
			'Spring',
			...([
				100,
				'Pixels "Spring" cannot be looked up, because the list of pixels could not be read: it has more than 100 pages; use the ID',
			] as const),
		],
		['Pixel 1005', 101, undefined],
	])('finds the name %s only as far as it is read', async (name, requests, message) => {
		const parameters = {
			url: 'https://example.com/',
			domainId: byId(1),
			additionalFields: { pixelIds: [name] },
		};
		const result = await link('create', { parameters });
		expect(current().requests).toHaveLength(requests);
		const last = current().requests.at(-1);
		if (message === undefined) expect(last?.body).toMatch(/pixel_ids\[0?\]=1005/);
		else expect(result.error?.message).toBe(message);
	});
});
