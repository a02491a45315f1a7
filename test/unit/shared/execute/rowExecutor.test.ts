import { linkContract } from '../../../../nodes/Link/link.contract';
import { apiRequest } from '../../../../nodes/shared/contract/endpoints';
import type { Execution } from '../../../../nodes/shared/execute/rowExecutor';
import { rawOutput } from '../../../../nodes/shared/execute/options';
import { isFailed, type RowOutcome } from '../../../../nodes/shared/execute/outcome';
import type { Row } from '../../../../nodes/shared/execute/outcome';
import { executeRows } from '../../../../nodes/shared/execute/rowExecutor';
import type { OperationRun, Removal } from '../../../../nodes/shared/operations/types';
import { ServiceError } from '../../../../nodes/shared/transport/failures';
import { modelWorld, toldOf, type SheetRow } from '../../../support/modelRun.ts';
import { jsonAnswer, type Fault, type Journaled } from '../../../support/modelService.ts';
import { clientFor, linkLike, rowOf } from '../../../support/operationRun.ts';
import { runSettings } from '../../../support/runSettings.ts';

const url = (name: string) => `https://example.com/${name}`;

const create = (name: string, alias?: string, domainId: number | '' = 1): SheetRow => ({
	operation: 'create',
	parameters: {
		url: url(name),
		domainId,
		...(alias === undefined ? {} : { alias }),
	},
});

const update = (name: string, id: number): SheetRow => ({
	operation: 'update',
	parameters: { linkId: String(id), updateFields: { url: url(name) } },
});

const remove = (id: number): SheetRow => ({
	operation: 'delete',
	parameters: { linkId: String(id) },
});

/** What goes wrong with the requests, one after another; the last one again and again if told. */
const inTurn =
	(faults: readonly (Fault | undefined)[], last?: Fault) =>
	({ number }: Journaled): Fault | undefined =>
		number <= faults.length ? faults[number - 1] : last;

const answered = (
	status: number,
	{ when = 'before' as 'after' | 'before', body = {}, headers = {} } = {},
): Fault => ({ kind: 'answer', when, answer: jsonAnswer(status, body, headers) });

const dropped = (when: 'after' | 'before'): Fault => ({ kind: 'drop', when });

const requestsOf = (journal: readonly Journaled[]) =>
	journal.map(({ method, path }) => `${method} ${path}`);

describe('a write whose answer was lost', () => {
	const endings: [string, Fault, number][] = [
		['maintenance', answered(503), 20_000],
		['refused connections', { kind: 'refuse' }, 20_000],
		['a limit that lasts too long', answered(429, { headers: { 'retry-after': '600' } }), 20_000],
		['a key that is revoked', answered(401), 20_000],
		['a refusal of the values', answered(422), 20_000],
	];

	it.each(endings)(
		'is unknown, not failed, when its repeats end in %s (update)',
		async (_name, last, maxWait) => {
			const { service, execute } = modelWorld({ fault: inTurn([dropped('after')], last) });
			const { id } = service.add({ alias: 'a', url: url('before') });
			const { outcomes } = await execute({ sheet: [update('after', id)], options: { maxWait } });
			expect(service.links.get(id)?.url).toBe(url('after'));
			expect(outcomes.map(toldOf)).toEqual(['unknown']);
		},
	);

	it.each(endings)(
		'is unknown, not failed, when its repeats end in %s (delete)',
		async (_name, last, maxWait) => {
			const { service, execute } = modelWorld({ fault: inTurn([dropped('after')], last) });
			const { id } = service.add({ alias: 'a', url: url('before') });
			const { outcomes } = await execute({ sheet: [remove(id)], options: { maxWait } });
			expect(service.links.size).toBe(0);
			expect(outcomes.map(toldOf)).toEqual(['unknown']);
		},
	);

	it.each(endings.slice(0, 4))(
		'is unknown when it arrives late and the repeat ends in %s (create)',
		async (_name, last, maxWait) => {
			const late: Fault = { kind: 'late', milliseconds: 120_000 };
			const { service, execute } = modelWorld({ fault: inTurn([late, undefined], last) });
			const { outcomes } = await execute({ sheet: [create('late', 'a')], options: { maxWait } });
			expect([...service.links.values()]).toMatchObject([{ alias: 'a', url: url('late') }]);
			expect(outcomes.map(toldOf)).toEqual(['unknown']);
		},
	);

	it('is unknown when it arrives late and another row stops the run meanwhile (create)', async () => {
		const fault = ({ method, path, number }: Journaled): Fault | undefined => {
			if (number === 1) return { kind: 'late', milliseconds: 120_000 };
			if (method === 'PUT') return { kind: 'answer', when: 'before', answer: jsonAnswer(422, {}) };
			return path === '/links' && method === 'POST'
				? answered(429, { headers: { 'retry-after': '30' } })
				: undefined;
		};
		const { service, execute } = modelWorld({ fault });
		const { id } = service.add({ alias: 'other', url: url('other') });
		const { outcomes } = await execute({
			sheet: [create('late', 'a'), update('refused', id)],
			options: { concurrency: 1 },
			continues: false,
		});
		expect(service.links.size).toBe(2);
		expect(toldOf(outcomes[0])).not.toBe('failed');
		expect(toldOf(outcomes[0])).not.toBe('not sent');
	});
});

describe('rows on the same thing', () => {
	it('update one link in their order', async () => {
		const { service, execute } = modelWorld({
			latency: (random) => random() * 1000,
			fault: inTurn([dropped('before'), answered(500), undefined, answered(502)]),
		});
		const { id } = service.add({ alias: 'a', url: url('before') });
		const names = Array.from({ length: 12 }, (_, index) => `value-${index}`);
		const { outcomes } = await execute({
			sheet: names.map((name) => update(name, id)),
			options: { concurrency: 12 },
		});
		expect(outcomes.map(toldOf)).toEqual(names.map(() => 'updated'));
		expect(service.effects.map((effect) => effect.url)).toEqual(names.map(url));
	});

	it('create one alias once, and the first row wins', async () => {
		const { service, execute } = modelWorld({
			latency: (random) => random() * 1000,
			fault: inTurn([dropped('before')]),
		});
		const { outcomes } = await execute({
			// The service takes the domain of the first row for the second one.
			sheet: [create('first', 'a'), create('second', 'a', ''), create('third', 'A')],
		});
		expect(outcomes.map(toldOf)).toEqual(['created', 'failed', 'created']);
		expect([...service.links.values()].map((link) => link.url)).toEqual([
			url('first'),
			url('third'),
		]);
	});
});

describe('a delete', () => {
	it.each([1, 2, 3, 4, 5])(
		'is done by the first of two rows that ask for it (seed %d)',
		async (seed) => {
			const { service, execute } = modelWorld({ seed, latency: (random) => random() * 1000 });
			const { id } = service.add({ alias: 'a', url: url('a') });
			const { outcomes } = await execute({ sheet: [remove(id), remove(id)] });
			expect(outcomes.map(toldOf)).toEqual(['deleted', 'failed']);
			expect(requestsOf(service.journal)).toEqual([`DELETE /links/${id}`, `DELETE /links/${id}`]);
		},
	);

	it.each([1, 2, 3, 4, 5])(
		'comes after the update of an earlier row, and before that of a later one (seed %d)',
		async (seed) => {
			const { service, execute } = modelWorld({ seed, latency: (random) => random() * 1000 });
			const { id } = service.add({ alias: 'a', url: url('a') });
			const { outcomes } = await execute({ sheet: [update('b', id), remove(id), update('c', id)] });
			expect(outcomes.map(toldOf)).toEqual(['updated', 'deleted', 'failed']);
		},
	);
});

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
