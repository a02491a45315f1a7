import { canonicalId } from '../../../../nodes/shared/contract/values';

it.each([
	['007', '7'],
	['0', '0'],
	['7F3A2C7E-0D7F-4B52-9C57-2F6A35A0A001', '7f3a2c7e-0d7f-4b52-9c57-2f6a35a0a001'],
	['V1StGXR8', 'V1StGXR8'],
	['spc_A', 'spc_A'],
])('normalizes the ID %s to %s', (id, canonical) => {
	expect(canonicalId(id)).toBe(canonical);
});
