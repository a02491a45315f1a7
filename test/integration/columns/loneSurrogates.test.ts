import { linkContract } from '../../../nodes/Link/link.contract';
import { pixelContract } from '../../../nodes/Pixel/pixel.contract';
import { encodeRow } from '../../support/encodeRow.ts';
import type { OperationName } from '../../../nodes/shared/contract/types';
import type { ResourceContract } from '../../../nodes/shared/contract/resourceTypes';
import { isEncoded, paramsOf } from '../../../nodes/shared/contract/encodedRow';
import { scopeParams } from '../../../nodes/shared/contract/scope';
import { encodeOptions } from '../../support/encodeOptions.ts';

/** The first half of an emoji, which a form would turn into a question mark in a box. */
const half = '\ud83d';
const text = `spring-${half}`;
const address = `https://example.com/${half}`;

const url = 'https://example.com/';

/** All texts that a row with this value in one parameter would send; none if the row is refused. */
function sentBy(
	contract: ResourceContract,
	operation: OperationName,
	name: string,
	value: unknown,
) {
	const places = ['additionalFields', 'updateFields', 'filters', 'sorting', 'syncScope'];
	const parameters = {
		...{ url, alias: 'one', name: 'one', type: 'bing', value: 'v', linkId: 1, pixelId: 1 },
		[name]: value,
		...Object.fromEntries(places.map((place) => [place, { [name]: value }])),
	};
	const row = encodeRow({ contract, operation, options: encodeOptions }, parameters);
	if (!isEncoded(row)) return [];
	const params = [...paramsOf(row.fields), ...scopeParams(row.scope)];
	return [...params.flat(), row.id ?? '', row.reference?.search ?? ''];
}

describe('no field of any operation sends half a character', () => {
	const values = [
		text,
		address,
		[text],
		[address],
		`US=${address}`,
		{ [text]: text },
		{ US: address },
	];

	it.each([linkContract, pixelContract].map((contract) => [contract.value, contract] as const))(
		'of a %s',
		(_, contract) => {
			const names = [contract.id, ...contract.fields, ...contract.sync.scope];
			const sent = contract.operations.flatMap(({ value: operation }) =>
				names.flatMap(({ name }) =>
					values.flatMap((value) => sentBy(contract, operation, name, value)),
				),
			);
			expect(sent.length).toBeGreaterThan(0);
			expect(sent.filter((one) => !one.isWellFormed())).toEqual([]);
		},
	);
});
