import { columnName } from './columns';

/** Values by column name. A name matches exactly if the input has such a column, and otherwise as `columnName` normalizes it. */
export class ColumnNameMap<T> {
	private readonly exact: ReadonlyMap<string, T>;
	private readonly normalized: ReadonlyMap<string, T>;

	constructor(
		entries: ReadonlyArray<readonly [name: string, value: T]>,
		columns: ReadonlySet<string>,
	) {
		const unmatched = entries.filter(([name]) => !columns.has(name) && columnName(name) !== '');
		this.exact = new Map(entries);
		this.normalized = new Map(unmatched.map(([name, value]) => [columnName(name), value]));
	}

	get(column: string): T | undefined {
		return this.exact.get(column) ?? this.normalized.get(columnName(column));
	}

	has(column: string): boolean {
		return this.get(column) !== undefined;
	}

	/** Returns the names that match no column. */
	missingFrom(columns: ReadonlySet<string>): string[] {
		const normalized = new Set([...columns].map(columnName));
		return [...this.exact.keys()].filter(
			(name) => !columns.has(name) && !normalized.has(columnName(name)),
		);
	}
}

/** Returns a map without values, which works as a set of column names. */
export const columnNameSet = (names: readonly string[], columns: ReadonlySet<string>) =>
	new ColumnNameMap(
		names.map((name) => [name, true]),
		columns,
	);
