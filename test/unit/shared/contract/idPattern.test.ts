import { canonicalId, IdPattern } from '../../../../nodes/shared/contract/idPattern';

const uuids = ['7f3a2c7e-0d7f-4b52-9c57-2f6a35a0a001', '9B5A2C7E-0D7F-4B52-9C57-2F6A35A0A002'];
const otherUuid = '11111111-2222-4333-8444-555555555555';
const slugs = ['summer-campaign-2072', 'Suport', 'spring_visitors', 'Support, 2nd level', ''];

describe('the pattern of IDs', () => {
	it.each<[string, unknown[], string[], string[]]>([
		['numbers', [1, 2, '42'], ['7', '123456789'], [...slugs, otherUuid, '4.5', '-1']],
		['UUIDs', uuids, ['7', otherUuid], [...slugs, otherUuid.slice(1)]],
		['no IDs', [], ['7', otherUuid], slugs],
		[
			'IDs with a prefix',
			['spc_8f3k2j', 'spc_a91mz0'],
			['7', 'spc_zz9k2x'],
			[...slugs, 'pxl_zz9k2x', 'spc_zz9k2', 'spc_zz9k2x9', 'spc-zz9k2x', 'spc_ABC123'],
		],
		[
			'IDs without separators',
			['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01BX5ZZKBKACTAV9WEVGEMMVRZ'],
			['7', '01CY6AALCLBDUBW0XFWHFNNWSA'],
			[...slugs, 'SUMMERCAMPAIGNSUMMERCAMPAI', '01CY6AALCLBDUBW0XFWHFNNWS', otherUuid],
		],
		[
			'IDs of any characters',
			['V1StGXR8_Z5jdHi6B-myT', 'IRFa-VaY2b9_zZ8Qk1sLp'],
			['7', 'Uakgb_J5m9g-0JDMbcJqL'],
			[...slugs, 'Uakgb.J5m9g-0JDMbcJqL'],
		],
		['numbers and UUIDs', [1, ...uuids], ['7', otherUuid], slugs],
		['IDs that cannot be read', [null, undefined, {}], ['7', otherUuid], slugs],
	])('is that of %s', (_, shown, ids, names) => {
		const form = new IdPattern(shown);
		expect(ids.filter((text) => !form.matches(text))).toEqual([]);
		expect(names.filter((text) => form.matches(text))).toEqual([]);
	});
});

it.each([
	['007', '7'],
	['0', '0'],
	['7F3A2C7E-0D7F-4B52-9C57-2F6A35A0A001', '7f3a2c7e-0d7f-4b52-9c57-2f6a35a0a001'],
	['V1StGXR8', 'V1StGXR8'],
	['spc_A', 'spc_A'],
])('normalizes the ID %s to %s', (id, canonical) => {
	expect(canonicalId(id)).toBe(canonical);
});
