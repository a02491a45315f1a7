import {
	columnName,
	type ColumnMap,
	type LeftColumn,
	type NamedColumn,
	type Target,
} from './columns';
import { HeadingList } from './headingList';
import { columnTargets, overlap, type ColumnTargets } from './columnTargets';
import type { OperationName, ResourceContract } from './types';

/** Which columns the settings take or leave out. */
export interface ColumnChoice {
	/** Names in Inputs to Ignore. */
	readonly ignored: readonly string[];
	/** Names of the columns that are used otherwise. */
	readonly used: readonly string[];
	/** Value of the choice of Match By, as `EncodeOptions` has it. */
	readonly matchBy?: string;
	/** Whether secrets are taken. */
	readonly mapPasswords: boolean;
	/** The pairs of Column Names. */
	readonly named?: readonly NamedColumn[];
	/** Returns whether an expression of the form uses a column. */
	readonly isInExpression?: (column: string) => boolean;
}

/** Returns what Column Names maps each column to: a column of exactly the name, or else all that are compared as the same. */
function namedTargets(
	pairs: readonly NamedColumn[],
	columns: ReadonlySet<string>,
): { readonly targets: ReadonlyMap<string, Target>; readonly inVain: readonly NamedColumn[] } {
	const exact = pairs.filter(({ column }) => columns.has(column));
	const targets = new Map(exact.map(({ column, target }) => [column, target]));
	const loose = new Map(
		pairs
			.filter(({ column }) => !columns.has(column) && columnName(column) !== '')
			.map((pair) => [columnName(pair.column), pair]),
	);
	const found = new Set(exact);
	for (const column of columns) {
		const pair = targets.has(column) ? undefined : loose.get(columnName(column));
		if (!pair) continue;
		targets.set(column, pair.target);
		found.add(pair);
	}
	return { targets, inVain: pairs.filter((pair) => !found.has(pair)) };
}

const isSecret = ({ property: { typeOptions } }: Target) => Boolean(typeOptions?.password);

/** Returns the columns that fill the same: a field as a whole is the same as each of its inputs. */
function conflictsIn(entries: ReadonlyArray<readonly [string, Target]>): ColumnMap['conflicts'] {
	const wholes = new Map(
		entries.flatMap(([, target]) =>
			target.part === undefined ? [[target.property, target] as const] : [],
		),
	);
	const groups = new Map<Target, string[]>();
	for (const [column, target] of entries) {
		const filled = wholes.get(target.property) ?? target;
		const columns = groups.get(filled) ?? [];
		columns.push(column);
		groups.set(filled, columns);
	}
	return [...groups]
		.map(([target, columns]) => ({ target, columns }))
		.filter(({ columns }) => columns.length > 1);
}

/** What becomes of one column: it fills a target, or it is left for a reason. */
type Fate =
	| { readonly target: Target; readonly isRenamed?: true }
	| { readonly left: 'ignored' | 'unknown' | 'used'; readonly remark?: string }
	| { readonly left: 'secret'; readonly target: Target };

/** Decides what becomes of each column. Column Names comes first, then exact names, and then synonyms. */
class Mapping {
	readonly targets: ColumnTargets;
	readonly ignored: HeadingList;
	readonly named: ReturnType<typeof namedTargets>;

	private readonly choice: ColumnChoice;
	private readonly used: ReadonlySet<string>;
	/** What Column Names fills, even if this input does not have the column. */
	private readonly filledByPairs: readonly Target[];
	private readonly filledByNames: readonly Target[];

	constructor(targets: ColumnTargets, columns: ReadonlySet<string>, choice: ColumnChoice) {
		const { ignored, used, named = [] } = choice;
		this.targets = targets;
		this.choice = choice;
		this.ignored = new HeadingList(ignored, columns);
		this.used = new Set(used.map(columnName));
		this.named = namedTargets(named, columns);
		this.filledByPairs = named.map(({ target }) => target);
		const exact = [...columns].flatMap((column) => {
			const fate = this.isFree(column) ? this.exactFate(column) : undefined;
			return fate && 'target' in fate ? [fate.target] : [];
		});
		this.filledByNames = [...new Set(exact)];
	}

	private isFree(column: string): boolean {
		const isUsed = this.used.has(columnName(column));
		return !this.named.targets.has(column) && !this.ignored.has(column) && !isUsed;
	}

	private exactFate(column: string): Fate | undefined {
		const target = this.targets.exact.get(columnName(column));
		if (!target) return undefined;
		if (this.filledByPairs.some((filled) => overlap(filled, target))) {
			return { left: 'ignored', remark: `Column Names fills ${target.displayName}` };
		}
		return isSecret(target) && !this.choice.mapPasswords ? { left: 'secret', target } : { target };
	}

	private synonymFate(column: string): Fate | undefined {
		const target = this.targets.synonyms.get(columnName(column));
		if (!target) return undefined;
		if (this.choice.isInExpression?.(column)) {
			return { left: 'unknown', remark: 'an expression uses it' };
		}
		const filled = [...this.filledByPairs, ...this.filledByNames];
		return filled.some((one) => overlap(one, target))
			? { left: 'unknown', remark: `another column fills ${target.displayName}` }
			: { target, isRenamed: true };
	}

	private unknownFate(column: string): Fate {
		const possible = this.targets.possible.get(columnName(column)) ?? [];
		if (possible.length === 0 || this.choice.isInExpression?.(column)) return { left: 'unknown' };
		const names = possible.map(({ displayName }) => displayName);
		return { left: 'unknown', remark: `perhaps ${names.join(' or ')}` };
	}

	ignoredPairs(): NamedColumn[] {
		const mapped = [...this.named.targets].map(([column, target]) => ({ column, target }));
		return [...mapped, ...this.named.inVain].filter(({ column }) => this.ignored.has(column));
	}

	fateOf(column: string): Fate {
		const target = this.named.targets.get(column);
		if (target) return { target, isRenamed: true };
		if (this.used.has(columnName(column))) return { left: 'used' };
		if (this.ignored.has(column)) return { left: 'ignored' };
		const exact = this.exactFate(column);
		// Only Match By reads an ID from a column, so that no column becomes one by accident.
		if (!exact && columnName(column) === 'id') return { left: 'ignored' };
		return exact ?? this.synonymFate(column) ?? this.unknownFate(column);
	}
}

/** Returns which columns fill which fields. */
export function mapColumns(
	contract: ResourceContract,
	operation: OperationName,
	headings: Iterable<string>,
	choice: ColumnChoice,
): ColumnMap {
	const columns = new Set(headings);
	const mapping = new Mapping(columnTargets(contract, operation, choice), columns, choice);
	const taken = new Map<string, Target>();
	const renamed = new Set<string>();
	const left: LeftColumn[] = [];
	const unknown: string[] = [];
	const secret = new Map<string, Target>();
	for (const column of columns) {
		const fate = mapping.fateOf(column);
		if (!('left' in fate)) {
			taken.set(column, fate.target);
			if (fate.isRenamed) renamed.add(column);
		} else if (fate.left !== 'used') {
			left.push({ column, remark: 'remark' in fate ? fate.remark : undefined });
			if (fate.left === 'unknown') unknown.push(column);
			if (fate.left === 'secret') secret.set(column, fate.target);
		}
	}
	const spares = [...taken].filter(([, { isSpare }]) => isSpare);
	const entries = [...taken].filter(([, { isSpare }]) => !isSpare);
	return {
		taken: new Map([...spares, ...entries]),
		renamed,
		left,
		unknown,
		secret,
		conflicts: conflictsIn(entries),
		ignoredPairs: mapping.ignoredPairs(),
		ignoredInVain: mapping.ignored.without(columns),
		namedInVain: mapping.named.inVain,
	};
}
