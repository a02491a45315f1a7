import { linkContract } from '../../../../nodes/Link/link.contract';
import { Reading } from '../../../../nodes/shared/poll/reading';
import { ApiClient } from '../../../../nodes/shared/transport/client';
import { defaultOptions } from '../../../support/modelLoad.ts';
import { modelWorld } from '../../../support/modelRun.ts';
import { jsonAnswer, type Fault } from '../../../support/modelService.ts';

const limited: Fault = {
	kind: 'answer',
	when: 'before',
	answer: jsonAnswer(429, {}, { 'retry-after': '3' }),
};

/** A poll, which waits 5 seconds at most for each request. */
function begin(fault: (number: number) => Fault | undefined, signal?: AbortSignal) {
	const { clock, limiter, service } = modelWorld({
		fault: ({ number }) => fault(number),
		latency: () => 0,
	});
	const options = { ...defaultOptions, concurrency: 1, maxWait: 5_000, isPoll: true, signal };
	const client = new ApiClient(service.as('poll'), limiter, options);
	const reading = new Reading(client, linkContract, 10, () => undefined);
	const listing = { path: linkContract.path, params: [] };
	return { clock, service, read: async () => await reading.page(listing, 1, 100) };
}

it('waits for each request of a poll as long as it may', async () => {
	const { clock, service, read } = begin((number) => (number % 2 === 1 ? limited : undefined));
	await clock.run(async () => {
		for (let count = 0; count < 4; count += 1) await read();
	});
	expect(service.journal).toHaveLength(8);
	expect(clock.now()).toBe(12_000);
});

it('waits no longer than the poll has time', async () => {
	const deadline = new AbortController();
	const { clock, read } = begin(() => limited, deadline.signal);
	await clock.run(async () => {
		void clock.sleep(2_000).then(() => deadline.abort());
		await expect(read()).rejects.toMatchObject({ failure: { cause: 'ended' } });
	});
	expect(clock.now()).toBe(2_000);
});
