import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useReferenceService } from '../support/referenceService.ts';

const { createLink, current, readLink, restart } = useReferenceService();

describe('the running service', () => {
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
});
