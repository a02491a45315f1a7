import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { rawOutput } from '../../../../nodes/shared/execute/options';
import { executeRows } from '../../../../nodes/shared/execute/rowExecutor';
import { startOperation } from '../../../../nodes/shared/operations/handlers';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { runSettings } from '../../../support/runSettings.ts';
import { clientFor, linkLike, rowOf } from '../../../support/operationRun.ts';

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
		const { client, sent } = clientFor(({ params }, earlier) => {
			// One collection may only end another one that began before the rows were read.
			if (earlier >= count - 5) {
				collectGarbage();
				kept = Math.min(kept, references.filter((one) => one.deref()).length);
			}
			return { status: 201, body: { data: linkLike({ id: earlier + 1, ...params }) } };
		});
		const rows = Array.from({ length: count }, (_, index) => ({
			index,
			encoded: rowOf(operation, parametersOf(index)),
		}));
		const references = rows.map(({ encoded }) => new WeakRef<object>(encoded));
		await executeRows(rows, {
			contract: linkContract,
			operation: (run) => startOperation(operation, run),
			items: count,
			settings: runSettings(),
			output: rawOutput,
			connect: async () => await Promise.resolve(client),
			isDryRun: false,
			continues: true,
			finalOutcomes: new Map(),
			onEnd: () => undefined,
		}).finally(() => client.close());
		expect(sent).toHaveLength(count);
		// Those that are under way are kept, and what the engine has not let go of yet.
		expect(kept).toBeLessThan(count / 4);
	});
});
