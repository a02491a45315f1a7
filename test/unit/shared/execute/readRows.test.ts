import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { domainNames, spaceNames } from '../../../../nodes/Link/link.locators';
import { isEncoded, paramsOf } from '../../../../nodes/shared/contract/encodedRow';
import type { RequestedNames } from '../../../../nodes/shared/contract/requestedNames';
import type { OperationName } from '../../../../nodes/shared/contract/types';
import { readOptions } from '../../../../nodes/shared/execute/options';
import { readColumns } from '../../../../nodes/shared/execute/readColumns';
import {
	readParameter,
	readRows,
	yieldBetweenBatches,
	type Row,
} from '../../../../nodes/shared/execute/readRows';
import type { ReadNames } from '../../../../nodes/shared/operations/readNames';
import { executionLike, type ExecutionLike } from '../../../support/execution.ts';

interface Given {
	readonly items?: readonly IDataObject[];
	readonly parameters?: object;
	readonly valuesOf?: ExecutionLike['valuesOf'];
	/** The indexes of the items that are rows; by default all. */
	readonly rows?: readonly number[];
	readonly names?: (requested: RequestedNames) => ReadNames;
}

const noNames = (): never => {
	throw new Error('No list of names is needed');
};

/** Reads the rows of an operation. `read` has the parameters that n8n has read: `url 0` for the first item. */
async function rowsOf(operation: OperationName, given: Given) {
	const { items = [{}], names = noNames } = given;
	const parameters = { operation, ...given.parameters } as INodeParameters;
	const read: string[] = [];
	const context = executionLike({
		items,
		parameters,
		valuesOf: (name, item) => {
			read.push(`${name} ${item}`);
			return given.valuesOf?.(name, item);
		},
	});
	const options = readOptions(context, linkContract, operation, { first: 0, timeZone: 'UTC' });
	const columns = options.encode.takesColumns
		? readColumns(context, linkContract, operation, options)
		: undefined;
	read.length = 0;
	const requested: RequestedNames[] = [];
	const rows = await readRows(context, {
		...{ contract: linkContract, operation, options: options.encode, columns },
		rows: given.rows ?? [...items.keys()],
		readNames: async (wanted) => {
			requested.push(wanted);
			return await Promise.resolve(names(wanted));
		},
	});
	return { rows, read, requested };
}

/** What a row sends, or its problems. */
const textOf = ({ encoded }: Row) =>
	isEncoded(encoded)
		? paramsOf(encoded.fields)
				.map(([name, text]) => `${name}=${text}`)
				.join('&')
		: encoded.map(({ field, reason }) => `${field} ${reason}`).join('; ');

const url = 'https://example.com/';

describe('the parameters of rows', () => {
	it('without an expression are read once', async () => {
		const { rows, read } = await rowsOf('upsert', {
			items: [{}, {}, {}],
			parameters: { url, alias: 'spring', domainId: 1 },
			rows: [1, 2],
		});
		expect(rows.map(({ index }) => index)).toEqual([1, 2]);
		expect(rows.map(textOf)).toEqual(
			Array.from({ length: 2 }, () => `url=${url}&domain_id=1&alias=spring`),
		);
		expect(read.filter((each) => each.startsWith('url'))).toEqual(['url 1']);
	});

	it('with an expression are read for each row', async () => {
		const { rows, read } = await rowsOf('upsert', {
			items: [{}, {}],
			parameters: { url, alias: '={{ $json.a }}', domainId: 1 },
			valuesOf: (name, item) => (name === 'alias' ? `a-${item}` : undefined),
		});
		expect(rows.map(textOf)).toEqual(
			[0, 1].map((item) => `url=${url}&domain_id=1&alias=a-${item}`),
		);
		expect(read.filter((each) => !each.endsWith('0'))).toEqual(['alias 1']);
	});

	it('get the values of the columns of their item', async () => {
		const { rows } = await rowsOf('upsert', {
			items: [{ alias: 'a', url: `${url}a` }, { alias: 'b' }],
			parameters: { url, domainId: 1, mappingColumnMode: 'autoMapInputData' },
		});
		expect(rows.map(textOf)).toEqual([
			`url=${url}a&domain_id=1&alias=a`,
			`url=${url}&domain_id=1&alias=b`,
		]);
	});
});

describe('an expression that fails', () => {
	const failing =
		(error: unknown, ...failingNames: string[]) =>
		(name: string, item: number) => {
			if (item === 1 && failingNames.includes(name)) throw error;
			return undefined;
		};

	it('is a problem of its row, and hides no other', async () => {
		const { rows } = await rowsOf('upsert', {
			items: [{}, {}, {}],
			parameters: { url: '={{ $json.u }}', alias: '={{ $json.a }}', domainId: 1 },
			valuesOf: (name, item) =>
				failing(new Error('no such node'), 'url', 'alias')(name, item) ?? { url, alias: 'a' }[name],
		});
		expect(rows.map(textOf)).toEqual([
			`url=${url}&domain_id=1&alias=a`,
			'Destination URL has an expression that fails (no such node); correct the expression; Alias has an expression that fails (no such node); correct the expression',
			`url=${url}&domain_id=1&alias=a`,
		]);
	});

	it.each<[error: unknown, reason: string]>([
		[new Error('x'.repeat(300)), `${'x'.repeat(199)}…`],
		['a text', 'n8n reports no reason'],
		[{ message: 7 }, 'n8n reports no reason'],
	])('is reported with the reason of n8n', (error, reason) => {
		const context = executionLike({ valuesOf: failing(error, 'url') });
		const property = { name: 'url', displayName: 'URL' };
		expect(readParameter(context, property, 0)).toEqual({ value: '' });
		expect(readParameter(context, property, 1)).toEqual({
			problem: {
				field: 'URL',
				key: 'url',
				reason: `has an expression that fails (${reason}); correct the expression`,
			},
		});
	});

	it('is reported with the name in a column of its row', async () => {
		const { rows } = await rowsOf('upsert', {
			items: [{ alias: 'a' }, { alias: 'spring' }],
			parameters: { url: '={{ $json.u }}', domainId: 1, mappingColumnMode: 'autoMapInputData' },
			valuesOf: failing(new Error('no such node'), 'url'),
			rows: [1],
		});
		expect(rows).toMatchObject([{ name: 'spring', encoded: [{ key: 'url' }] }]);
	});

	it('requests no names for its row', async () => {
		const { rows } = await rowsOf('upsert', {
			items: [{}, {}],
			parameters: { url: '={{ $json.u }}', alias: 'a', domainId: 'short.example' },
			valuesOf: failing(new Error('no such node'), 'url'),
			rows: [1],
		});
		expect(rows.map(textOf)).toEqual([
			'Destination URL has an expression that fails (no such node); correct the expression',
		]);
	});
});

describe('the name of a row', () => {
	const nameIn = async (operation: OperationName, parameters: object) =>
		(await rowsOf(operation, { parameters })).rows.map(({ name }) => name)[0];

	it.each<[what: string, operation: OperationName, parameters: object, name: string | undefined]>([
		['of a valid row', 'upsert', { url, alias: ' spring ', domainId: 1 }, 'spring'],
		['of an invalid row', 'upsert', { url: 'x', alias: ' spring\n7 ', domainId: 1 }, 'spring 7'],
		['in a collection', 'create', { url: 'x', alias: 'a' }, 'a'],
		['that is a number', 'upsert', { url: 'x', alias: 7, domainId: 1 }, '7'],
		['of a locator', 'upsert', { url: 'x', alias: { __rl: true, value: 'a' }, domainId: 1 }, 'a'],
		['of an invalid date', 'upsert', { url, alias: 'Invalid Date', domainId: 1 }, undefined],
		['that is empty', 'upsert', { url: 'x', alias: ' ', domainId: 1 }, undefined],
		['that is no text', 'upsert', { url: 'x', alias: ['a'], domainId: 1 }, undefined],
		['of a valid row without one', 'create', { url, domainId: 1 }, undefined],
		['of an invalid row without one', 'create', { url: 'x', domainId: 1 }, undefined],
		['of an operation without names', 'get', { linkId: 'x y', alias: 'a' }, undefined],
	])('%s', async (_what, operation, parameters, name) => {
		expect(await nameIn(operation, parameters)).toBe(name);
	});
});

describe('names in place of IDs', () => {
	const list = (name: string, id: number) => ({ named: [{ id, name }], ids: [id] });
	const lists = (): ReadNames => ({
		lists: new Map([
			[domainNames, list('short.example', 3)],
			[spaceNames, list('Team', 8)],
		]),
		failures: new Map(),
	});
	const given = {
		items: [{ d: 'short.example' }, { d: 4 }, { d: 'other.example' }],
		parameters: {
			...{ url, alias: 'a', domainId: '={{ $json.d }}' },
			additionalFields: { spaceId: 'Team' },
		},
	};
	const valuesOf = (name: string, item: number) =>
		name === 'domainId' ? given.items[item]?.d : undefined;

	it('are requested once for all rows, and each row keeps its place', async () => {
		const { rows, requested } = await rowsOf('upsert', { ...given, valuesOf, names: lists });
		expect(requested).toEqual([
			new Map([
				[domainNames, new Set(['short.example', 'other.example'])],
				[spaceNames, new Set(['Team'])],
			]),
		]);
		expect(rows.map(({ index }) => index)).toEqual([0, 1, 2]);
		expect(rows.map(textOf)).toEqual([
			`url=${url}&domain_id=3&alias=a&space_id=8`,
			`url=${url}&domain_id=4&alias=a&space_id=8`,
			'Domain "other.example" was not found among the domains of your newest 1,000 links; use the ID, or one of: short.example',
		]);
	});

	it('are not requested without a name', async () => {
		const { rows, requested } = await rowsOf('upsert', {
			...given,
			parameters: { ...given.parameters, domainId: 4, additionalFields: { spaceId: '8' } },
		});
		expect(requested).toEqual([]);
		expect(rows.map(textOf)).toEqual(
			Array.from({ length: 3 }, () => `url=${url}&domain_id=4&alias=a&space_id=8`),
		);
	});

	it('make a row invalid if their list cannot be read, and the row has the failure', async () => {
		const failure = { cause: 'connectFailed', message: 'No answer', advice: 'Wait.' } as const;
		const unread = { named: [], ids: [], incompleteReason: failure.message };
		const { rows } = await rowsOf('upsert', {
			...given,
			valuesOf,
			names: () => ({
				lists: new Map([
					[domainNames, unread],
					[spaceNames, list('Team', 8)],
				]),
				failures: new Map([[domainNames, failure]]),
			}),
		});
		expect(rows.map(({ unreadNames }) => unreadNames)).toEqual([failure, undefined, failure]);
		expect(rows.map(({ encoded }) => isEncoded(encoded))).toEqual([false, true, false]);
	});

	it('fail the run if the read of the lists fails', async () => {
		const ended = () => {
			throw new Error('The run has ended');
		};
		await expect(rowsOf('upsert', { ...given, valuesOf, names: ended })).rejects.toThrow(
			'The run has ended',
		);
	});
});

describe('the scope of Sync', () => {
	const sync = async (parameters: object, valuesOf?: Given['valuesOf']) =>
		(
			await rowsOf('sync', {
				parameters: { url, alias: 'a', unmatchedLinks: 'keep', ...parameters },
				valuesOf,
			})
		).rows;

	it('is known for a row that is invalid', async () => {
		const [row] = await sync({ url: 'x', syncScope: { domainId: 1 } });
		expect(row).toMatchObject({ scope: 'Domain 1', encoded: [{ field: 'Destination URL' }] });
	});

	it('is part of a row that is valid', async () => {
		const [row] = await sync({ syncScope: { domainId: 1 } });
		expect(row).not.toHaveProperty('scope');
		expect(row?.encoded).toMatchObject({ scope: [{ text: '1' }] });
	});

	it('is reported once if it is invalid', async () => {
		const rows = await sync({ url: 'x', syncScope: {} });
		expect(rows.map(textOf)).toEqual([
			expect.stringMatching(/^Sync Scope is empty; set at least one of [^;]+; Destination URL/),
		]);
		expect(rows[0]).toMatchObject({ encoded: [{ isRunLevel: true }, {}] });
	});

	it('is checked if another parameter cannot be read', async () => {
		const fail = (name: string) => {
			if (name === 'url') throw new Error('no such node');
			return undefined;
		};
		const [valid] = await sync({ syncScope: { domainId: 1 } }, fail);
		expect(valid).toMatchObject({ scope: 'Domain 1', encoded: [{ key: 'url' }] });
		const [invalid] = await sync({ syncScope: {} }, fail);
		expect(invalid).not.toHaveProperty('scope');
		expect(invalid).toMatchObject({
			encoded: [{ key: 'url' }, { key: 'syncScope', isRunLevel: true }],
		});
	});

	it('stops the run if its expression fails', async () => {
		const rows = await sync({}, (name) => {
			if (name === 'syncScope') throw new Error('no such node');
			return undefined;
		});
		expect(rows.map(({ encoded }) => encoded)).toEqual([
			[
				{
					field: 'Sync Scope',
					key: 'syncScope',
					reason: 'has an expression that fails (no such node); correct the expression',
					isRunLevel: true,
				},
			],
		]);
	});
});

it('lets n8n do other work after each 100 rows', async () => {
	const order: string[] = [];
	setTimeout(() => order.push('other work'), 0);
	await yieldBetweenBatches(98);
	order.push('row 99');
	await yieldBetweenBatches(99);
	order.push('row 100');
	expect(order).toEqual(['row 99', 'other work', 'row 100']);
});
