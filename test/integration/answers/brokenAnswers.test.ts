import { httpExchange } from '../../../nodes/shared/transport/exchange';
import { rowSecrets, secretMask } from '../../../nodes/shared/transport/secrets';
import { PollingTrigger } from '../../support/pollingTrigger.ts';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { apiKey, byId, jsonOf } from '../../support/service.ts';

const { current, link } = useScriptedService();

const deep = '['.repeat(100_000) + ']'.repeat(100_000);

/** A link whose field has JSON of its own. */
const linkWith = (field: string, json: string) => ({
	status: 201,
	body: JSON.stringify({ data: linkAs({ [field]: '@@' }) }).replace('"@@"', () => json),
});

const country = { rules: [{ key: 'US', value: 'https://example.com/us' }] };
const url = 'https://example.com/';

describe.each([
	['is too deep', deep],
	['breaks its conversion to a text', '{"toString":null}'],
])('an answer that %s', (_, json) => {
	it.each(['country_target', 'id'])(
		'in %s leaves a create unknown, and Retry On Fail does not repeat it',
		async (field) => {
			current().follow(() => linkWith(field, json));
			const result = await link('create', {
				parameters: { url, domainId: byId(1), additionalFields: { country, pixelIds: [1] } },
				settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
			});
			expect(result.error?.message).toMatch(/not valid JSON/);
			expect(result.error?.context.data).toMatchObject({ outcome: 'unknown' });
			expect(current().requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
		},
	);

	it('leaves an update and a delete unknown', async () => {
		const parameters = { linkId: byId('1'), options: { maxWait: 0 } };
		current().follow(() => linkWith('pixels', json));
		const updateFields = { url: 'https://example.com/new' };
		const updated = await link('update', { parameters: { ...parameters, updateFields } });
		expect(updated.error?.context.data).toMatchObject({ outcome: 'unknown' });
		current().follow(() => ({ body: `{"id":1,"deleted":true,"errors":${json}}` }));
		const deleted = await link('delete', { parameters });
		expect(deleted.error?.context.data).toMatchObject({ outcome: 'unknown' });
	});

	it('fails a list with a clear error', async () => {
		const meta = `{"current_page":1,"last_page":1,"total":${json}}`;
		current().follow(() => ({ body: `{"data":[],"meta":${meta}}` }));
		const parameters = { returnAll: true, options: { maxWait: 0 } };
		const result = await link('getAll', { parameters });
		expect(result.error?.message).toMatch(/not valid JSON/);
	});
});

it.each([
	['JSON', (text: string) => JSON.stringify({ data: text })],
	['a page', (text: string) => `<html>${text}`],
	['broken JSON', (text: string) => `{"data": "${text}`],
])('escapes in %s of 30 MB are not undone again and again', async (_, bodyOf) => {
	const mask = secretMask(['key-0123456789'], '[API key]');
	const body = bodyOf('\\u0025%5c&#92;%2525'.repeat(1_500_000));
	const { user, system } = process.cpuUsage();
	for (const status of [200, 403]) {
		const send = async () => await Promise.resolve({ status, headers: {}, body });
		const service = { root: '', mask, send };
		const request = { method: 'GET', url: 'https://links.example/', headers: {} } as const;
		const { signal } = new AbortController();
		await httpExchange(service, request, signal, rowSecrets(['password-0123456789']));
	}
	const spent = process.cpuUsage({ user, system });
	// All orders took 46 s of CPU time and gigabytes of memory; a pass takes a fraction of a second.
	expect(spent.user + spent.system).toBeLessThan(10_000_000);
});

it('a write that outlasts a canceled run is over before another run writes the same link', async () => {
	let release: () => void = () => undefined;
	const released = new Promise<void>((resolve) => (release = resolve));
	const written: string[] = [];
	current().follow(async ({ body }, earlier) => {
		if (earlier === 0) await released;
		written.push(body);
		return oneOf(linkAs({ url: body.slice('url='.length) }));
	});
	const update = async (address: string, cancelAfter?: number) => {
		const parameters = { linkId: byId('1'), updateFields: { url: address } };
		return await link('update', { parameters, cancelAfter });
	};
	await update('https://example.com/old', 300);
	const second = update('https://example.com/new');
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(current().mostOpen).toBe(1);
	release();
	expect(jsonOf(await second)).toMatchObject([{ url: 'https://example.com/new' }]);
	expect(written).toEqual(['url=https://example.com/old', 'url=https://example.com/new']);
});

it('a list with an ID that JSON rounds is refused', async () => {
	current().follow(() => ({ body: '{"data":[{"id":1},{"id":9007199254740993}]}' }));
	const result = await link('getAll', { parameters: { options: { maxWait: 0 } } });
	expect(result.error?.message).toMatch(/^The service has IDs above 9007199254740991/);
});

it('the trigger refuses IDs that it cannot store', async () => {
	current().follow(() => pageOf([linkAs({ id: '9007199254740993' })], 1, 1, 1));
	const trigger = new PollingTrigger('classic', {
		node: 'linkTrigger',
		parameters: { events: ['created'], startFrom: 'all' },
		credential: { baseUrl: current().url, apiKey },
	});
	const { error } = await trigger.activate();
	expect(error?.message).toMatch(
		/^The service has IDs that are not whole numbers up to 9007199254740991/,
	);
});
