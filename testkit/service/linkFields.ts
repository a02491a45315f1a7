import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import {
	address,
	all,
	atMost,
	day,
	identifier,
	oneOf,
	timeOfDay,
	wholeNumber,
	type Check,
} from './checks.ts';

/** Columns to write, by their names. */
export type Columns = Record<string, SQLInputValue>;

/**
 * A field of a link that is sent as one text. The checks, the table of links, the accepted names and the answers follow
 * from these entries.
 */
export interface LinkField {
	/** Is not called for an empty field. */
	check: Check;
	/** Whether an update may empty it (assumption: partial update). A create treats an empty field as absent. */
	clearable: boolean;
	/** The SQL type of the column with the name of the field; undefined if several fields share a column. */
	column?: string;
	/** Returns what to store; null for an empty field. By default, the text itself under the name of the field. */
	stores?: (value: string | null) => Columns;
	/** Returns what a read shows. By default, the stored value. */
	shows?: (stored: SQLOutputValue | undefined) => unknown;
	/** A create or an update answers with the text that was sent, a read with a number (assumption: sent numbers). */
	echoed?: boolean;
}

const number = (
	name: string,
	check: Check,
	column: string,
	clearable = false,
): Record<string, LinkField> => ({
	[name]: {
		...{ check, clearable, column, echoed: true },
		stores: (value) => ({ [name]: value === null ? null : Number(value) }),
	},
});

/** Stores only whether a secret is set: secrets never come back (assumption: one resource). */
const secret = (name: string): Record<string, LinkField> => ({
	[name]: {
		check: atMost(128),
		clearable: true,
		column: 'INTEGER NOT NULL DEFAULT 0',
		stores: (value) => ({ [name]: value === null ? 0 : 1 }),
		shows: (stored) => stored === 1,
	},
});

const numberFrom0 = 'INTEGER NOT NULL DEFAULT 0';

/** The fields of contract 2.1 that are neither ids nor lists, with the bounds of the assumption "link fields". */
export const linkFields: Readonly<Record<string, LinkField>> = {
	url: {
		check: address,
		clearable: false,
		column: 'TEXT NOT NULL',
		stores: (url) => ({ url, title: titleOf(url) }),
	},
	alias: { check: all(identifier, atMost(255)), clearable: false, column: 'TEXT NOT NULL' },
	...secret('password'),
	...number('disabled', oneOf(['0', '1']), numberFrom0),
	...number('privacy', oneOf(['0', '1', '2']), numberFrom0),
	...secret('privacy_password'),
	expiration_url: { check: address, clearable: true, column: 'TEXT' },
	// The two fields are stored together, in ends_at.
	expiration_date: { check: day, clearable: true },
	expiration_time: { check: timeOfDay, clearable: true },
	...number('expiration_clicks', wholeNumber(0, 999_999_999), 'INTEGER', true),
	// 3 is Language (assumption: target type 3).
	...number('target_type', oneOf(['0', '1', '2', '3', '4']), numberFrom0),
};

/** The fields that have a column of their own. */
const storedFields = Object.entries(linkFields).flatMap(([name, field]) =>
	field.column === undefined ? [] : [{ name, ...field, column: field.column }],
);

/** Returns the columns of these fields, as SQL. */
export const linkColumns = (): string =>
	storedFields.map(({ name, column }) => `${name} ${column},`).join(' ');

/** Returns the columns to write for a field that was sent. */
export const columnsOf = (name: string, { column, stores }: LinkField, value: string | null) =>
	stores?.(value) ?? (column === undefined ? {} : { [name]: value });

/** Returns these fields of a row, as a read shows them. */
export const shownFields = (row: Readonly<Record<string, SQLOutputValue>>) =>
	Object.fromEntries(
		storedFields.map(({ name, shows = (stored) => stored }) => [name, shows(row[name])]),
	);

/** Assumption: title. A service reads the page behind the address; this one stays off the network. */
function titleOf(url: string | null): string | null {
	return url !== null && URL.canParse(url) ? new URL(url).hostname : null;
}
