import { linkContract } from '../../../../nodes/Link/link.contract';
import { apiRequest } from '../../../../nodes/shared/contract/operations';
import { executeRows } from '../../../../nodes/shared/execute/rowExecutor';
import { rawOutput } from '../../../../nodes/shared/execute/options';
import { EarlierTries, type Row, type RowOutcome } from '../../../../nodes/shared/execute/outcome';
import { clientFor, rowOf } from '../../../support/operationRun.ts';
import { runSettings } from '../../../support/runSettings.ts';
import { linkAs } from '../../../support/scriptedAnswers.ts';

const rowAt = (index: number): Row => ({
	index,
	encoded: rowOf('update', { linkId: `${index}`, updateFields: { disabled: true } }),
});

it('the outcome of a row is unknown if n8n fails after a write', async () => {
	const { client } = clientFor(() => ({ body: { data: linkAs() } }), { concurrency: 1 });
	const ended: RowOutcome[] = [];
	await executeRows([rowAt(0), rowAt(1)], {
		...{ contract: linkContract, settings: runSettings(), items: 2 },
		operation: () => ({
			recovery: 'Run the node again.',
			execute: async (requests, row) => {
				if (row.id === '0') throw new Error('n8n failed');
				const params = [['url', 'https://example.com/x']] as const;
				await requests.request(apiRequest(linkContract, 'create', params));
				throw 'n8n failed';
			},
		}),
		connect: async () => await Promise.resolve(client),
		...{ isDryRun: false, continues: true, output: rawOutput },
		earlier: new EarlierTries(),
		onEnd: (outcome) => ended.push(outcome),
	});
	client.close();
	const advice = 'Check the credential and the settings of the node.';
	expect(ended).toMatchObject([
		{ failure: { message: 'n8n failed', cause: 'rejected', advice } },
		{ failure: { message: 'n8n failed', outcome: 'unknown', isUnknownCreate: true } },
	]);
	expect(ended[0]).not.toMatchObject({ failure: { outcome: 'unknown' } });
});
