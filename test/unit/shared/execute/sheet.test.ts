import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { readSheet, skippedNotes, allItems } from '../../../../nodes/shared/execute/sheet';
import { executionLike } from '../../../support/execution.ts';

type Cells = IDataObject[];

const mapped = { operation: 'upsert', mappingColumnMode: 'autoMapInputData' };

const sheetOf = (items: Cells, parameters: object = {}) =>
	readSheet(executionLike({ items, parameters: { ...mapped, ...parameters } }), linkContract);

it.each<[what: string, items: Cells, parameters: object, rows: number[], empty: number[]]>([
	['rows with values', [{ a: 1 }, { a: 0 }], {}, [0, 1], []],
	['an empty item', [{ a: 1 }, { a: '' }, {}], {}, [0], [1, 2]],
	['blank cells', [{ a: 1 }, { a: ' \u200b', b: [], c: null }], {}, [0], [1]],
	['an empty item alone', [{ a: '' }], {}, [0], [0]],
	[
		'a row number alone',
		[
			{ row_number: 2, a: 1 },
			{ row_number: 3, a: '' },
		],
		{},
		[0],
		[1],
	],
	['a column to ignore', [{ a: 1 }, { b: 1 }], { inputsToIgnore: 'b' }, [0], [1]],
	[
		'a column to ignore that an expression uses',
		[{ a: 1 }, { b: 1 }],
		{ inputsToIgnore: 'b', url: '={{ $json.b }}' },
		[0, 1],
		[],
	],
	[
		'a column that is only a part of a name in an expression',
		[{ a: 1 }, { b: 1 }],
		{ inputsToIgnore: 'b', url: '={{ $json.bb }}' },
		[0],
		[1],
	],
	[
		'a column to ignore of several words that an expression uses',
		[{ a: 1 }, { 'Link ID': 1 }],
		{ inputsToIgnore: 'link id', linkId: { value: '={{\n$json["Link ID"] }}' } },
		[0, 1],
		[],
	],
	[
		'a column to ignore whose name is in the form, but in no expression',
		[{ a: 1 }, { b: 1 }],
		{ inputsToIgnore: 'b', url: 'b', alias: '={{ $json.a }}' },
		[0],
		[1],
	],
	['values of the form', [{ a: 1 }, {}], { mappingColumnMode: 'defineBelow' }, [0, 1], []],
	['an operation without columns', [{ a: 1 }, {}], { operation: 'get' }, [0, 1], []],
])('knows which items are rows: %s', (_what, items, parameters, rows, empty) => {
	expect(sheetOf(items, parameters)).toMatchObject({ rows, empty });
});

it.each<[items: Cells, notes: string[]]>([
	[[{ a: 1 }], []],
	[[{ a: '' }], []],
	[[{ a: 1 }, {}], ['1 empty item was skipped (item 2)']],
	[[{}, {}, { a: 1 }, {}], ['3 empty items were skipped (items 1–2, 4)']],
])('says which rows were skipped', (items, notes) => {
	expect(skippedNotes(sheetOf(items))).toEqual(notes);
});

it('takes each item for a row if the settings cannot be read', () => {
	const sheet = allItems(executionLike({ items: [{}, {}], parameters: mapped }));
	expect(sheet).toMatchObject({ rows: [0, 1], empty: [] });
	expect(allItems(executionLike()).numbers.isSingle).toBe(true);
});
