import { columnName } from './columns';

/** Names of columns: to the letter if the input has such a column, or else as `columnName` compares them. */
export class ColumnNameSet {
	private readonly exact: ReadonlySet<string>;
	private readonly normalized: ReadonlyMap<string, string>;

	constructor(names: readonly string[], columns: ReadonlySet<string>) {
		this.exact = new Set(names);
		const unmatched = names.filter((name) => !columns.has(name) && columnName(name) !== '');
		this.normalized = new Map(unmatched.map((name) => [columnName(name), name]));
	}

	has(column: string): boolean {
		return this.exact.has(column) || this.normalized.has(columnName(column));
	}

	/** Returns the names that mean no column. */
	missingFrom(columns: ReadonlySet<string>): string[] {
		const normalized = new Set([...columns].map(columnName));
		return [...this.exact].filter(
			(name) => !columns.has(name) && !normalized.has(columnName(name)),
		);
	}
}
