import { Rolling } from '../../../../nodes/shared/poll/rolling';
import type { RollingWatch } from '../../../../nodes/shared/poll/types';
import { accountWith, range, readingOf, watchContext } from '../../../support/pollReading.ts';
import type { PollAccount } from '../../../support/pollAccount.ts';

/** A part of a watch that notes the pages that it gets: `2 <21: 11-20`. */
function part(pages: number, isNew = false) {
	const taken: string[] = [];
	const watch: RollingWatch = {
		isNew,
		pages,
		take: async ({ number, ids }, _reading, below) => {
			taken.push(`${number} <${below}: ${ids[0] ?? ''}-${ids.at(-1) ?? ''}`);
			await Promise.resolve();
		},
		endRound: () => taken.push('end'),
	};
	return { taken, watch };
}

/** One poll of a new process: the state goes through JSON. */
async function poll(
	account: Pick<PollAccount, 'read'>,
	watches: RollingWatch[],
	stored?: ReturnType<Rolling['store']>,
) {
	const { context } = watchContext();
	const { reading, requests } = readingOf(account);
	const known = stored && JSON.parse(JSON.stringify(stored));
	const rolling = new Rolling(context, watches, known);
	await rolling.look(reading);
	return { stored: rolling.store(), requests };
}

it('reads a page a poll, the highest IDs first, and begins again', async () => {
	const account = accountWith(range(1, 25));
	const { taken, watch } = part(1);
	const first = await poll(account, [watch]);
	expect(first.stored).toEqual({ last: 3, next: 2, unread: 21 });
	const second = await poll(account, [watch], first.stored);
	expect(second.stored).toEqual({ last: 3, next: 1, unread: 11 });
	expect(second.requests).toEqual(['asc 2', 'asc 2']);
	const third = await poll(account, [watch], second.stored);
	expect(third.stored).toEqual({ last: 3 });
	expect((await poll(account, [watch], third.stored)).requests).toEqual(['asc 3']);
	expect(taken).toEqual([
		...['3 <Infinity: 21-25', '2 <21: 11-20', '1 <11: 1-10', 'end', '3 <Infinity: 21-25'],
	]);
});

it('reads as many pages as the watch that wants most, and no more than a round', async () => {
	const [few, many] = [part(1), part(2)];
	const account = accountWith(range(1, 35));
	const { stored } = await poll(account, [few.watch, many.watch]);
	expect(stored).toEqual({ last: 4, next: 2, unread: 21 });
	expect(few.taken).toEqual(many.taken);
	const all = part(9);
	expect((await poll(account, [all.watch])).stored).toEqual({ last: 4 });
	expect(all.taken).toHaveLength(5);
});

it('reads nothing without a watch', async () => {
	expect((await poll(accountWith(range(1, 35)), [])).requests).toEqual([]);
});

it('begins a round again for a new watch', async () => {
	const { taken, watch } = part(1, true);
	await poll(accountWith(range(1, 25)), [part(1).watch, watch], { last: 3, next: 2, unread: 21 });
	expect(taken).toEqual(['3 <Infinity: 21-25']);
});

it('goes on with the last page if the next one is beyond the end', async () => {
	const { taken, watch } = part(1);
	const { stored } = await poll(accountWith(range(1, 15)), [watch], {
		last: 9,
		next: 8,
		unread: 81,
	});
	expect(taken).toEqual(['2 <Infinity: 11-15']);
	expect(stored).toEqual({ last: 2, next: 1, unread: 11 });
});

it('ends a round with an empty list', async () => {
	const { taken, watch } = part(3);
	expect((await poll(accountWith([]), [watch])).stored).toEqual({ last: 1 });
	expect(taken).toEqual(['1 <Infinity: -', 'end']);
});

it('takes the last page of a round for all that is above it', async () => {
	const { taken, watch } = part(1);
	await poll(accountWith(range(1, 15)), [watch], { last: 3, next: 2, unread: 12 });
	expect(taken).toEqual(['2 <Infinity: 11-15']);
});

it.each([[{ last: 0 }], [{ last: 1, next: 0 }], [{ last: 1, next: 2, unread: -1 }]])(
	'does not read the state %j',
	(stored) => {
		expect(() => new Rolling(watchContext().context, [], stored)).toThrow(SyntaxError);
	},
);
