import type { ScanPart, StoredDetector } from '../../../../nodes/LinkTrigger/detectors/detector';
import { FullScan } from '../../../../nodes/LinkTrigger/polling/fullScan';
import type { PollAccount } from '../../../support/pollAccount.ts';
import { accountWith, detectorContext, range, requestsTo } from '../../../support/pollReading.ts';

/** A part of a detector that notes the pages that it gets: `2 <21: 11-20`. */
function part(pages: number, isNew = false, needsContinuity = false) {
	const taken: string[] = [];
	const scan: ScanPart = {
		...{ isNew, needsContinuity, pages },
		scanPage: ({ number, ids, below }) => {
			taken.push(`${number} <${below}: ${ids[0] ?? ''}-${ids.at(-1) ?? ''}`);
		},
		endRound: () => taken.push('end'),
	};
	return { taken, scan };
}

/** One poll of a new process: the state goes through JSON. */
async function poll(
	account: Pick<PollAccount, 'read'>,
	parts: ScanPart[],
	stored?: StoredDetector,
	params: readonly (readonly [string, string])[] = [],
) {
	const { requests, sent } = requestsTo(account);
	const known = stored && (JSON.parse(JSON.stringify(stored)) as StoredDetector);
	const detectors = parts.map((scan) => ({ scan, store: () => ({}) }));
	const fullScan = new FullScan(detectorContext({ params }).context, detectors, known);
	await fullScan.poll(requests);
	return { stored: fullScan.store(), sent };
}

it('reads a page a poll, the highest IDs first, and begins again', async () => {
	const account = accountWith(range(1, 25));
	const { taken, scan } = part(1);
	const first = await poll(account, [scan]);
	expect(first.stored).toEqual({ last: 3, next: 2, bound: 21 });
	const second = await poll(account, [scan], first.stored);
	expect(second.stored).toEqual({ last: 3, next: 1, bound: 11 });
	expect(second.sent).toEqual(['asc 2']);
	const third = await poll(account, [scan], second.stored);
	expect(third.stored).toEqual({ last: 3 });
	expect((await poll(account, [scan], third.stored)).sent).toEqual(['asc 3']);
	expect(taken).toEqual([
		...['3 <Infinity: 21-25', '2 <21: 11-20', '1 <11: 1-10', 'end', '3 <Infinity: 21-25'],
	]);
});

it('reads as many pages as the detector that wants most, and no more than a round', async () => {
	const [few, many] = [part(1), part(2)];
	const account = accountWith(range(1, 35));
	const { stored } = await poll(account, [few.scan, many.scan]);
	expect(stored).toEqual({ last: 4, next: 2, bound: 21 });
	expect(few.taken).toEqual(many.taken);
	const all = part(9);
	expect((await poll(account, [all.scan])).stored).toEqual({ last: 4 });
	expect(all.taken).toHaveLength(5);
});

it('reads nothing without a detector', async () => {
	expect((await poll(accountWith(range(1, 35)), [])).sent).toEqual([]);
});

it('begins a round again for a new detector', async () => {
	const { taken, scan } = part(1, true);
	await poll(accountWith(range(1, 25)), [part(1).scan, scan], { last: 3, next: 2, bound: 21 });
	expect(taken).toEqual(['3 <Infinity: 21-25']);
});

it('goes on with the last page if the next one is beyond the end', async () => {
	const { taken, scan } = part(1);
	const { stored } = await poll(accountWith(range(1, 15)), [scan], {
		last: 9,
		next: 8,
		bound: 81,
	});
	expect(taken).toEqual(['2 <Infinity: 11-15']);
	expect(stored).toEqual({ last: 2, next: 1, bound: 11 });
});

it('ends a round with an empty list', async () => {
	const { taken, scan } = part(3);
	expect((await poll(accountWith([]), [scan])).stored).toEqual({ last: 1 });
	expect(taken).toEqual(['1 <Infinity: -', 'end']);
});

it('takes the last page of a round for all that is above it', async () => {
	const { taken, scan } = part(1);
	await poll(accountWith(range(1, 15)), [scan], { last: 3, next: 2, bound: 12 });
	expect(taken).toEqual(['2 <Infinity: 11-15']);
});

it.each([[{ last: 0 }], [{ last: 1, next: 0 }], [{ last: 1, next: 2, bound: -1 }]])(
	'does not read the state %j',
	(stored) => {
		expect(() => new FullScan(detectorContext().context, [], stored)).toThrow(SyntaxError);
	},
);

it('reads the page above again if a detector must know that no link lies between, and links can come in', async () => {
	const odd = range(1, 50).filter((id) => id % 2 === 1);
	const sentWith = async (
		needsContinuity: boolean,
		params: readonly (readonly [string, string])[],
	) => {
		const account = accountWith(odd);
		for (const id of odd) account.change(id, { space: 1 });
		const { sent } = await poll(account, [part(9, false, needsContinuity).scan], undefined, params);
		return sent.map((text) => text.replace('space_id=1 ', '').replace('asc ', '')).join('');
	};
	expect(await sentWith(false, [['space_id', '1']])).toBe('1321');
	expect(await sentWith(true, [])).toBe('1321');
	expect(await sentWith(true, [['space_id', '1']])).toBe('132312');
});
