import { draftRow, finishRow, type RowDraft } from '../../nodes/shared/contract/encode';
import type { EncodedRow } from '../../nodes/shared/contract/encodedRow';
import { rowRunOf, type RowRun } from '../../nodes/shared/contract/layout';
import type { EncodeOptions, Parameters, Problem } from '../../nodes/shared/contract/types';

/** How rows are read where a test varies nothing about it. */
export const encodeOptions: EncodeOptions = {
	timeZone: 'UTC',
	now: Date.parse('2026-01-01T00:00Z'),
	refusesPast: true,
	emptyValues: 'skip',
	resourceOptions: {},
};

/** Encodes a row, apart from the names in it. */
export const draftOf = (
	{ contract, operation, options }: Omit<RowRun, 'layout'>,
	parameters: Parameters,
): RowDraft => draftRow(rowRunOf(contract, operation, options), parameters);

/** Encodes a row whose values are IDs. Returns the encoded row, or all its problems. */
export function encodeRow(
	run: Omit<RowRun, 'layout'>,
	parameters: Parameters,
): EncodedRow | readonly Problem[] {
	const { row, problems } = finishRow(draftOf(run, parameters), (_, name) => name);
	return problems.length > 0 ? problems : row;
}
