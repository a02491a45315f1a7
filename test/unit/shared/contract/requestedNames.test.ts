import { linkContract } from '../../../../nodes/Link/link.contract';
import { domainNames, spaceNames } from '../../../../nodes/Link/link.locators';
import { pixelNames } from '../../../../nodes/Pixel/pixel.contract';
import { mergeNames, namesInRow } from '../../../../nodes/shared/contract/requestedNames';
import type { NameSource, OperationName } from '../../../../nodes/shared/contract/types';
import { encodeOptions } from '../../../support/encodeOptions.ts';

const labels = new Map<NameSource, string>([
	[domainNames, 'domains'],
	[spaceNames, 'spaces'],
	[pixelNames, 'pixels'],
]);

/** Returns the requested names of a row by resource. */
function namesOf(operation: OperationName, parameters: Record<string, unknown>) {
	const row = { contract: linkContract, operation, options: encodeOptions, parameters };
	const entries = [...namesInRow(row)].map(([source, names]) => [
		labels.get(source) ?? source.path,
		[...names],
	]);
	return Object.fromEntries(entries) as Record<string, string[]>;
}

it.each<
	[what: string, operation: OperationName, parameters: Record<string, unknown>, names: object]
>([
	['nothing', 'create', { domainId: '' }, {}],
	['IDs', 'create', { domainId: '1', additionalFields: { pixelIds: '3, 8' } }, {}],
	['an ID from the list', 'create', { domainId: { __rl: true, mode: 'list', value: 'x' } }, {}],
	[
		'names',
		'create',
		{ domainId: 'short.example', additionalFields: { spaceId: 'Spring', pixelIds: 'a; 3; b' } },
		{ domains: ['short.example'], spaces: ['Spring'], pixels: ['a', 'b'] },
	],
	['a field of another operation', 'get', { domainId: 'short.example' }, {}],
	['the scope of Sync', 'sync', { syncScope: { spaceId: 'Spring' } }, { spaces: ['Spring'] }],
	['the scope of another operation', 'create', { syncScope: { spaceId: 'Spring' } }, {}],
])('finds the names in %s', (_what, operation, parameters, names) => {
	expect(namesOf(operation, parameters)).toEqual(names);
});

it('merges the names of rows', () => {
	const merged = mergeNames([
		new Map([[spaceNames, new Set(['a'])]]),
		new Map([
			[spaceNames, new Set(['a', 'b'])],
			[pixelNames, new Set(['c'])],
		]),
	]);
	expect(merged).toEqual(
		new Map([
			[spaceNames, new Set(['a', 'b'])],
			[pixelNames, new Set(['c'])],
		]),
	);
});
