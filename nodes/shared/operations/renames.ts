import type { IDataObject } from 'n8n-workflow';
import { isSame } from '../contract/sameResource';
import { fieldsNamed, type EncodedRow } from '../contract/encodedRow';
import type { ListIndex } from './listIndex';

/** Rows that create a resource, paired with resources that are removed. */
export interface Renames {
	readonly from: ReadonlyMap<EncodedRow, IDataObject>;
	readonly to: ReadonlyMap<IDataObject, EncodedRow>;
}

/**
 * Pairs rows that create a resource with removed resources that have the same destination. The user may have edited the alias
 * of a printed link in the sheet.
 */
export function pairRenames(
	rows: readonly EncodedRow[],
	index: ListIndex,
	removed: readonly IDataObject[],
): Renames {
	const from = new Map<EncodedRow, IDataObject>();
	const to = new Map<IDataObject, EncodedRow>();
	const searchBy = rows[0]?.contract.reuse?.searchBy;
	if (searchBy === undefined) return { from, to };
	const unpaired = new Map(removed.map((resource) => [resource[searchBy], resource]));
	for (const row of rows) {
		const destination = fieldsNamed(row, [searchBy])[0]?.values[0]?.[1];
		const old = unpaired.get(destination);
		if (!old || index.candidatesFor(row).some((resource) => isSame(row, resource))) continue;
		unpaired.delete(destination);
		from.set(row, old);
		to.set(old, row);
	}
	return { from, to };
}
