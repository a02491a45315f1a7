import type { INode } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { itemsOf } from '../../../../nodes/shared/execute/items';
import { RowNumbers } from '../../../../nodes/shared/execute/rowNumbers';
import type { Failure } from '../../../../nodes/shared/transport/failures';

const contextOf = (node: Partial<INode> = {}) => ({
	node: {
		name: 'Link',
		type: 'link',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...node,
	} as INode,
	contract: linkContract,
	numbers: new RowNumbers([{ json: {} }, { json: {} }], true),
});

const parts = { input: { a: 1 }, includesInput: false, isPairedByN8n: true };

const done = (more: object = {}) => ({
	index: 1,
	result: { resources: [{ id: 5 }, { id: 6 }], outcome: 'updated' as const, ...more },
});

const failure: Failure = {
	cause: 'rejected',
	message: 'Refused',
	advice: 'Look.',
	statusCode: 422,
};

const removedResource = { name: 'The link a (ID 7)', data: { id: 7 } };

it('makes an item of each resource, linked to the row', () => {
	expect(itemsOf(contextOf(), done(), parts)).toEqual([
		{ json: { id: 5 }, pairedItem: { item: 1 } },
		{ json: { id: 6 }, pairedItem: { item: 1 } },
	]);
});

it('adds the outcome first', () => {
	const [item] = itemsOf(contextOf(), done({ reportOutcome: true }), parts);
	expect(Object.entries(item?.json ?? {})).toEqual([
		['outcome', 'updated'],
		['id', 5],
	]);
});

it('includes the input and its binary data if asked to', () => {
	const binary = { file: { data: '', mimeType: 'text/plain' } };
	const included = { ...parts, binary, includesInput: true, input: { a: 1, outcome: 'x' } };
	expect(itemsOf(contextOf(), done({ reportOutcome: true }), included)[0]).toEqual({
		json: { outcome: 'updated', a: 1, link: { id: 5 } },
		...{ binary, pairedItem: { item: 1 } },
	});
	expect(itemsOf(contextOf(), done(), { ...included, includesInput: false })[0]).toEqual({
		json: { id: 5 },
		pairedItem: { item: 1 },
	});
});

it('links what is in no row to no item', () => {
	const removed = { ...done(), removed: removedResource };
	expect(itemsOf(contextOf(), removed, parts)[0]).toHaveProperty('pairedItem', []);
	expect(itemsOf(contextOf(), removed, { ...parts, isPairedByN8n: false })[0]).not.toHaveProperty(
		'pairedItem',
	);
});

describe('a failed row', () => {
	const details = { description: 'Look.', outcome: 'failed', retryable: false, statusCode: 422 };

	it('has its columns, the message and what a workflow can decide by', () => {
		expect(itemsOf(contextOf(), { index: 1, failure }, parts)).toEqual([
			{
				json: { a: 1, error: 'Item 2: Refused', errorDetails: details },
				pairedItem: { item: 1 },
			},
		]);
	});

	it('keeps columns that have the names of the error', () => {
		const input = { a: 1, error: 'x' };
		const [item] = itemsOf(contextOf(), { index: 1, failure }, { ...parts, input });
		expect(item?.json).toMatchObject({
			error: 'Item 2: Refused',
			errorDetails: { input: { error: 'x' } },
		});
	});

	it('has a hidden error for the error output', () => {
		const [item] = itemsOf(
			contextOf({ onError: 'continueErrorOutput' }),
			{ index: 1, failure },
			parts,
		);
		expect(item?.error).toMatchObject({ message: 'Item 2: Refused' });
		expect(Object.keys(item ?? {})).toEqual(['json', 'pairedItem']);
	});

	it('repeats no column and no file to a model', () => {
		const binary = { file: { data: '', mimeType: 'text/plain' } };
		const [item] = itemsOf(
			contextOf({ type: 'linkTool' }),
			{ index: 1, failure },
			{ ...parts, binary },
		);
		expect(Object.keys(item?.json ?? {})).toEqual(['error', 'errorDetails']);
		expect(item).not.toHaveProperty('binary');
	});

	it('that is in no row is named', () => {
		const failed = { index: 2, failure, removed: removedResource };
		expect(itemsOf(contextOf(), failed, parts)[0]).toEqual({
			json: { error: 'The link a (ID 7): Refused', errorDetails: { ...details, id: 7 } },
			pairedItem: [],
		});
		const [item] = itemsOf(contextOf({ onError: 'continueErrorOutput' }), failed, parts);
		expect(item?.json).toEqual({
			error: 'The link a (ID 7): Refused',
			message: { ...details, id: 7 },
		});
	});
});

describe('an attachment', () => {
	const code = { data: 'cA==', mimeType: 'image/png' };
	const file = { data: '', mimeType: 'text/plain' };
	const resources = [{ id: 5 }];
	const withFile = done({ resources, attachment: { binary: { code } } });
	const withText = done({ resources, attachment: { json: { svg: '<svg/>' } } });

	it('is added to its item, next to the binary data of the row', () => {
		const given = { ...parts, binary: { file } };
		expect(itemsOf(contextOf(), withFile, given)).toEqual([
			{ json: { id: 5 }, binary: { file, code }, pairedItem: { item: 1 } },
		]);
		expect(itemsOf(contextOf(), withText, given)).toEqual([
			{ json: { id: 5, svg: '<svg/>' }, binary: { file }, pairedItem: { item: 1 } },
		]);
	});

	it('replaces binary data and columns of its name', () => {
		const given = { ...parts, binary: { code: file }, input: { svg: 'old' }, includesInput: true };
		expect(itemsOf(contextOf(), withFile, given)).toMatchObject([{ binary: { code } }]);
		expect(itemsOf(contextOf(), withText, given)).toMatchObject([
			{ json: { svg: '<svg/>', link: { id: 5 } }, binary: { code: file } },
		]);
	});

	it('brings no file of the row to a model', () => {
		const given = { ...parts, binary: { file } };
		expect(itemsOf(contextOf({ type: 'linkTool' }), withText, given)).toEqual([
			{ json: { id: 5, svg: '<svg/>' }, pairedItem: { item: 1 } },
		]);
	});
});
