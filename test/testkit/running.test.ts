import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../testkit/service/index.ts';
import { key, useReferenceService } from '../support/referenceService.ts';

const { call, createLink, current, readLink, restart } = useReferenceService();

describe('the running service', () => {
	test('keeps a journal in order of arrival', async () => {
		const form = 'url=https%3A%2F%2Fexample.com&domain_id=1';
		await call('POST', '/api/v1/links?x=1&y', { form, headers: { 'x-probe': 'yes' } });
		await call('GET', '/api/v1/links', { headers: { authorization: undefined } });
		await call('GET', '/');
		expect(current().requests).toEqual([
			{
				method: 'POST',
				path: '/api/v1/links',
				query: 'x=1&y',
				headers: expect.objectContaining({ 'x-probe': 'yes', authorization: `Bearer ${key}` }),
				body: form,
				status: 201,
			},
			expect.objectContaining({ method: 'GET', query: '', body: '', status: 401 }),
		]);
	});

	test('reset keeps the data, clear does not', async () => {
		await restart({ strict: true, settings: { envelope: 'flat' } });
		await createLink();
		current().settings.faults.push({ effect: { kind: 'empty' } });
		current().set({ envelope: 'bare', strict: false, ignorePage: true });
		current().reset();
		expect(current().settings).toEqual({
			throttle: null,
			faults: [],
			envelope: 'flat',
			errorShape: 'family',
			ignorePage: false,
			strict: true,
			renamesFields: false,
		});
		expect(current().requests).toEqual([]);
		expect(current().counts()).toEqual({ links: 1, pixels: 3 });
		current().set({ envelope: 'bare' });
		current().clear();
		expect(current().settings.envelope).toBe('flat');
		expect(current().counts()).toEqual({ links: 0, pixels: 0 });
	});

	test('links survive a restart, in a file', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'reference-service-'));
		try {
			await restart({ database: join(folder, 'links.sqlite') });
			const { id } = await createLink({ 'pixel_ids[]': '1', alias: 'kept' });
			const before = await readLink(id);
			await restart({ database: join(folder, 'links.sqlite') });
			expect(await readLink(id)).toEqual({
				...before,
				short_url: `${current().url}/s/kept`,
			});
			expect(current().counts()).toEqual({ links: 1, pixels: 3 });
			await current().stop();
		} finally {
			await rm(folder, { recursive: true });
		}
	});

	test('refuses a taken port', async () => {
		const port = Number(new URL(current().url).port);
		await expect(startService({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
	});

	test('stops once, and then answers no more', async () => {
		await call('GET', '/api/v1/links');
		await Promise.all([current().stop(), current().stop()]);
		await expect(call('GET', '/api/v1/links')).rejects.toThrow(/ECONNREFUSED/);
	});
});
