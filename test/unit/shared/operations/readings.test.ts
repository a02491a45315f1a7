import type { EncodedRow } from '../../../../nodes/shared/contract/encodeRow';
import { isContested, Readings } from '../../../../nodes/shared/operations/readings';
import { linkLike, rowOf } from '../../../support/operationRun.ts';

/** A row whose ambiguous value is its alias: a link is off by its clicks, and read as its title. */
function row(alias: string): EncodedRow {
	const plain = rowOf('upsert', { alias, url: 'https://example.com/', domainId: 1 });
	const ambiguous = {
		keys: ['alias'],
		displayName: 'Alias',
		offsetOf: (_row: unknown, link: Record<string, unknown>) => link.clicks,
		readingOf: (_row: unknown, link: Record<string, unknown>) => link.title ?? undefined,
		isChanged: (before: Record<string, unknown>, after: Record<string, unknown>) =>
			before.url !== after.url,
	};
	return { ...plain, contract: { ...plain.contract, ambiguous: ambiguous as never } };
}

const link = (alias: string, clicks: unknown, title?: string) =>
	linkLike({ alias, clicks, title: title ?? null } as never);

const readingOf = (readings: Readings, of = row('a')) => readings.readAs(of).options.reading;

/** Learns from a list of links, one for each alias. */
function listed(...links: ReturnType<typeof link>[]) {
	const readings = new Readings();
	const rows = links.map(({ alias }) => row(String(alias)));
	readings.learnFromList(rows, (of) => {
		const index = rows.indexOf(of);
		return links.slice(index, index + 1);
	});
	return readings;
}

it('leaves a row as it is before anything is known', () => {
	const of = row('a');
	expect(new Readings().readAs(of)).toBe(of);
});

it('reads a row as most of the list', () => {
	expect(readingOf(listed(link('a', 1, 'x'), link('b', 1, 'y'), link('c', 1, 'y')))).toBe('y');
	expect(readingOf(listed(link('a', 1, 'x')))).toBe('x');
	expect(readingOf(listed(link('a', 1, 'x'), link('b', 1, 'y')))).toBeUndefined();
});

it('learns nothing from a row with several links, or without the value', () => {
	const readings = new Readings();
	readings.learnFromList([row('a')], () => [link('a', 0, 'x'), link('a', 0, 'x')]);
	readings.learnFromList([{ ...row('a'), fields: [] }], () => [link('a', 0, 'x')]);
	readings.learnFromList([rowOf('get', { linkId: '1' })], () => [link('a', 0, 'x')]);
	expect(readingOf(readings)).toBeUndefined();
	expect(readings.hasAgreement).toBe(false);
});

it('knows whether a row agrees with the service', () => {
	expect(listed(link('a', 3)).hasAgreement).toBe(false);
	expect(listed(link('a', undefined)).hasAgreement).toBe(false);
	expect(listed(link('a', 0)).hasAgreement).toBe(true);
});

it('knows which offsets links of the list share', () => {
	const readings = listed(link('a', 3), link('b', 3), link('c', 5));
	expect([3, 5, 7].map(readings.isSharedOffset)).toEqual([true, false, false]);
	expect(new Readings().isSharedOffset(7)).toBe(true);
});

describe('the answer to a write', () => {
	it('outweighs the list if the value has changed', () => {
		const readings = listed(link('a', 1, 'x'), link('b', 1, 'x'));
		readings.learnFromAnswer(row('a'), link('a', 2, 'y'), undefined);
		expect(readingOf(readings)).toBe('y');
		expect(readings.offsets).toEqual([2]);
	});

	it('does not outweigh the list if the value has not changed', () => {
		const readings = listed(link('a', 1, 'x'));
		readings.learnFromAnswer(row('a'), link('a', 2, 'y'), link('a', 2));
		expect(readingOf(readings)).toBe('x');
		const other = { ...link('a', 2), url: 'https://old.example/' };
		readings.learnFromAnswer(row('a'), link('a', 2, 'y'), other);
		expect(readingOf(readings)).toBe('y');
	});

	it('agrees, is off, or says nothing', () => {
		const readings = new Readings();
		readings.learnFromAnswer(row('a'), link('a', undefined, 'x'), undefined);
		expect([readings.hasAgreement, readings.offsets, readingOf(readings)]).toEqual([
			false,
			[],
			undefined,
		]);
		readings.learnFromAnswer(row('a'), link('a', 0), undefined);
		expect([readings.hasAgreement, readings.offsets]).toEqual([true, []]);
	});
});

it('waits for the answers to other rows if the reading decides', () => {
	expect(isContested(row('a'), () => [link('a', 1, 'x')])).toBe(true);
	expect(isContested(row('a'), () => [link('a', 1)])).toBe(false);
	expect(isContested(row('a'), () => [])).toBe(false);
});
