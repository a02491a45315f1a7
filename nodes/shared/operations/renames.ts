import type { IDataObject } from 'n8n-workflow';
import { isSame } from '../contract/sameResource';
import { fieldsNamed, type EncodedRow } from '../contract/encodedRow';
import type { ListIndex } from './listIndex';

/** Rows that create what a resource was that goes, and the other way round. */
export interface Renames {
	readonly from: ReadonlyMap<EncodedRow, IDataObject>;
	readonly to: ReadonlyMap<IDataObject, EncodedRow>;
}

/**
 * Pairs rows that create with resources that go, where both have the same destination: perhaps the alias of a printed link
 * was edited in the sheet.
 */
export function pairRenames(
	rows: readonly EncodedRow[],
	known: ListIndex,
	removed: readonly IDataObject[],
): Renames {
	const from = new Map<EncodedRow, IDataObject>();
	const to = new Map<IDataObject, EncodedRow>();
	const by = rows[0]?.contract.reuse?.searchBy;
	if (by === undefined) return { from, to };
	const left = new Map(removed.map((resource) => [resource[by], resource]));
	for (const row of rows) {
		const destination = fieldsNamed(row, [by])[0]?.values[0]?.[1];
		const old = left.get(destination);
		if (!old || known.candidatesFor(row).some((resource) => isSame(row, resource))) continue;
		left.delete(destination);
		from.set(row, old);
		to.set(old, row);
	}
	return { from, to };
}
