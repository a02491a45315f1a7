import type { INodeParameters } from 'n8n-workflow';
import { LinkTrigger } from '../../../nodes/LinkTrigger/LinkTrigger.node';
import { eventNames } from '../../support/eventNames.ts';
import { PollAccount, plainLink as link, usualWays } from '../../support/pollAccount.ts';
import { PollRun } from '../../support/pollRun.ts';
import { useTriggers } from '../../support/triggers.ts';

const { begun, addLinks, remove } = useTriggers();

const past = '2020-01-01T00:00:00.000000Z';
const allEvents: INodeParameters = { events: eventNames, thresholds: '5, 50' };

describe('the size of the state', () => {
	it('is at most 500 kB for an event, and 1 MB for all, with 50,000 links', async () => {
		// IDs of an account that shares them with others.
		const account = new PollAccount({ ...usualWays, hasRandomTies: false }, 1, () => undefined);
		for (let count = 0; count < 50_000; count += 1) {
			account.create({ ...link, clicks: count % 400, alias: `summer-${count}` }, count % 5);
		}
		const parameters = { events: eventNames, thresholds: '5, 50, 100, 1000' };
		const run = new PollRun(new LinkTrigger(), 'classic', parameters, (url) => account.read(url));
		await run.activate();
		for (let count = 0; count < 30; count += 1) await run.tick();
		const { parts } = run.data.poll as { parts: Record<string, object> };
		const sizes = Object.entries(parts).map(
			([name, part]) => [name, JSON.stringify(part).length] as const,
		);
		const all = JSON.stringify(run.data).length;
		process.stdout.write(`State in bytes with 50,000 links: ${JSON.stringify({ sizes, all })}\n`);
		expect(Math.max(...sizes.map(([, size]) => size))).toBeLessThanOrEqual(500_000);
		expect(all).toBeLessThanOrEqual(1_000_000);
	});

	it('does not grow while links come and go', async () => {
		const node = await begun(allEvents, {}, 1);
		const sizes: number[] = [];
		for (let round = 0; round < 12; round += 1) {
			const ids = addLinks(150, { clicks: 60, disabled: 1, ends_at: past });
			await node.pollAll();
			remove(...ids);
			await node.pollAll();
			await node.pollAll();
			sizes.push(JSON.stringify(await node.data()).length);
		}
		expect(Math.max(...sizes.slice(6))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 6)) + 40);
	});
});
