import { linkContract } from '../../../../nodes/Link/link.contract';
import { apiRequest } from '../../../../nodes/shared/contract/endpoints';
import type { Execution } from '../../../../nodes/shared/execute/rowExecutor';
import { rawOutput } from '../../../../nodes/shared/execute/options';
import { isFailed, type RowOutcome } from '../../../../nodes/shared/execute/outcome';
import type { Row } from '../../../../nodes/shared/execute/outcome';
import { executeRows } from '../../../../nodes/shared/execute/rowExecutor';
import type { OperationRun, Removal } from '../../../../nodes/shared/operations/types';
import { ServiceError } from '../../../../nodes/shared/transport/failures';
import { clientFor, linkLike, rowOf } from '../../../support/operationRun.ts';
import { runSettings } from '../../../support/runSettings.ts';

const url = (name: string) => `https://example.com/${name}`;

/** Executes rows with a scripted operation, and returns the summary and the outcomes in the order in which the rows ended. */
async function executeScripted(
	rows: readonly Row[],
	run: Partial<OperationRun> = {},
	execution: Partial<Execution> = {},
) {
	const { client, sent } = clientFor(() => ({ body: { data: linkLike() } }), { concurrency: 1 });
	const ended: RowOutcome[] = [];
	const operation: Execution['operation'] = () => ({
		recovery: 'Run the node again.',
		execute: async (_requests, row) =>
			await Promise.resolve({ resources: [linkLike({ id: row.id })], outcome: 'updated' }),
		...run,
	});
	const summary = await executeRows([...rows], {
		...{ contract: linkContract, operation, settings: runSettings(), items: rows.length },
		connect: async () => await Promise.resolve(client),
		...{ isDryRun: false, continues: true, output: rawOutput },
		finalOutcomes: new Map<number, RowOutcome>(),
		onEnd: (outcome) => ended.push(outcome),
		...execution,
	});
	client.close();
	return { summary, ended, sent, client, indexes: ended.map(({ index }) => index) };
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

describe('a row that repeats an earlier row', () => {
	const rows = () => [rowAt(5, { duplicates: [6] }), rowAt(7)];

	it('has its result, without another request', async () => {
		const executed: unknown[] = [];
		const { ended } = await executeScripted(
			rows(),
			{
				execute: async (_requests, { id }) => {
					executed.push(id);
					return await Promise.resolve({ resources: [linkLike({ id })], outcome: 'updated' });
				},
			},
			{ output: ({ id }) => ({ id }) },
		);
		expect(executed).toEqual(['5', '7']);
		const byIndex = ended.toSorted((a, b) => a.index - b.index);
		expect(byIndex).toMatchObject([
			{ index: 5, result: { resources: [{ id: '5' }] } },
			{ index: 6, isDuplicate: true, result: { resources: [{ id: '5' }], outcome: 'updated' } },
			{ index: 7, result: { resources: [{ id: '7' }] } },
		]);
	});

	it('fails with it', async () => {
		const { ended } = await executeScripted(rows().slice(0, 1), { execute: failing });
		expect(ended).toMatchObject([
			{ index: 5, failure: { message: 'Refused' } },
			{ index: 6, failure: { message: 'Refused' } },
		]);
		expect(ended[1]).not.toHaveProperty('result');
	});
});

describe('a row that must not be written', () => {
	const problem = { field: 'Alias', key: 'alias', what: 'is wrong' };
	const problemsOf: OperationRun['problemsOf'] = ({ id }) => (id === '2' ? [problem] : []);
	const rows = () => [rowAt(1), rowAt(2), rowAt(3)];

	it('stops the run before its first write', async () => {
		const { ended, summary } = await executeScripted(rows(), { problemsOf }, { continues: false });
		expect(ended).toEqual([]);
		expect(summary.refused).toMatchObject([{ index: 2, encoded: [problem] }]);
	});

	it('fails alone if the run continues', async () => {
		const { ended, summary } = await executeScripted(rows(), { problemsOf });
		expect(ended.map((outcome) => [outcome.index, isFailed(outcome)])).toEqual(
			expect.arrayContaining([
				[1, false],
				[2, true],
				[3, false],
			]),
		);
		expect(summary.refused).toEqual([]);
	});

	it('does not stop a run that has written it before', async () => {
		const done: RowOutcome = { index: 2, result: { resources: [], outcome: 'updated' } };
		const execution = { continues: false, finalOutcomes: new Map([[2, done]]) };
		const { ended, summary } = await executeScripted(rows(), { problemsOf }, execution);
		expect(ended.map(isFailed)).toEqual([false, false, false]);
		expect(ended).toContain(done);
		expect(summary.refused).toEqual([]);
	});
});

describe('resources that are in no row', () => {
	const removalOf = (id: string, executed: string[] = []): Removal => ({
		resource: { name: id, data: {} },
		execute: async () => {
			executed.push(id);
			return await Promise.resolve({ resources: [{ id }], outcome: 'deleted' });
		},
	});
	const removing = (executed?: string[]): Partial<OperationRun> => ({
		removals: () => [removalOf('8', executed), removalOf('9', executed)],
		notes: () => ['A note'],
	});
	const kept = 'Nothing was removed, because not all items succeeded';

	it('are removed after all rows, with indexes after those of the items', async () => {
		const { ended, summary } = await executeScripted([rowAt(0)], removing());
		expect(ended).toMatchObject([
			{ index: 0, ids: ['0'] },
			{ index: 1, removed: { name: '8' }, result: { outcome: 'deleted' } },
			{ index: 2, removed: { name: '9' } },
		]);
		expect(summary).toMatchObject({ notes: ['A note'] });
	});

	it('are removed if a row repeats another', async () => {
		const executed: string[] = [];
		await executeScripted([rowAt(0, { duplicates: [1] })], removing(executed));
		expect(executed).toEqual(['8', '9']);
	});

	it.each<[what: string, rows: Row[], run: Partial<OperationRun>]>([
		['fails', [rowAt(0), rowAt(1)], { execute: failing }],
		['is invalid', [rowAt(0), rowAt(1, { encoded: [] })], {}],
	])('are kept if a row %s', async (_what, rows, run) => {
		const executed: string[] = [];
		const { ended, summary } = await executeScripted(rows, { ...removing(executed), ...run });
		expect(ended).toHaveLength(2);
		expect(executed).toEqual([]);
		expect(summary.notes).toEqual(['A note', kept]);
	});

	it('are not removed by a run without rows', async () => {
		const executed: string[] = [];
		expect((await executeScripted([], removing(executed))).ended).toEqual([]);
		expect(executed).toEqual([]);
	});

	it('are removed by another try of a run whose rows are all done', async () => {
		const done: RowOutcome = { index: 0, result: { resources: [], outcome: 'updated' } };
		const execution = () => ({ finalOutcomes: new Map([[0, done]]) });
		const executed: string[] = [];
		await executeScripted([rowAt(0)], removing(executed), execution());
		expect(executed).toEqual(['8', '9']);
		const { ended } = await executeScripted([rowAt(0)], removing(), {
			...execution(),
			connect: async () => await Promise.reject(new Error('No credential')),
		});
		expect(ended).toEqual([
			done,
			{ index: 1, failure: expect.objectContaining({ message: 'No credential' }) },
		]);
	});
});

describe('the outcomes of a run', () => {
	it('that another try must not repeat are kept, except those of a dry run', async () => {
		const finalOutcomes = new Map<number, RowOutcome>();
		const rows = () => [rowAt(0), rowAt(1)];
		await executeScripted(rows(), {}, { finalOutcomes, isDryRun: true });
		expect(finalOutcomes.size).toBe(0);
		await executeScripted(
			rows(),
			{
				execute: async (_requests, { id }) =>
					id === '1' ? await failing() : { resources: [], outcome: 'updated' },
			},
			{ finalOutcomes },
		);
		expect([...finalOutcomes.keys()]).toEqual([0]);
		const stray = new ServiceError({ cause: 'rejected', message: '', advice: '', stray: 'ID 9' });
		const execute = async () => await Promise.reject(stray);
		await executeScripted(rows(), { execute }, { finalOutcomes });
		expect([...finalOutcomes.keys()]).toEqual([0, 1]);
	});

	it('of all rows are failures if the node cannot connect', async () => {
		const { ended } = await executeScripted(
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

	it('of all rows are one failure of the run if what they need cannot be read', async () => {
		const { ended, summary } = await executeScripted([rowAt(0), rowAt(1)], {
			prepare: failing,
		});
		const failure = { message: 'Refused', isRunLevel: true };
		expect(ended).toMatchObject([
			{ index: 0, failure },
			{ index: 1, failure },
		]);
		expect(summary.notes).toEqual([]);
	});

	it('are unknown if n8n fails after a write', async () => {
		const { ended } = await executeScripted([rowAt(0), rowAt(1)], {
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

	it('end with the row that stops the run', async () => {
		const { indexes } = await executeScripted(
			[rowAt(0), rowAt(1)],
			{ execute: failing },
			{ continues: false },
		);
		expect(indexes).toEqual([0]);
	});
});

it('masks the passwords of a row in the messages about it', async () => {
	const row = rowOf('update', { linkId: '1', updateFields: { password: 'open sesame' } });
	const texts: string[] = [];
	await executeScripted([rowAt(0), { index: 1, encoded: row }], {
		execute: async (requests) => {
			texts.push(requests.secrets.text('It was open sesame'));
			return await Promise.resolve({ resources: [], outcome: 'updated' });
		},
	});
	expect(texts).toEqual(['It was open sesame', 'It was [password]']);
});
