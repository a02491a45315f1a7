import { LinkTrigger } from '../../nodes/LinkTrigger/LinkTrigger.node';
import { httpExchange } from '../../nodes/shared/transport/exchange';
import { rowSecrets, secretMask } from '../../nodes/shared/transport/secrets';
import { eventNames, plainLink as link } from '../support/eventExamples.ts';
import { PollAccount } from '../support/pollAccount.ts';
import { PollingTrigger } from '../support/pollingTrigger.ts';
import { PollRun } from '../support/pollRun.ts';
import { pageOf, useScriptedService } from '../support/scriptedService.ts';
import { apiKey } from '../support/service.ts';

const scripted = useScriptedService();

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

/** More than a call takes as arguments. */
const many = 130_000;

/** The service has no pages: each list holds all links, and no link is disabled or has expired. */
const showAll = (count: number) =>
	scripted.current().follow(({ query }) => {
		const ids = Array.from({ length: query.status ? 0 : count }, (_, index) => index + 1);
		const links = (query.sort === 'desc' ? ids.toReversed() : ids).map((id) => ({ id, clicks: 9 }));
		return pageOf(links, 1, 1, links.length);
	});

it('a trigger is activated and reports the next link, if the service answers with 130,000 links on one page', async () => {
	const trigger = new PollingTrigger('classic', {
		node: 'linkTrigger',
		parameters: { events: ['created', 'deleted'] },
		credential: { baseUrl: scripted.current().url, apiKey },
	});
	showAll(many);
	expect((await trigger.activate()).error).toBeUndefined();
	showAll(many + 1);
	expect((await trigger.poll()).events).toContainEqual(
		expect.objectContaining({ event: 'created', id: many + 1 }),
	);
});

it('the state has at most 500 kB for an event, and 1 MB for all, with 50,000 links of an account that shares its IDs', async () => {
	const account = new PollAccount();
	for (let count = 0; count < 50_000; count += 1) {
		const alias = `summer-campaign-${count}`;
		// Gaps of 1 to 2,000 between the IDs.
		account.create({ ...link, clicks: (count * 977) % 100_000, alias }, (count * 7919) % 2000);
	}
	const parameters = { events: eventNames, thresholds: '5, 50, 100, 1000, 10000' };
	const run = new PollRun(new LinkTrigger(), 'classic', parameters, (url) => account.read(url));
	await run.activate();
	for (let count = 0; count < 30; count += 1) expect((await run.poll()).events).toEqual([]);
	const { parts } = run.data.poll as { parts: Record<string, { ids?: string | object }> };
	// Events with the same IDs share them.
	const sharedIds = String(parts.clicks?.ids);
	const sizes = Object.entries(parts).map(([name, part]) => {
		const whole = typeof part.ids === 'object' ? { ...part, ids: sharedIds } : part;
		return [name, JSON.stringify(whole).length] as const;
	});
	const all = JSON.stringify(run.data).length;
	process.stdout.write(`State in bytes: ${JSON.stringify({ sizes, all })}\n`);
	expect(Math.max(...sizes.map(([, size]) => size))).toBeLessThanOrEqual(500_000);
	expect(all).toBeLessThanOrEqual(1_000_000);
	expect(all).toBeGreaterThan(400_000);
});
