import type { FailedRow, RowOutcome } from '../../../../nodes/shared/execute/outcome';
import { ResultCollector } from '../../../../nodes/shared/execute/summary';

const removedResource = { name: 'The link a (ID 7)', data: { id: 7 } };

const results = (rows = [0, 1, 2]) =>
	new ResultCollector(rows, ({ index, removed: of }) => [
		{ json: { index, of: of?.name ?? null } },
	]);

const done = (index: number, more: object = {}): RowOutcome => ({
	index,
	result: { resources: [], outcome: 'updated', ...more },
});

const failed = (index: number, more: object = {}): FailedRow => ({
	index,
	failure: { cause: 'rejected', message: '', advice: '', ...more },
});

it('counts rows and what is in no row', () => {
	const all = results();
	all.add(done(0));
	all.add({ ...done(1), isDuplicate: true } as RowOutcome);
	all.add(failed(2));
	all.add({ ...done(3, { outcome: 'deleted' }), removed: removedResource });
	expect(Object.fromEntries(all.rows)).toEqual({ updated: 1, repeated: 1, failed: 1 });
	expect(Object.fromEntries(all.removals)).toEqual({ deleted: 1 });
	expect([...all.states.values()]).toEqual(['done', 'done', 'failed']);
});

it('keeps the items in the order of the rows, and others after them', () => {
	const all = results();
	expect([...all.states.values()]).toEqual(['not sent', 'not sent', 'not sent']);
	all.add({ ...done(3), removed: removedResource });
	all.add(done(2));
	all.add(done(0));
	expect(all.items.map(({ json }) => json)).toEqual([
		{ index: 0, of: null },
		{ index: 2, of: null },
		{ index: 3, of: removedResource.name },
	]);
});

it('counts what was switched on, but no repeats', () => {
	const all = results();
	all.add(done(0, { isReenabled: true }));
	all.add({ ...done(1, { isReenabled: true }), isDuplicate: true } as RowOutcome);
	expect(all.reenabled).toBe(1);
});

it.each<[what: string, failures: FailedRow[], index: number]>([
	['the first row', [failed(2), failed(0), failed(1)], 0],
	['a failure rather than a row that was not sent', [failed(0, { cause: 'ended' }), failed(2)], 2],
	['a stray', [failed(0), failed(2, { stray: 'ID 9' }), failed(1)], 2],
])('stops with %s', (_what, failures, index) => {
	const all = results();
	failures.forEach((one) => all.add(one));
	expect(all.stopping?.index).toBe(index);
});

it('knows strays, and whether the run itself failed', () => {
	const all = results();
	all.add(failed(1, { stray: 'ID 9' }));
	expect([...all.strays]).toEqual([[1, 'ID 9']]);
	expect(all.isRunFailed).toBe(false);
	all.add(failed(0, { isRunLevel: true }));
	expect(all.isRunFailed).toBe(true);
	expect(results().stopping).toBeUndefined();
});
