import { clearables } from './clearing';
import type { Row } from './reading';
import type { Aid, Field, Parameters } from './types';
import { isEmpty, isUnset } from './values';

/** The fields and aids that were added and hold nothing. An aid that gives no field of its own stands for none. */
function emptyOnes({ contract }: Row, added: Parameters): Array<Aid | Field> {
	const aids = (contract.aids ?? []).filter(({ aid }) => aid.gives.length > 0);
	return [...contract.fields, ...aids].filter(
		(property) => Object.hasOwn(added, property.name) && isEmpty(added[property.name], property),
	);
}

/** Whether nothing is to be added to a list or removed from it, so that all of it stays. */
function keepsAll(property: Aid | Field, added: Parameters): boolean {
	const merge = 'wire' in property ? property.wire.merge : undefined;
	const mode = merge && added[merge.name];
	return !isUnset(mode) && mode !== merge?.default;
}

/** The names of the fields that empty values stand for clearing, where they are meant so. */
export function clearedByEmptiness(row: Row, added: Parameters): readonly string[] {
	const { contract, operation, reading, report } = row;
	if (reading.emptyValues === 'skip') return [];
	const ones = emptyOnes(row, added);
	if (reading.emptyValues === 'fail') {
		for (const property of ones) {
			report(property, ['is empty; fill it in, or change Empty Values under Options']);
		}
		return [];
	}
	const known = clearables(contract, operation.value);
	return ones
		.filter((property) => !keepsAll(property, added))
		.flatMap((property) => {
			const clearable = known.find(({ name }) => name === property.name);
			const clears = 'aid' in property ? property.aid.clears?.(added) : undefined;
			const fields = clears ?? clearable?.fields ?? [];
			if (fields.length === 0) {
				report(property, [
					'is empty, and the service cannot clear it; fill it in, or leave it out',
				]);
			}
			return fields;
		});
}
