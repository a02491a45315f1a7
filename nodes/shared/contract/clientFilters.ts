import type { EncodedFilter } from './clientFilterTypes';
import type { EncodeContext } from './encodeContext';
import { isList } from './operations';
import { Invalid, type Parameters } from './types';
import { isEmpty } from './values';

/** Returns the client filters that a row sets. Reports invalid values. */
export function encodeFilters(context: EncodeContext, added: Parameters): EncodedFilter[] {
	const { contract, operation, options, report, guard } = context;
	if (!isList(operation)) return [];
	return (contract.clientFilters ?? []).flatMap((property) => {
		const value = added[property.name];
		if (isEmpty(value, property)) return [];
		const test = guard(() => property.filter.read(value, property, options));
		if (!(test instanceof Invalid)) return { property, value, ...test };
		report(property, test.reasons);
		return [];
	});
}
