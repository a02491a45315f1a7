import { byId, jsonOf, useService } from '../../support/service.ts';

const { current, link } = useService();

it('503 means that nothing was processed, so a create goes again, without an alias and with or without Retry-After', async () => {
	const refusal = { kind: 'status', status: 503 } as const;
	current().set({
		faults: [
			{ times: 1, effect: { ...refusal, retryAfter: '1' } },
			{ times: 2, effect: refusal },
		],
	});
	const parameters = { url: 'https://example.com/', domainId: byId(1) };
	expect(jsonOf(await link('create', { parameters }))).toMatchObject([{ id: 1 }]);
	expect(current().requests.map(({ status }) => status)).toEqual([503, 503, 503, 201]);
	expect(current().counts().links).toBe(1);
});

it('16 refusals and then an error of the server are outlived', async () => {
	const faults = [
		{ times: 16, effect: { kind: 'status', status: 429, retryAfter: '1' } as const },
		{ times: 1, effect: { kind: 'status', status: 500 } as const },
	];
	current().set({ faults });
	const result = await link('getAll', { parameters: { returnAll: true } });
	expect(result.error).toBeUndefined();
	const statuses = current().requests.map(({ status }) => status);
	expect(statuses).toEqual([...new Array<number>(16).fill(429), 500, 200]);
});
