import fc from 'fast-check';
import { IdSet } from '../../../../nodes/LinkTrigger/polling/idSet';

/** Something that is done to a set of IDs. */
const step = fc.record({
	way: fc.constantFrom('add', 'delete', 'between', 'encode'),
	id: fc.nat(30),
});

it('has the IDs that were added and not deleted, in their order', () => {
	fc.assert(
		fc.property(fc.array(fc.nat(30)), fc.array(step), (first, steps) => {
			const ids = new IdSet(first);
			const model = new Set(first);
			for (const { way, id } of steps) {
				expect(ids.has(id)).toBe(model.has(id));
				if (way === 'add') expect(ids.add(id)).toBe(!model.has(id) && Boolean(model.add(id)));
				if (way === 'delete') ids.delete(id);
				if (way === 'delete') model.delete(id);
				const inOrder = [...model].toSorted((one, other) => one - other);
				if (way === 'between')
					expect(ids.between(id, id + 9)).toEqual(
						inOrder.filter((one) => one >= id && one <= id + 9),
					);
				if (way === 'encode') expect([...IdSet.decode(ids.encode())]).toEqual(inOrder);
			}
			expect([...ids]).toEqual([...model].toSorted((one, other) => one - other));
			expect(ids.size).toBe(model.size);
		}),
	);
});

it('takes a million IDs one by one, the highest first, and gives them back, within the time of a test', () => {
	const ids = new IdSet();
	for (let id = 1_000_000; id > 0; id -= 1) ids.add(id);
	for (let id = 1; id < 1_000_000; id += 1) ids.delete(id);
	expect([...ids]).toEqual([1_000_000]);
});

it('reads no text that stands for more IDs than an account can have', () => {
	// Each 'B' stands for a gap with a run behind it, whose length is a million.
	const run = new IdSet(Array.from({ length: 900_000 }, (_, id) => id)).encode();
	expect(() => IdSet.decode(run.repeat(1000))).toThrow(SyntaxError);
});

it.each<[ids: number[], text: string]>([
	[[], ''],
	[[0], 'A'],
	[[5], 'K'],
	[[1, 2, 3, 10, 12, 13], 'DDOFC'],
])('encodes %j as %j', (ids, text) => {
	expect(new IdSet(ids).encode()).toBe(text);
	expect([...IdSet.decode(text)]).toEqual(ids);
});

it('has the highest ID and the number of IDs', () => {
	const ids = new IdSet([7, 3]);
	expect([ids.highest, ids.size]).toEqual([7, 2]);
	ids.delete(7);
	expect([ids.highest, ids.size]).toEqual([3, 1]);
	expect([new IdSet().highest, new IdSet().size]).toEqual([0, 0]);
});

it('decodes no other text', () => {
	expect(() => IdSet.decode('g')).toThrow(SyntaxError);
	expect(() => IdSet.decode(undefined)).toThrow(SyntaxError);
});
