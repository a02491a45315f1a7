import {
	isFailed,
	stateOf,
	statesOf,
	type RowOutcome,
} from '../../../../nodes/shared/execute/outcome';

const done: RowOutcome = { index: 0, result: { resources: [], outcome: 'created' } };

const failed = (more: object = {}): RowOutcome => ({
	index: 1,
	failure: { cause: 'rejected', message: '', advice: '', ...more },
});

it('tells a failed row from one that is done', () => {
	expect(isFailed(done)).toBe(false);
	expect(isFailed(failed())).toBe(true);
});

it.each<[outcome: RowOutcome | undefined, state: string]>([
	[undefined, 'not sent'],
	[done, 'done'],
	[failed(), 'failed'],
	[failed({ cause: 'ended' }), 'not sent'],
	[failed({ outcome: 'unknown' }), 'unknown'],
	[failed({ cause: 'ended', outcome: 'unknown' }), 'unknown'],
])('knows the state of %j', (outcome, state) => {
	expect(stateOf(outcome)).toBe(state);
});

it('knows the state of each row', () => {
	const states = statesOf(
		[2, 0, 1],
		new Map([
			[0, done],
			[1, failed()],
		]),
	);
	expect([...states]).toEqual([
		[2, 'not sent'],
		[0, 'done'],
		[1, 'failed'],
	]);
});
