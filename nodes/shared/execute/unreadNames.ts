import { isEncoded } from '../contract/encodedRow';
import type { NameSource } from '../contract/types';
import type { ResourceContract } from '../contract/resourceTypes';
import type { Failure } from '../transport/serviceError';
import type { Row } from './readRows';

/**
 * Returns a row after the lists of names were read, with the reason if its names could not be.
 *
 * @param before the row as it was encoded without the names
 * @param failures why lists could not be read
 */
export function withUnreadNames(
	{ fields }: ResourceContract,
	before: Row,
	row: Row,
	failures: ReadonlyMap<NameSource, Failure>,
): Row {
	if (isEncoded(row.encoded) || !isEncoded(before.encoded)) return row;
	const found = row.encoded.map(({ key }) => {
		const source = fields.find(({ wire }) => wire.key === key)?.wire.nameSource;
		return source && failures.get(source);
	});
	return found.includes(undefined) ? row : { ...row, unreadNames: found[0] };
}
