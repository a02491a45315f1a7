import { useReferenceService } from '../support/referenceService.ts';

const { call, createLink, current } = useReferenceService();

type Headers = Record<string, string | undefined>;

describe('control routes', () => {
	const control = (method: string, path: string, body?: unknown, headers: Headers = {}) =>
		call(method, `/__control/${path}`, {
			form: body === undefined ? undefined : JSON.stringify(body),
			headers: {
				authorization: undefined,
				accept: undefined,
				'content-type': body === undefined ? undefined : 'application/json',
				'x-demo-control': '1',
				...headers,
			},
		});

	test('settings, requests, counts, clear', async () => {
		const faults = [
			{ on: { path: '/links' }, times: 1, effect: { kind: 'status', status: 502, body: null } },
		];
		const throttle = { limit: 9, windowSeconds: 0.5 };
		const settings = { faults, throttle, strict: true };
		expect((await control('PUT', 'settings', settings)).status).toBe(204);
		expect(current().settings).toMatchObject(settings);
		expect((await call('GET', '/api/v1/links')).status).toBe(502);
		await createLink();
		const requests = JSON.parse((await control('GET', 'requests')).text) as unknown;
		expect(requests).toMatchObject([{ status: 502 }, { method: 'POST', status: 201 }]);
		const counts = JSON.parse((await control('GET', 'counts')).text) as unknown;
		expect(counts).toEqual({ links: 1, pixels: 3 });
		expect((await control('DELETE', 'requests')).status).toBe(204);
		expect(current().requests).toEqual([]);
		expect((await control('PUT', 'settings', { throttle: null })).status).toBe(204);
		expect(current().settings).toMatchObject({ throttle: null, strict: true });
		expect((await control('POST', 'clear')).status).toBe(204);
		expect(current().counts()).toEqual({ links: 0, pixels: 0 });
		expect(current().settings.strict).toBe(false);
		expect(current().requests).toEqual([]);
	});

	/** The address of the service under another host name. */
	const at = (host: string) => current().url.replace('//127.0.0.1', `//${host}`);

	test.each<[string, () => Headers]>([
		['has no header of its own', () => ({ 'x-demo-control': undefined })],
		['comes from a page of another site', () => ({ origin: 'https://evil.example' })],
		['comes from a page without a site', () => ({ origin: 'null' })],
		['comes from another port', () => ({ origin: 'http://localhost:1' })],
		['has a host that was made to lead here', () => ({ host: new URL(at('evil.example')).host })],
		['has the host of another port', () => ({ host: 'localhost:1' })],
	])('refuse what %s', async (_name, headers) => {
		await createLink();
		const { status, text } = await control('POST', 'clear', undefined, headers());
		expect({ status, ...JSON.parse(text) }).toEqual({
			...{ status: 403, message: expect.stringMatching(/^Control requests /) },
		});
		expect(current().counts()).toEqual({ links: 1, pixels: 3 });
	});
});
