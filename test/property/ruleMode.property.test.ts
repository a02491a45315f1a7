import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { paramsOf } from '../../nodes/shared/contract/encodedRow';
import { changesFor } from '../../nodes/shared/operations/changes';
import { linkLike, rowOf } from '../support/operationRun.ts';
import { casesOf } from '../support/randomTests.ts';

const numRuns = casesOf(500);

/** The kinds of rules, with keys and the target type. A rotation has no keys. */
const kinds = {
	country: { keys: ['DE', 'FR', 'US', 'IT'], type: 1 },
	language: { keys: ['de', 'fr', 'en', 'it'], type: 3 },
	platform: { keys: ['iOS', 'OS X', 'Android', 'Linux'], type: 2 },
	rotation: { keys: [], type: 4 },
} as const;

type Kind = keyof typeof kinds;

interface Rule {
	readonly key?: string;
	readonly value: string;
}

const address = fc.constantFrom(
	...['a', 'b', 'c', 'd', 'e'].map((name) => `https://example.com/${name}?x=1,2`),
);

const ruleOf = (kind: Kind): fc.Arbitrary<Rule> =>
	kind === 'rotation'
		? fc.record({ value: address })
		: fc.record({ key: fc.constantFrom(...kinds[kind].keys), value: address });

/** What identifies a rule. */
const idOf = ({ key, value }: Rule) => key ?? value;

const step = (kind: Kind) =>
	fc.record({
		mode: fc.constantFrom('add', 'remove'),
		rules: fc.uniqueArray(ruleOf(kind), { minLength: 1, maxLength: 3, selector: idOf }),
		/** Whether the service returns the rules in another order. */
		isReversed: fc.boolean(),
	});

const steps = fc
	.constantFrom<Kind>('country', 'language', 'platform', 'rotation')
	.chain((kind) =>
		fc.record({ kind: fc.constant(kind), steps: fc.array(step(kind), { maxLength: 12 }) }),
	);

/** The rules that a form sets; undefined if it has none for the kind. */
function sentRules(form: ReadonlyMap<string, string>, kind: Kind): Rule[] | undefined {
	const indexes = new Set(
		[...form.keys()].flatMap((name) => name.match(new RegExp(`^${kind}\\[(\\d+)\\]`))?.[1] ?? []),
	);
	if (indexes.size === 0) return undefined;
	return [...indexes].map((index) => {
		const key = form.get(`${kind}[${index}][key]`);
		const value = form.get(`${kind}[${index}][value]`) ?? '';
		return key === undefined ? { value } : { key, value };
	});
}

/** Returns the rules of the model as one text, without regard to their order. */
const stateOf = (model: ReadonlyMap<string, Rule>): string =>
	[...model.values()]
		.map(({ key, value }) => `${key}=${value}`)
		.sort()
		.join();

it('any order of adds and removes leaves the rules of a simple model', () => {
	let written = 0;
	let unchanged = 0;
	fc.assert(
		fc.property(steps, ({ kind, steps: all }) => {
			const model = new Map<string, Rule>();
			const link: IDataObject = linkLike({ [`${kind}_target`]: null });
			for (const { mode, rules, isReversed } of all) {
				const stored = link[`${kind}_target`];
				const shown =
					isReversed && Array.isArray(stored)
						? { ...link, [`${kind}_target`]: [...stored].reverse() }
						: link;
				const updateFields = { [kind]: { rules }, ruleMode: mode };
				const row = rowOf('update', { linkId: '1', updateFields } as never);
				const form = new Map(paramsOf(changesFor(row, shown)));

				const before = stateOf(model);
				for (const rule of rules) {
					if (mode === 'add') model.set(idOf(rule), rule);
					else model.delete(idOf(rule));
				}
				const sent = sentRules(form, kind);
				// A write has the whole list, and there is none if nothing changes.
				expect(sent === undefined).toBe(before === stateOf(model));
				if (sent === undefined) unchanged += 1;
				else written += 1;
				const isFirst = mode === 'add' && link.target_type !== kinds[kind].type;
				expect(form.get('target_type')).toBe(isFirst ? String(kinds[kind].type) : undefined);
				if (isFirst) link.target_type = kinds[kind].type;
				if (sent) link[`${kind}_target`] = sent.filter(({ value }) => value !== '') as never;
				const held = (link[`${kind}_target`] ?? []) as unknown as Rule[];
				const sorted = (list: Rule[]) => list.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
				expect(sorted(held)).toEqual(sorted([...model.values()]));
			}
		}),
		{ numRuns },
	);
	expect(written).toBeGreaterThan(numRuns / 2);
	expect(unchanged).toBeGreaterThan(numRuns / 10);
});
