import { linkContract } from '../../../../nodes/Link/link.contract';
import { domainNames } from '../../../../nodes/Link/link.locators';
import { pixelNames } from '../../../../nodes/Pixel/pixel.contract';
import {
	collectRowNames,
	draftRow,
	encodeRow,
	finishRow,
} from '../../../../nodes/shared/contract/encodeRow';
import type { FindName, RequestedNames } from '../../../../nodes/shared/contract/names';
import { reasonText } from '../../../../nodes/shared/contract/values';
import {
	Invalid,
	type Problem,
	type EncodeOptions,
	type OperationName,
	type Parameters,
} from '../../../../nodes/shared/contract/types';
import {
	fieldsNamed,
	fieldsToCreate,
	isEncoded,
	lockOf,
	paramsOf,
	searchTextOf,
	secretsOf,
	keyLockOf,
} from '../../../../nodes/shared/contract/encodedRow';
import { scopeText } from '../../../../nodes/shared/contract/scope';
import { encodeOptions } from '../../../support/encodeOptions.ts';
import { rowOf } from '../../../support/operationRun.ts';
import { told } from '../../../support/problems.ts';

const url = 'https://example.com/';

const texts = (problems: readonly Problem[]) =>
	problems.map((problem) => `${problem.field} ${reasonText(problem)}`);

/** The params of a row, or its problems. */
function encoded(
	operation: OperationName,
	parameters: Parameters,
	options: Partial<EncodeOptions> = {},
) {
	const row = encodeRow(
		{ contract: linkContract, operation, options: { ...encodeOptions, ...options } },
		parameters,
	);
	return isEncoded(row)
		? paramsOf(row.fields).map(([name, text]) => `${name}=${text}`)
		: texts(row);
}

const added = (additionalFields: object) => ({ url, additionalFields });

it.each<[operation: OperationName, parameters: Parameters, sent: string[]]>([
	['create', { url, alias: ' a ' }, [`url=${url}`, 'alias=a']],
	['create', added({ pixelIds: '3,8' }), [`url=${url}`, 'pixel_ids[]=3', 'pixel_ids[]=8']],
	['create', added({ disabled: false }), [`url=${url}`, 'disabled=0']],
	['update', { linkId: 7, updateFields: {}, clearFields: ['password'] }, ['password=']],
	['get', { linkId: 7 }, []],
	['getAll', { filters: { status: 2 }, sorting: { sort: 'asc' } }, ['sort=asc', 'status=2']],
	[
		'sync',
		{ ...added({}), alias: 'a', syncScope: { domainId: 1 } },
		[`url=${url}`, 'domain_id=1', 'alias=a'],
	],
	[
		'create',
		added({ country: { US: url } }),
		[`url=${url}`, 'country[0][key]=US', `country[0][value]=${url}`, 'target_type=1'],
	],
])('%s sends %j', (operation, parameters, sent) => {
	expect(encoded(operation, parameters)).toEqual(sent);
});

it.each<[operation: OperationName, parameters: Parameters, reasons: string[]]>([
	['create', {}, ['Destination URL is missing; enter a value']],
	[
		'upsert',
		{ url: 'a' },
		['Destination URL "a" must start with https://', 'Alias is missing; enter a value'],
	],
	['get', {}, ['Link is missing; choose from the list, or enter an ID']],
	['getAll', { limit: 0 }, ['Limit is less than 1; enter the max number of results']],
	[
		'create',
		added({ privacy: 2 }),
		[
			'Statistics Privacy needs Statistics Password; fill in Statistics Password, or leave this field out',
		],
	],
	['update', { linkId: 7 }, [expect.stringMatching(/^Update Fields contains no value/)]],
])('%s refuses %j with all reasons', (operation, parameters, reasons) => {
	expect(encoded(operation, parameters)).toEqual(reasons);
});

it('reports problems with contract keys, and marks problems of the run', () => {
	const row = encodeRow(
		{ contract: linkContract, operation: 'sync', options: encodeOptions },
		{ alias: 'a', syncScope: {} },
	);
	expect(told(row)).toEqual([
		expect.objectContaining({ field: 'Sync Scope', key: 'syncScope', isRunLevel: true }),
		{ field: 'Destination URL', key: 'url', reason: 'is missing; enter a value' },
	]);
});

it.each<[parameters: Parameters, limit: number]>([
	[{}, 50],
	[{ limit: 3 }, 3],
	[{ returnAll: true, limit: 3 }, Infinity],
])('reads the limit of %j', (parameters, limit) => {
	expect(rowOf('getAll', parameters).limit).toBe(limit);
	expect(rowOf('get', { linkId: 7, ...parameters }).limit).toBe(1);
});

it('leaves incomplete fields to the operation, unless it only creates', () => {
	const fields = { privacy: 2 };
	const row = rowOf('upsert', { ...added(fields), alias: 'a' });
	expect(texts(row.incompleteFields)).toEqual([expect.stringMatching(/^Statistics Privacy needs/)]);
	expect(rowOf('update', { linkId: 7, updateFields: fields }).incompleteFields).toEqual([]);
	const rowWithColumns = rowOf('upsert', { ...added(fields), alias: 'a' }, { takesColumns: true });
	expect(texts(rowWithColumns.incompleteFields)).toEqual([
		expect.stringMatching(/add Map Passwords under Options if a column has it, or leave/),
	]);
});

it.each<[pixelMode: string | undefined, mode: string | undefined, sent: string[]]>([
	['add', 'add', []],
	['remove', 'remove', []],
	['replace', undefined, ['pixel_ids[]=3']],
	[undefined, undefined, ['pixel_ids[]=3']],
])('changes a list by the mode %s', (pixelMode, mode, sent) => {
	const row = rowOf('update', { linkId: 7, updateFields: { pixelIds: [3], pixelMode } });
	expect(row.changes[0]?.mode).toBe(mode);
	expect(paramsOf(row.fields).map(([name, text]) => `${name}=${text}`)).toEqual(sent);
});

it('clears a list whatever its mode', () => {
	const parameters = { linkId: 7, updateFields: { pixelMode: 'add' }, clearFields: ['pixelIds'] };
	const row = rowOf('update', parameters);
	expect(row.changes).toEqual([]);
	expect(paramsOf(row.fields)).toEqual([['pixel_ids[]', '']]);
});

it('enables the rows of a Sync that disables unmatched links', () => {
	const parameters = { ...added({}), alias: 'a', syncScope: { domainId: 1 } };
	expect(encoded('sync', parameters, { unmatchedAction: 'disable' })).toContain('disabled=0');
	const off = { ...parameters, additionalFields: { disabled: true } };
	expect(encoded('sync', off, { unmatchedAction: 'disable' })).toContain('disabled=1');
	expect(encoded('sync', parameters, { unmatchedAction: 'keep' })).not.toContain('disabled=0');
});

it('knows whether the key of a row is random', () => {
	const options = { resourceOptions: { generateAlias: '8' } };
	expect(rowOf('create', { url }, options).isKeyRandom).toBe(true);
	expect(rowOf('create', { url, alias: 'a' }, options).isKeyRandom).toBe(false);
});

it('turns an exception into a reason', () => {
	const contract = {
		...linkContract,
		fields: linkContract.fields.map((field) => ({
			...field,
			wire: {
				...field.wire,
				codec: () => {
					throw new RangeError('no such date');
				},
			},
		})),
	};
	const row = encodeRow({ contract, operation: 'create', options: encodeOptions }, { url });
	expect(isEncoded(row) ? [] : texts(row)).toEqual([
		'Destination URL contains a value that cannot be read (no such date); enter another value',
	]);
});

it('reads the scope of a row with other problems', () => {
	const run = { contract: linkContract, operation: 'sync', options: encodeOptions } as const;
	const scope = { domainId: 1, aliasStartsWith: 'a' };
	const { row, problems } = finishRow(draftRow(run, { syncScope: scope }));
	expect(scopeText(row.scope)).toBe('Alias Starts With a, Domain 1');
	expect(problems.map(({ isRunLevel }) => isRunLevel)).not.toContain(true);
});

describe('names', () => {
	const run = { contract: linkContract, operation: 'sync', options: encodeOptions } as const;
	const parameters = {
		...{ url, alias: 'a', syncScope: { domainId: 'Short.Example' } },
		additionalFields: { domainId: 'short.example', pixelIds: 'Shop, 7, Blog', spaceId: '9' },
	};
	const draft = draftRow(run, parameters);

	it('are collected by list, from fields and the scope', () => {
		const requested: RequestedNames = new Map();
		expect(collectRowNames(draft.row, requested)).toBe(true);
		expect(requested).toEqual(
			new Map([
				[domainNames, new Set(['short.example', 'Short.Example'])],
				[pixelNames, new Set(['Shop', 'Blog'])],
			]),
		);
		const others: RequestedNames = new Map();
		expect(collectRowNames(rowOf('create', { url, domainId: '1' }), others)).toBe(false);
		expect(others.size).toBe(0);
	});

	it('become IDs, each once', () => {
		const ids: Record<string, string> = { Shop: '7', Blog: '08' };
		const { row, problems } = finishRow(draft, (_source, name) => ids[name] ?? '1');
		expect(problems).toEqual([]);
		const sent = paramsOf(row.fields).map(([name, text]) => `${name}=${text}`);
		expect(sent).toEqual(
			expect.arrayContaining(['domain_id=1', 'pixel_ids[]=7', 'pixel_ids[]=8', 'space_id=9']),
		);
		expect(sent.filter((param) => param.startsWith('pixel'))).toHaveLength(2);
		expect(scopeText(row.scope)).toBe('Domain 1');
	});

	it('that are unknown are problems of their fields, and of the run if the scope has them', () => {
		const refuse: FindName = () => new Invalid([{ what: 'is unknown' }]);
		expect(told(finishRow(draft, refuse).problems)).toEqual([
			{ field: 'Domain', key: 'domain_id', reason: 'is unknown' },
			{ field: 'Pixels', key: 'pixel_ids', reason: 'is unknown' },
			{ field: 'Domain', key: 'domainId', reason: 'is unknown', isRunLevel: true },
		]);
	});

	it('of a row are compared with the scope as IDs', () => {
		const find: FindName = (_source, name) => (name === 'short.example' ? '1' : '2');
		expect(told(finishRow(draft, find).problems)).toEqual([
			expect.objectContaining({ reason: expect.stringContaining('is outside the Sync Scope') }),
		]);
	});
});

const upsert = (more: Parameters, options: Partial<EncodeOptions> = {}) =>
	rowOf('upsert', { ...added({}), ...more }, options);

it.each<[matchBy: string, more: Parameters, lock: string | undefined]>([
	['alias', { alias: 'a' }, undefined],
	['id', { linkId: 7 }, '/links/7'],
	['id', { linkId: { mode: 'url', value: 'short.example/A' } }, '/links?a'],
	['id', { linkId: { mode: 'alias', value: 'A' } }, '/links?a'],
	['url', {}, `/links?url=${url}`],
])('locks the resource of a row matched by %s', (matchBy, more, lock) => {
	expect(lockOf(upsert(more, { matchBy, takesColumns: true }))).toBe(lock);
});

it('returns the search text and the secrets of a row', () => {
	const row = upsert({ alias: 'Ab', additionalFields: { password: 'x' } });
	expect(searchTextOf(row)).toBe('Ab');
	expect(keyLockOf(row)).toBe('/links?ab');
	expect(keyLockOf(rowOf('create', added({})))).toBeUndefined();
	expect(secretsOf(row)).toEqual(['x']);
	expect(fieldsNamed(row, ['alias', 'none']).map(({ field }) => field.name)).toEqual(['alias']);
	const cleared = upsert(
		{ alias: 'a', additionalFields: { password: '' } },
		{ emptyValues: 'clear' },
	);
	expect(secretsOf(cleared)).toEqual([]);
	expect(cleared.fields).toHaveLength(3);
	expect(fieldsToCreate(cleared)).toHaveLength(2);
});
