import { type EncodedRow, fieldsNamed } from '../contract/encodedRow';
import type { ResourceContract } from '../contract/resourceTypes';
import { canonicalId } from '../contract/values';

/** Returns the key of the lock for an ID, which is the same for all spellings that services accept, such as 7 and 07. */
export const idLock = ({ path }: Pick<ResourceContract, 'path'>, id: string): string =>
	`${path}/${canonicalId(id)}`;

/**
 * Returns the keys of the locks for the texts that find a row's resource or that the row writes: its alias or name, and the
 * text of Match By.
 */
export function textLocksOf(row: EncodedRow): string[] {
	const { contract, match, reference } = row;
	const { searchBy } = contract.key;
	const texts = fieldsNamed(row, [searchBy, match.fields?.searchBy ?? searchBy]).map(
		({ field, values }) => [field.wire.key, values[0]?.[1] ?? ''] as const,
	);
	const all = reference ? [[searchBy, reference.search] as const, ...texts] : texts;
	return all.map(([key, text]) => `${contract.path}?${key}=${text.toLowerCase()}`);
}
