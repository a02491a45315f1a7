import type { SQLInputValue } from 'node:sqlite';

/** Columns to write, by their names. */
export type Columns = Record<string, SQLInputValue>;
