import { reasonText } from '../../../../nodes/shared/contract/values';
import { isEncoded } from '../../../../nodes/shared/contract/encodedRow';
import type {
	EncodeOptions,
	OperationName,
	Parameters,
} from '../../../../nodes/shared/contract/types';
import type { Row } from '../../../../nodes/shared/execute/outcome';
import { mergeDuplicates } from '../../../../nodes/shared/execute/readRows';
import { RowNumbers } from '../../../../nodes/shared/execute/sheet';
import { rowOf } from '../../../support/operationRun.ts';

const url = 'https://example.com/';

const mappedBy = (matchBy: string) => ({ takesColumns: true, matchBy });

/** What becomes of each row: `sent`, the earlier row that it repeats, or what is wrong with it. */
function marked(
	operation: OperationName,
	given: readonly Parameters[],
	options: Partial<EncodeOptions> = {},
) {
	const rows = given.map((parameters, index): Row => {
		const { alias, ...more } = parameters;
		const values = { url, ...(alias === undefined ? {} : { alias }), ...more };
		return { index, encoded: rowOf(operation, values, options) };
	});
	const items = rows.map(() => ({ json: {} }));
	const results: string[] = [];
	const merged = mergeDuplicates(rows, new RowNumbers(items, true));
	for (const { index, encoded, duplicates = [] } of merged) {
		results[index] = isEncoded(encoded)
			? 'sent'
			: encoded.map((problem) => `${problem.field} ${reasonText(problem)}`).join('; ');
		for (const duplicate of duplicates) results[duplicate] = `repeats ${index}`;
	}
	return results;
}

const other = { additionalFields: { disabled: true } };

const on = (domainId: number, more: object = {}) => ({ alias: 'a', domainId, ...more });

/** What is wrong with a row whose field has the value of the first row. */
const contradicts = (field: string) =>
	`${field} has the same value as item 1, but other fields differ; keep only one of the two`;

it.each<[what: string, rows: Parameters[], results: string[]]>([
	['the same', [{ alias: 'a' }, { alias: 'b' }, { alias: 'a' }], ['sent', 'sent', 'repeats 0']],
	['another case', [{ alias: 'a' }, { alias: 'A', ...other }], ['sent', 'sent']],
	['other domains', [on(1), on(2)], ['sent', 'sent']],
	['no domain, which may be any', [on(1), { alias: 'a' }], ['sent', contradicts('Alias')]],
])('Create or Update of rows with %s', (_what, rows, results) => {
	expect(marked('upsert', rows)).toEqual(results);
});

it.each<[matchBy: string, rows: Parameters[], results: string[]]>([
	['id', [{ linkId: 7 }, { linkId: '007' }], ['sent', 'repeats 0']],
	['id', [on(1, { linkId: 7 }), on(1, { linkId: 8 })], ['sent', 'sent']],
	['url', [{ url: 'https://EXAMPLE.com' }, other], ['sent', contradicts('Destination URL')]],
])('compares rows that are matched by %s', (matchBy, rows, results) => {
	expect(marked('upsert', rows, mappedBy(matchBy))).toEqual(results);
});

const update = (linkId: number, updateFields: object) => ({ linkId, updateFields });

const disabling = update(7, { disabled: true });

const pixels = (pixelIds: string, pixelMode: string) => update(7, { pixelIds, pixelMode });

const otherValues = contradicts('ID');

it.each<[what: string, rows: Parameters[], results: string[]]>([
	['the same values', [disabling, disabling], ['sent', 'repeats 0']],
	[
		'a value and none',
		[update(7, { password: 'a' }), { ...update(7, {}), clearFields: ['password'] }],
		['sent', otherValues],
	],
	['the same pixels to add', [pixels('1', 'add'), pixels('1', 'add')], ['sent', 'repeats 0']],
	['other pixels to add', [pixels('1', 'add'), pixels('2', 'add')], ['sent', otherValues]],
	['another Pixel Mode', [pixels('1', 'add'), pixels('1', 'remove')], ['sent', otherValues]],
])('compares rows of Update with %s', (_what, rows, results) => {
	expect(marked('update', rows, mappedBy('id'))).toEqual(results);
});

it.each<OperationName>(['update', 'disable', 'enable', 'delete', 'get'])(
	'executes every row of %s with a link from the form',
	(operation) => {
		for (const takesColumns of [false, true])
			expect(marked(operation, [disabling, disabling], { takesColumns })).toEqual(['sent', 'sent']);
	},
);
