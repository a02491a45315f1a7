import { byId, jsonOf, useService } from '../../support/service.ts';

const { current, link } = useService();

/** Links to work on, made before the throttle is there. */
async function made(count: number): Promise<number[]> {
	const items = Array.from({ length: count }, (_, index) => ({ alias: `link-${index}` }));
	const result = await link('create', {
		items,
		parameters: {
			url: 'https://example.com/',
			domainId: byId(1),
			alias: '={{ $json.alias }}',
			options: { concurrency: 20 },
		},
	});
	current().requests.length = 0;
	return jsonOf(result).map(({ id }) => Number(id));
}

const refused = () => current().requests.filter(({ status }) => status === 429).length;

it('300 executions at once behind one limit lose nothing, and share what is known of it', async () => {
	const ids = await made(300);
	current().set({ throttle: { limit: 60, windowSeconds: 6 } });
	const results = await Promise.all(
		ids.map(
			async (id) =>
				await link('update', {
					items: [{ url: `https://example.com/${id}` }],
					parameters: { linkId: byId(id), updateFields: { url: '={{ $json.url }}' } },
				}),
		),
	);
	expect(results.map(jsonOf)).toMatchObject(
		ids.map((id) => [{ id, url: `https://example.com/${id}` }]),
	);
	expect(current().requests.length - refused()).toBe(300);
	expect(refused()).toBeLessThanOrEqual(9);
});

it('two executions at once that match by Destination URL create one link', async () => {
	const upsert = async () =>
		await link('upsert', {
			parameters: { matchBy: 'url', url: 'https://example.com/same', domainId: byId(1) },
		});
	const results = await Promise.all([upsert(), upsert()]);
	expect(results.flatMap(jsonOf).map(({ outcome }) => outcome)).toEqual(['created', 'unchanged']);
	expect(current().counts().links).toBe(1);
});
