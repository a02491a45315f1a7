import { linkContract } from '../../../../nodes/Link/link.contract';
import { apiRequest } from '../../../../nodes/shared/contract/operations';
import { type Execution, executeRows } from '../../../../nodes/shared/execute/rowExecutor';
import { rawOutput } from '../../../../nodes/shared/execute/options';
import type { Row, RowOutcome } from '../../../../nodes/shared/execute/outcome';
import type { OperationRun } from '../../../../nodes/shared/operations/types';
import { ServiceError } from '../../../../nodes/shared/transport/failures';
import { clientFor, linkLike, rowOf } from '../../../support/operationRun.ts';
import { runSettings } from '../../../support/runSettings.ts';

const url = (name: string) => `https://example.com/${name}`;

/** Executes rows with a scripted operation, and returns the outcomes in the order in which the rows ended. */
async function executeScripted(
	rows: readonly Row[],
	run: Partial<OperationRun> = {},
	execution: Partial<Execution> = {},
) {
	const { client } = clientFor(() => ({ body: { data: linkLike() } }), { concurrency: 1 });
	const ended: RowOutcome[] = [];
	const operation: Execution['operation'] = () => ({
		recovery: 'Run the node again.',
		execute: async (_requests, row) =>
			await Promise.resolve({ resources: [linkLike({ id: row.id })], outcome: 'updated' }),
		...run,
	});
	await executeRows([...rows], {
		...{ contract: linkContract, operation, settings: runSettings(), items: rows.length },
		connect: async () => await Promise.resolve(client),
		...{ isDryRun: false, continues: true, output: rawOutput },
		finalOutcomes: new Map<number, RowOutcome>(),
		onEnd: (outcome) => ended.push(outcome),
		...execution,
	});
	client.close();
	return ended;
}

const rowAt = (index: number, more: Partial<Row> = {}): Row => ({
	index,
	encoded: rowOf('update', { linkId: `${index}`, updateFields: { disabled: true } }),
	...more,
});

const failing = async (): Promise<never> =>
	await Promise.reject(
		new ServiceError({ cause: 'rejected', message: 'Refused', advice: 'Correct it.' }),
	);

it('a row that repeats an earlier row fails with it', async () => {
	const ended = await executeScripted([rowAt(5, { duplicates: [6] })], { execute: failing });
	expect(ended).toMatchObject([
		{ index: 5, failure: { message: 'Refused' } },
		{ index: 6, failure: { message: 'Refused' } },
	]);
	expect(ended[1]).not.toHaveProperty('result');
});

describe('the outcomes of a run', () => {
	it('of all rows are failures if the node cannot connect', async () => {
		const ended = await executeScripted(
			[rowAt(0), rowAt(1)],
			{},
			{
				connect: async () => await Promise.reject(new Error('No credential')),
			},
		);
		const failure = {
			cause: 'rejected',
			message: 'No credential',
			advice: 'Check the credential and the settings of the node.',
		};
		expect(ended).toMatchObject([
			{ index: 0, failure },
			{ index: 1, failure },
		]);
	});

	it('are unknown if n8n fails after a write', async () => {
		const ended = await executeScripted([rowAt(0), rowAt(1)], {
			execute: async (requests, row) => {
				if (row.id === '0') throw new Error('n8n failed');
				await requests.request(apiRequest(linkContract, 'create', [['url', url('x')]]));
				throw 'n8n failed';
			},
		});
		expect(ended).toMatchObject([
			{ failure: { message: 'n8n failed' } },
			{ failure: { message: 'n8n failed', outcome: 'unknown', isUnknownCreate: true } },
		]);
		expect(ended[0]).not.toMatchObject({ failure: { outcome: 'unknown' } });
	});
});
