import fc from 'fast-check';
import { WaitingTime } from '../../../../nodes/shared/transport/waitingTime';

it('counts each moment once, in whatever order periods are added', () => {
	const moment = fc.integer({ min: 0, max: 40 });
	fc.assert(
		fc.property(fc.array(fc.tuple(moment, moment)), (periods) => {
			const waited = new WaitingTime();
			const moments = new Set<number>();
			for (const [from, to] of periods) {
				for (let at = from; at < to; at += 1) moments.add(at);
				expect(waited.totalWith(from, to)).toBe(moments.size);
				waited.add(from, to);
				expect(waited.total).toBe(moments.size);
			}
		}),
	);
});
