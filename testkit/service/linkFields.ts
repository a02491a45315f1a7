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
import type { Columns } from './database.ts';

/** A field of a link that travels as one text. */
export interface LinkField {
	/** Not asked for an empty field. */
	check: Check;
	/** An update may empty it (assumption: partial update). A create takes an empty field for an absent one. */
	clearable: boolean;
	/** What to store; null for an empty field. The two expiry fields are stored together, not here. */
	columns?: (value: string | null) => Columns;
	/** A create or an update answers with the text that was sent, a read with a number (assumption: sent numbers). */
	echoed?: boolean;
}

function number(column: string, check: Check, clearable = false): LinkField {
	const columns = (value: string | null): Columns => ({
		[column]: value === null ? null : Number(value),
	});
	return { check, clearable, columns, echoed: true };
}

/** Only whether it is set is stored: secrets never come back (assumption: one resource). */
function secret(column: string): LinkField {
	const columns = (value: string | null): Columns => ({ [column]: value === null ? 0 : 1 });
	return { check: atMost(128), clearable: true, columns };
}

/** The fields of contract 2.1 that are neither ids nor lists, with the bounds of the assumption "link fields". */
export const linkFields: Record<string, LinkField> = {
	url: {
		check: address,
		clearable: false,
		columns: (url) => ({ url, title: titleOf(url) }),
	},
	alias: {
		check: all(identifier, atMost(255)),
		clearable: false,
		columns: (alias) => ({ alias }),
	},
	password: secret('password'),
	disabled: number('disabled', oneOf(['0', '1'])),
	privacy: number('privacy', oneOf(['0', '1', '2'])),
	privacy_password: secret('privacy_password'),
	expiration_url: {
		check: address,
		clearable: true,
		columns: (expiration_url) => ({ expiration_url }),
	},
	expiration_date: { check: day, clearable: true },
	expiration_time: { check: timeOfDay, clearable: true },
	expiration_clicks: number('expiration_clicks', wholeNumber(0, 999_999_999), true),
	/** 3 is Language (assumption: target type 3). */
	target_type: number('target_type', oneOf(['0', '1', '2', '3', '4'])),
};

/** Assumption: title. A service reads the page behind the address; this one stays off the network. */
function titleOf(url: string | null): string | null {
	return url !== null && URL.canParse(url) ? new URL(url).hostname : null;
}
