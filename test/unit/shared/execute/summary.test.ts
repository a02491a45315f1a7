import { linkContract } from '../../../../nodes/Link/link.contract';
import {
	type RowOutcome,
	stoppingFailure,
	summaryOf,
} from '../../../../nodes/shared/execute/outcome';
import { RowNumbers } from '../../../../nodes/shared/execute/sheet';
import type { ApiClient } from '../../../../nodes/shared/transport/client';

/** The outcomes of a run with a number of rows of each outcome. */
const results = (rows: object = {}): RowOutcome[] =>
	(Object.entries(rows) as [string, number][]).flatMap(([outcome, count]) =>
		Array.from({ length: count }, (_, index) => {
			const failure = { cause: 'rejected', message: '', advice: '' };
			const result = { resources: [], outcome };
			return { index, ...(outcome === 'failed' ? { failure } : { result }) } as RowOutcome;
		}),
	);

const client = (count = 0, milliseconds = 0, retries = 0) =>
	({ waits: { count, milliseconds }, retries }) as unknown as ApiClient;

const run = {
	dryRun: false,
	notes: [],
	recovery: '',
	contract: linkContract,
	numbers: new RowNumbers([], true),
	rows: [],
	doubts: new Map<number, never>(),
};

const text = (outcomes: RowOutcome[], of?: ApiClient, more: object = {}) =>
	summaryOf({ ...run, outcomes, ...more }, of);

it.each([
	[[{ cause: 'ended' }, {}, {}], 1],
	[[{}, { stray: 'ID 9' }, { cause: 'ended' }], 1],
	[[{ cause: 'ended' }, { cause: 'ended' }], 0],
])('a run stops with the failure that matters most: %j', (failures, expected) => {
	const outcomes = failures.map((failure, index) => ({
		index,
		failure: { cause: 'rejected', message: '', advice: '', ...failure },
	}));
	expect(stoppingFailure(outcomes as RowOutcome[])?.index).toBe(expected);
	expect(stoppingFailure(outcomes.toReversed() as RowOutcome[])?.index).toBe(expected);
});

it('is silent about one row', () => {
	expect(text(results({ created: 1 }), client())).toBeUndefined();
	expect(text(results(), client())).toBeUndefined();
	expect(text(results())).toBeUndefined();
});

it.each<[rows: object, message: string]>([
	[{ missing: 2 }, 'Nothing was changed. 2 items: 2 missing.'],
	[{ read: 2 }, '2 items.'],
])('counts %j', (rows, message) => {
	expect(text(results(rows), client())).toBe(message);
});

it('says that nothing was changed only if that is certain', () => {
	const failed = (failure: object) => {
		const advice = { cause: 'ambiguous', message: '', advice: '' };
		const failed = { index: 2, failure: { ...advice, ...failure } } as RowOutcome;
		return text([...results({ unchanged: 2 }), failed], client());
	};
	expect(failed({})).toBe('Nothing was changed. 3 items: 2 unchanged, 1 failed.');
	expect(failed({ outcome: 'unknown' })).toBe('3 items: 2 unchanged, 1 unknown.');
	expect(failed({ stray: 'ID 9' })).toBe('3 items: 2 unchanged, 1 failed.');
});

it('says how long the run waited and what it repeated', () => {
	const one = results({ created: 1 });
	expect(text(one, client(1, 400))).toBe('1 item: 1 created; 1 wait of 1 second in total.');
	expect(text(one, client(2, 41_000, 12))).toBe(
		'1 item: 1 created; 2 waits of 41 seconds in total, 12 retries.',
	);
	expect(text(one, client(0, 0, 1))).toBe('1 item: 1 created; 1 retry.');
	expect(text(results({ read: 1 }), client(0, 0, 1))).toBe('1 retry.');
});
