import {
	columnName,
	type ColumnMap,
	type IgnoredColumn,
	type ColumnNamePair,
	type ColumnTarget,
} from './columns';
import { ColumnNameMap, columnNameSet } from './columnNameMap';
import { columnTargets, overlap, type ColumnTargets } from './columnTargets';
import type { OperationName } from './types';
import type { ResourceContract } from './resourceTypes';
import { isSecret } from './values';

/** The settings that affect which columns are used. */
export interface ColumnChoice {
	/** Names in Inputs to Ignore. */
	readonly ignored: readonly string[];
	/** Names of columns that other settings use. */
	readonly used: readonly string[];
	/** Value of Match By, as in `EncodeOptions`. */
	readonly matchBy?: string;
	/** Whether columns may fill passwords. */
	readonly mapPasswords: boolean;
	/** The pairs of Column Names. */
	readonly named?: readonly ColumnNamePair[];
	/** Returns whether an expression in the form uses a column. */
	readonly isInExpression?: (column: string) => boolean;
}

/** Returns the columns that fill the same target. A whole field is the same target as each of its inputs. */
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

/** The use of a column: its target, or the reason why it is not used. */
type ColumnUse =
	| { readonly target: ColumnTarget; readonly isRenamed?: true }
	| {
			readonly status: 'ignored' | 'unknown' | 'used';
			readonly reason?: string;
			readonly mode?: string;
	  }
	| { readonly status: 'secret'; readonly target: ColumnTarget };

/** Decides how each column is used. Column Names takes precedence over exact names, and exact names over synonyms. */
class ColumnMapper {
	readonly ignored: ColumnNameMap<boolean>;
	readonly pairs: ColumnNameMap<ColumnNamePair>;

	private readonly targets: ColumnTargets;
	private readonly choice: ColumnChoice;
	private readonly used: ReadonlySet<string>;
	/** The targets of Column Names, including those whose column this input does not have. */
	private readonly filledByPairs: readonly ColumnTarget[];
	private readonly filledByNames: readonly ColumnTarget[];

	constructor(targets: ColumnTargets, columns: ReadonlySet<string>, choice: ColumnChoice) {
		const { ignored, used, named = [] } = choice;
		const pairEntries = named.map((pair) => [pair.column, pair] as const);
		this.targets = targets;
		this.choice = choice;
		this.ignored = columnNameSet(ignored, columns);
		this.pairs = new ColumnNameMap(pairEntries, columns);
		this.used = new Set(used.map(columnName));
		this.filledByPairs = named.map(({ target }) => target);
		const exact = [...columns].flatMap((column) => {
			const use = this.useBySetting(column) ?? this.useByName(column);
			return use && 'target' in use ? [use.target] : [];
		});
		this.filledByNames = [...new Set(exact)];
	}

	private useBySetting(column: string): ColumnUse | undefined {
		const pair = this.pairs.get(column);
		if (pair) return { target: pair.target, isRenamed: true };
		if (this.used.has(columnName(column))) return { status: 'used' };
		return this.ignored.has(column) ? { status: 'ignored' } : undefined;
	}

	private useByName(column: string): ColumnUse | undefined {
		const target = this.targets.exact.get(columnName(column));
		if (!target) return undefined;
		if (this.filledByPairs.some((filled) => overlap(filled, target))) {
			return { status: 'ignored', reason: `Column Names fills ${target.displayName}` };
		}
		return isSecret(target.property) && !this.choice.mapPasswords
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
		const mode = this.targets.modes.get(columnName(column));
		if (mode !== undefined && !this.choice.isInExpression?.(column)) {
			return { status: 'unknown', reason: `set ${mode} in the form`, mode };
		}
		const possible = this.targets.ambiguous.get(columnName(column)) ?? [];
		if (possible.length === 0 || this.choice.isInExpression?.(column)) return { status: 'unknown' };
		const names = possible.map(({ displayName }) => displayName);
		return { status: 'unknown', reason: `perhaps ${names.join(' or ')}` };
	}

	useOf(column: string): ColumnUse {
		const bySetting = this.useBySetting(column);
		if (bySetting) return bySetting;
		const exact = this.useByName(column);
		// Only Match By reads an ID from a column, so that no column is used as an ID by accident.
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
	const mapper = new ColumnMapper(columnTargets(contract, operation, choice), columns, choice);
	const targets = new Map<string, ColumnTarget>();
	const renamed = new Set<string>();
	const ignored: IgnoredColumn[] = [];
	const unknown: string[] = [];
	const secret = new Map<string, ColumnTarget>();
	const modes = new Map<string, string>();
	for (const column of columns) {
		const use = mapper.useOf(column);
		if (!('status' in use)) {
			targets.set(column, use.target);
			if (use.isRenamed) renamed.add(column);
		} else if (use.status !== 'used') {
			ignored.push({ column, reason: 'reason' in use ? use.reason : undefined });
			if (use.status === 'unknown') unknown.push(column);
			if (use.status === 'secret') secret.set(column, use.target);
			if ('mode' in use && use.mode !== undefined) modes.set(column, use.mode);
		}
	}
	const mapped = [...columns].flatMap((column) => {
		const pair = mapper.pairs.get(column);
		return pair ? [{ ...pair, column }] : [];
	});
	const used = new Set([...columns].map((column) => mapper.pairs.get(column)));
	const unusedNamed = (choice.named ?? []).filter((pair) => !used.has(pair));
	const fallbacks = [...targets].filter(([, { isFallback }]) => isFallback);
	const entries = [...targets].filter(([, { isFallback }]) => !isFallback);
	return {
		targets: new Map([...fallbacks, ...entries]),
		renamed,
		ignored,
		unknown,
		secret,
		modes,
		conflicts: conflictsIn(entries),
		ignoredPairs: [...mapped, ...unusedNamed].filter(({ column }) => mapper.ignored.has(column)),
		unusedIgnored: mapper.ignored.missingFrom(columns),
		unusedNamed,
	};
}
