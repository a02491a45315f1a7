import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import {
	address,
	all,
	atMost,
	day,
	fits,
	identifier,
	oneOf,
	timeOfDay,
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
	clearable?: boolean;
	/** The SQL type of the column with the name of the field; undefined if several fields share a column. */
	column?: string;
	/**
	 * A number is stored as such: a create or an update answers with the text that was sent, a read with the number
	 * (assumption: sent numbers). Of a secret, the service stores whether it is set, because secrets never come back
	 * (assumption: one resource). Any other field is a text.
	 */
	type?: 'number' | 'secret';
}

const flag = 'INTEGER NOT NULL DEFAULT 0';

const secret: LinkField = { check: atMost(128), clearable: true, column: flag, type: 'secret' };

/** The fields of contract 2.1 that are neither ids nor lists, with the bounds of the assumption "link fields". */
export const linkFields: Readonly<Record<string, LinkField>> = {
	url: { check: address, column: 'TEXT NOT NULL' },
	alias: { check: all(identifier, atMost(255)), column: 'TEXT NOT NULL' },
	password: secret,
	disabled: { check: oneOf(['0', '1']), column: flag, type: 'number' },
	privacy: { check: oneOf(['0', '1', '2']), column: flag, type: 'number' },
	privacy_password: secret,
	expiration_url: { check: address, clearable: true, column: 'TEXT' },
	// The two fields are stored together, in ends_at.
	expiration_date: { check: day, clearable: true },
	expiration_time: { check: timeOfDay, clearable: true },
	expiration_clicks: {
		check: fits(/^\d{1,9}$/, 'must be a whole number between 0 and 999999999'),
		...{ clearable: true, column: 'INTEGER', type: 'number' },
	},
	// 3 is Language (assumption: target type 3).
	target_type: { check: oneOf(['0', '1', '2', '3', '4']), column: flag, type: 'number' },
};

/** The fields that have a column of their own. */
const storedFields = Object.entries(linkFields).filter(([, { column }]) => column !== undefined);

/** Returns the columns of these fields, as SQL. */
export const linkColumns = (): string =>
	storedFields.map(([name, { column }]) => `${name} ${column},`).join(' ');

/** Returns what to store for these fields of a form. */
export function columnsOf(form: Readonly<Record<string, unknown>>): Columns {
	const columns: Columns = {};
	for (const [name, { type }] of storedFields) {
		if (!(name in form)) continue;
		const value = typeof form[name] === 'string' ? form[name] : null;
		if (type === 'secret') columns[name] = value === null ? 0 : 1;
		else columns[name] = type === 'number' && value !== null ? Number(value) : value;
	}
	return columns;
}

/** Returns these fields of a row, as a read shows them. */
export const shownFields = (row: Readonly<Record<string, SQLOutputValue>>) =>
	Object.fromEntries(
		storedFields.map(([name, { type }]) => [name, type === 'secret' ? row[name] === 1 : row[name]]),
	);
