import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { rawOutput } from '../../../../nodes/shared/execute/options';
import { executeRows } from '../../../../nodes/shared/execute/rowExecutor';
import * as handlers from '../../../../nodes/shared/operations/handlers';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { runSettings } from '../../../support/runSettings.ts';
import { ApiClient } from '../../../../nodes/shared/transport/client';
import { RateLimiter } from '../../../../nodes/shared/transport/limiter';
import { defaultOptions } from '../../../support/modelLoad.ts';
import { readSheet } from '../../../support/modelRun.ts';
import { ModelService } from '../../../support/modelService.ts';
import { VirtualClock } from '../../../../testkit/clock/virtualClock.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const count = 60;
const url = (number: number) => `https://example.com/${number}`;

describe('the rows of a run', () => {
	it.each([
		[
			'create',
			(number: number) => ({
				url: url(number),
				domainId: 1,
				alias: `a${number}`,
			}),
		],
		[
			'update',
			(number: number) => ({ linkId: String(number + 1), updateFields: { url: url(number) } }),
		],
	] as const)('are forgotten as they end (%s)', async (operation, parametersOf) => {
		let kept = Infinity;
		const clock = new VirtualClock();
		const service = new ModelService(clock, {
			fault: ({ number }) => {
				// One collection may only end another one that began before the rows were read.
				if (number <= count - 5) return undefined;
				collectGarbage();
				kept = Math.min(kept, references.filter((one) => one.deref()).length);
				return undefined;
			},
		});
		for (let number = 0; number < count && operation === 'update'; number += 1)
			service.add({ alias: `a${number}`, url: url(-1) });
		const sheet = Array.from({ length: count }, (_, number) => ({
			operation,
			parameters: parametersOf(number),
		}));
		const rows = readSheet(sheet);
		const references = rows.map(({ encoded }) => new WeakRef<object>(encoded));
		const client = new ApiClient(service.as('run'), new RateLimiter(clock), defaultOptions);
		await clock.run(
			async () =>
				await executeRows(rows, {
					contract: linkContract,
					operation: handlers[operation],
					items: count,
					settings: runSettings(),
					output: rawOutput,
					connect: async () => await Promise.resolve(client),
					isDryRun: false,
					continues: true,
					finalOutcomes: new Map(),
					onEnd: () => undefined,
				}).finally(() => client.close()),
		);
		expect(service.journal).toHaveLength(count);
		// Those that are under way are kept, and what the engine has not let go of yet.
		expect(kept).toBeLessThan(count / 4);
	});
});
