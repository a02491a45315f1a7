import {
	columnName,
	type ColumnMap,
	type IgnoredColumn,
	type ColumnNamePair,
	type ColumnTarget,
} from './columns';
import { ColumnNameSet } from './columnNameSet';
import { columnTargets, overlap, type ColumnTargets } from './columnTargets';
import type { OperationName } from './types';
import type { ResourceContract } from './resourceTypes';

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
	readonly named?: readonly ColumnNamePair[];
	/** Returns whether an expression of the form uses a column. */
	readonly isInExpression?: (column: string) => boolean;
}

/** Returns what Column Names maps each column to: a column of exactly the name, or else all that are compared as the same. */
function namedTargets(
	pairs: readonly ColumnNamePair[],
	columns: ReadonlySet<string>,
): {
	readonly targets: ReadonlyMap<string, ColumnTarget>;
	readonly inVain: readonly ColumnNamePair[];
} {
	const exact = pairs.filter(({ column }) => columns.has(column));
	const targets = new Map(exact.map(({ column, target }) => [column, target]));
	const loose = new Map(
		pairs
			.filter(({ column }) => !columns.has(column) && columnName(column) !== '')
			.map((pair) => [columnName(pair.column), pair]),
	);
	const used = new Set(exact);
	for (const column of columns) {
		const pair = targets.has(column) ? undefined : loose.get(columnName(column));
		if (!pair) continue;
		targets.set(column, pair.target);
		used.add(pair);
	}
	return { targets, inVain: pairs.filter((pair) => !used.has(pair)) };
}

const isSecret = ({ property: { typeOptions } }: ColumnTarget) => Boolean(typeOptions?.password);

/** Returns the columns that fill the same: a field as a whole is the same as each of its inputs. */
function conflictsIn(
	entries: ReadonlyArray<readonly [string, ColumnTarget]>,
): ColumnMap['conflicts'] {
	const wholeTargets = new Map(
		entries.flatMap(([, target]) =>
			target.inputName === undefined ? [[target.property, target] as const] : [],
		),
	);
	const groups = new Map<ColumnTarget, string[]>();
	for (const [column, target] of entries) {
		const filled = wholeTargets.get(target.property) ?? target;
		const columns = groups.get(filled) ?? [];
		columns.push(column);
		groups.set(filled, columns);
	}
	return [...groups]
		.map(([target, columns]) => ({ target, columns }))
		.filter(({ columns }) => columns.length > 1);
}

/** What becomes of one column: it fills a target, or it is left for a reason. */
type ColumnUse =
	| { readonly target: ColumnTarget; readonly isRenamed?: true }
	| { readonly status: 'ignored' | 'unknown' | 'used'; readonly reason?: string }
	| { readonly status: 'secret'; readonly target: ColumnTarget };

/** Decides what becomes of each column. Column Names comes first, then exact names, and then synonyms. */
class ColumnMapper {
	readonly targets: ColumnTargets;
	readonly ignored: ColumnNameSet;
	readonly named: ReturnType<typeof namedTargets>;

	private readonly choice: ColumnChoice;
	private readonly used: ReadonlySet<string>;
	/** What Column Names fills, even if this input does not have the column. */
	private readonly filledByPairs: readonly ColumnTarget[];
	private readonly filledByNames: readonly ColumnTarget[];

	constructor(targets: ColumnTargets, columns: ReadonlySet<string>, choice: ColumnChoice) {
		const { ignored, used, named = [] } = choice;
		this.targets = targets;
		this.choice = choice;
		this.ignored = new ColumnNameSet(ignored, columns);
		this.used = new Set(used.map(columnName));
		this.named = namedTargets(named, columns);
		this.filledByPairs = named.map(({ target }) => target);
		const exact = [...columns].flatMap((column) => {
			const use = this.isFree(column) ? this.useByName(column) : undefined;
			return use && 'target' in use ? [use.target] : [];
		});
		this.filledByNames = [...new Set(exact)];
	}

	private isFree(column: string): boolean {
		const isUsed = this.used.has(columnName(column));
		return !this.named.targets.has(column) && !this.ignored.has(column) && !isUsed;
	}

	private useByName(column: string): ColumnUse | undefined {
		const target = this.targets.exact.get(columnName(column));
		if (!target) return undefined;
		if (this.filledByPairs.some((filled) => overlap(filled, target))) {
			return { status: 'ignored', reason: `Column Names fills ${target.displayName}` };
		}
		return isSecret(target) && !this.choice.mapPasswords
			? { status: 'secret', target }
			: { target };
	}

	private useBySynonym(column: string): ColumnUse | undefined {
		const target = this.targets.synonyms.get(columnName(column));
		if (!target) return undefined;
		if (this.choice.isInExpression?.(column)) {
			return { status: 'unknown', reason: 'an expression uses it' };
		}
		const filled = [...this.filledByPairs, ...this.filledByNames];
		return filled.some((other) => overlap(other, target))
			? { status: 'unknown', reason: `another column fills ${target.displayName}` }
			: { target, isRenamed: true };
	}

	private unknownUse(column: string): ColumnUse {
		const possible = this.targets.ambiguous.get(columnName(column)) ?? [];
		if (possible.length === 0 || this.choice.isInExpression?.(column)) return { status: 'unknown' };
		const names = possible.map(({ displayName }) => displayName);
		return { status: 'unknown', reason: `perhaps ${names.join(' or ')}` };
	}

	ignoredPairs(): ColumnNamePair[] {
		const mapped = [...this.named.targets].map(([column, target]) => ({ column, target }));
		return [...mapped, ...this.named.inVain].filter(({ column }) => this.ignored.has(column));
	}

	useOf(column: string): ColumnUse {
		const target = this.named.targets.get(column);
		if (target) return { target, isRenamed: true };
		if (this.used.has(columnName(column))) return { status: 'used' };
		if (this.ignored.has(column)) return { status: 'ignored' };
		const exact = this.useByName(column);
		// Only Match By reads an ID from a column, so that no column becomes one by accident.
		if (!exact && columnName(column) === 'id') return { status: 'ignored' };
		return exact ?? this.useBySynonym(column) ?? this.unknownUse(column);
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
	const mapping = new ColumnMapper(columnTargets(contract, operation, choice), columns, choice);
	const targets = new Map<string, ColumnTarget>();
	const renamed = new Set<string>();
	const ignored: IgnoredColumn[] = [];
	const unknown: string[] = [];
	const secret = new Map<string, ColumnTarget>();
	for (const column of columns) {
		const use = mapping.useOf(column);
		if (!('status' in use)) {
			targets.set(column, use.target);
			if (use.isRenamed) renamed.add(column);
		} else if (use.status !== 'used') {
			ignored.push({ column, reason: 'reason' in use ? use.reason : undefined });
			if (use.status === 'unknown') unknown.push(column);
			if (use.status === 'secret') secret.set(column, use.target);
		}
	}
	const fallbacks = [...targets].filter(([, { isFallback }]) => isFallback);
	const entries = [...targets].filter(([, { isFallback }]) => !isFallback);
	return {
		targets: new Map([...fallbacks, ...entries]),
		renamed,
		ignored: ignored,
		unknown,
		secret,
		conflicts: conflictsIn(entries),
		ignoredPairs: mapping.ignoredPairs(),
		unusedIgnored: mapping.ignored.missingFrom(columns),
		unusedNamed: mapping.named.inVain,
	};
}
