import { ListIndex } from '../../../../nodes/shared/operations/listIndex';
import { pairRenames } from '../../../../nodes/shared/operations/renames';
import { linkLike, rowOf } from '../../../support/operationRun.ts';

const row = (alias: string, url: string) => rowOf('upsert', { alias, url, domainId: 1 });

const known = (...links: ReturnType<typeof linkLike>[]) => {
	const all = new ListIndex(
		[row('a', 'https://example.com/a'), row('b', 'https://example.com/a')],
		{
			searchBy: 'alias',
		},
	);
	for (const link of links) all.add(link);
	return all;
};

const old = linkLike({ id: 5, alias: 'old', url: 'https://example.com/a' });

it('pairs a row that creates with a link of the same destination that goes', () => {
	const created = row('a', 'https://example.com/a');
	const { from, to } = pairRenames([created], known(), [old]);
	expect([...from]).toEqual([[created, old]]);
	expect([...to]).toEqual([[old, created]]);
});

it('pairs a link with one row', () => {
	const rows = [row('a', 'https://example.com/a'), row('b', 'https://example.com/a')];
	expect([...pairRenames(rows, known(), [old]).from.keys()]).toEqual([rows[0]]);
});

it('pairs no row whose link is there, or that has another destination', () => {
	const there = linkLike({ id: 6, alias: 'a' });
	expect(pairRenames([row('a', 'https://example.com/a')], known(there), [old]).from.size).toBe(0);
	expect(pairRenames([row('a', 'https://example.com/x')], known(), [old]).to.size).toBe(0);
	expect(pairRenames([], known(), [old]).from.size).toBe(0);
});
