import type { EncodedRow } from '../../../../nodes/shared/contract/encodedRow';
import {
	isInterpretationDecisive,
	InterpretationVotes,
} from '../../../../nodes/shared/operations/interpretations';
import { linkLike, rowOf } from '../../../support/operationRun.ts';

/** A row whose ambiguous value is its alias: a link is off by its clicks, and read as its title. */
function row(alias: string): EncodedRow {
	const plain = rowOf('upsert', { alias, url: 'https://example.com/', domainId: 1 });
	const ambiguous = {
		keys: ['alias'],
		displayName: 'Alias',
		offsetOf: (_row: unknown, link: Record<string, unknown>) => link.clicks,
		interpretationOf: (_row: unknown, link: Record<string, unknown>) => link.title ?? undefined,
		isChanged: (before: Record<string, unknown>, after: Record<string, unknown>) =>
			before.url !== after.url,
	};
	return { ...plain, contract: { ...plain.contract, ambiguous: ambiguous as never } };
}

const link = (alias: string, clicks: unknown, title?: string) =>
	linkLike({ alias, clicks, title: title ?? null } as never);

const interpretationOf = (readings: InterpretationVotes, of = row('a')) =>
	readings.applyTo(of).options.interpretation;

/** Learns from a list of links, one for each alias. */
function listed(...links: ReturnType<typeof link>[]) {
	const readings = new InterpretationVotes();
	const rows = links.map(({ alias }) => row(String(alias)));
	readings.addList(rows, (of) => {
		const index = rows.indexOf(of);
		return links.slice(index, index + 1);
	});
	return readings;
}

it('leaves a row as it is before anything is known', () => {
	const of = row('a');
	expect(new InterpretationVotes().applyTo(of)).toBe(of);
});

it('reads a row as most of the list', () => {
	expect(interpretationOf(listed(link('a', 1, 'x'), link('b', 1, 'y'), link('c', 1, 'y')))).toBe(
		'y',
	);
	expect(interpretationOf(listed(link('a', 1, 'x')))).toBe('x');
	expect(interpretationOf(listed(link('a', 1, 'x'), link('b', 1, 'y')))).toBeUndefined();
});

it('learns nothing from a row with several links, or without the value', () => {
	const readings = new InterpretationVotes();
	readings.addList([row('a')], () => [link('a', 0, 'x'), link('a', 0, 'x')]);
	readings.addList([{ ...row('a'), fields: [] }], () => [link('a', 0, 'x')]);
	readings.addList([rowOf('get', { linkId: '1' })], () => [link('a', 0, 'x')]);
	expect(interpretationOf(readings)).toBeUndefined();
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
	expect(new InterpretationVotes().isSharedOffset(7)).toBe(true);
});

describe('the answer to a write', () => {
	it('outweighs the list if the value has changed', () => {
		const readings = listed(link('a', 1, 'x'), link('b', 1, 'x'));
		readings.addAnswer(row('a'), link('a', 2, 'y'), undefined);
		expect(interpretationOf(readings)).toBe('y');
		expect(readings.offsets).toEqual([2]);
	});

	it('does not outweigh the list if the value has not changed', () => {
		const readings = listed(link('a', 1, 'x'));
		readings.addAnswer(row('a'), link('a', 2, 'y'), link('a', 2));
		expect(interpretationOf(readings)).toBe('x');
		const other = { ...link('a', 2), url: 'https://old.example/' };
		readings.addAnswer(row('a'), link('a', 2, 'y'), other);
		expect(interpretationOf(readings)).toBe('y');
	});

	it('agrees, is off, or says nothing', () => {
		const readings = new InterpretationVotes();
		readings.addAnswer(row('a'), link('a', undefined, 'x'), undefined);
		expect([readings.hasAgreement, readings.offsets, interpretationOf(readings)]).toEqual([
			false,
			[],
			undefined,
		]);
		readings.addAnswer(row('a'), link('a', 0), undefined);
		expect([readings.hasAgreement, readings.offsets]).toEqual([true, []]);
	});
});

it('waits for the answers to other rows if the reading decides', () => {
	expect(isInterpretationDecisive(row('a'), () => [link('a', 1, 'x')])).toBe(true);
	expect(isInterpretationDecisive(row('a'), () => [link('a', 1)])).toBe(false);
	expect(isInterpretationDecisive(row('a'), () => [])).toBe(false);
});
