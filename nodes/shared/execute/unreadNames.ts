import { isEncoded, type EncodedRow, type Problem } from '../contract/encodedRow';
import type { ResourceContract } from '../contract/resourceTypes';
import type { NameSource } from '../contract/types';
import type { Failure } from '../transport/serviceError';

/**
 * Returns why a list of names could not be read, if each problem of a row is a name of such a list.
 *
 * @param failures why lists could not be read
 */
export function unreadNamesOf(
	{ fields }: ResourceContract,
	encoded: EncodedRow | readonly Problem[],
	failures: ReadonlyMap<NameSource, Failure>,
): Failure | undefined {
	if (isEncoded(encoded)) return undefined;
	const failuresOfProblems = encoded.map(({ key, reason }) => {
		const source = fields.find(({ wire }) => wire.key === key)?.wire.nameSource;
		const failure = source && failures.get(source);
		return failure && reason.includes(failure.message) ? failure : undefined;
	});
	return failuresOfProblems.includes(undefined) ? undefined : failuresOfProblems[0];
}
