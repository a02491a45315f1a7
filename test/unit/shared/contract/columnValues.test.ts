import { linkContract } from '../../../../nodes/Link/link.contract';
import {
	fillableFields,
	inputsIn,
	mapColumns,
	withColumnValues,
} from '../../../../nodes/shared/contract/columns';
import type { Columns, EncodeOptions, Parameters } from '../../../../nodes/shared/contract/types';

const fields = fillableFields(linkContract, 'upsert', 'alias');

const targetOf = (name: string) => {
	const field = fields.find((candidate) => candidate.name === name);
	if (!field) throw new Error(name);
	return field.target;
};

it('returns a copy of the inputs of a field, with or without the name of their collection', () => {
	const { property } = targetOf('utm_source');
	const inputs = { utm_source: 'mail' };
	for (const value of [{ parameters: inputs }, inputs]) {
		expect(inputsIn(property, value)).toEqual(inputs);
		expect(inputsIn(property, value)).not.toBe(inputs);
	}
	for (const value of [undefined, null, '', 'mail']) expect(inputsIn(property, value)).toEqual({});
});

interface Given {
	readonly emptyValues?: EncodeOptions['emptyValues'];
	/** The columns in the order of the input; by default those of the cells. */
	readonly columns?: readonly string[];
	/** The fields that have an expression in the form. */
	readonly expressions?: readonly string[];
}

/** The parameters of a row of Create or Update. Each column has the name of its field. */
function valuesOf(parameters: Parameters, cells: Columns, given: Given = {}) {
	const { emptyValues = 'skip', columns = Object.keys(cells), expressions = [] } = given;
	const expressionTargets = expressions.map(targetOf);
	return withColumnValues({
		...{ collections: ['additionalFields'], options: { emptyValues } },
		...{ parameters, cells },
		columns: { targets: mapColumns(fields, columns).targets },
		isExpression: ({ property, inputName }) =>
			expressionTargets.some(
				(target) => target.property === property && target.inputName === inputName,
			),
	});
}

const noFields = { additionalFields: {} };

it('takes the value of a column in place of the value of the form, in each place of the form', () => {
	const parameters = { url: 'form', additionalFields: { title: 'kept', disabled: false } };
	expect(valuesOf(parameters, { 'Destination URL': 'cell', disabled: true })).toEqual({
		...noFields,
		url: 'cell',
		additionalFields: { title: 'kept', disabled: true },
	});
	// n8n shares the values of the form between the items.
	expect(parameters).toEqual({
		url: 'form',
		additionalFields: { title: 'kept', disabled: false },
	});
});

it('creates a collection that the form does not have', () => {
	expect(valuesOf({ additionalFields: '' }, { privacy: 2 })).toEqual({
		...noFields,
		additionalFields: { privacy: 2 },
	});
});

it('leaves the form as it is if the item does not have the column', () => {
	const given = { columns: ['url'], emptyValues: 'clear' } as const;
	expect(valuesOf({ url: 'form' }, {}, given)).toEqual({ ...noFields, url: 'form' });
});

describe('an empty cell', () => {
	const form = { url: 'form', domainId: 1, additionalFields: { disabled: true } };

	it.each([[''], [' '], [null]])(
		'keeps the value of the form if empty cells are skipped: %j',
		(cell) => {
			expect(valuesOf(form, { url: cell, domainId: cell, disabled: cell })).toEqual({
				...noFields,
				...form,
			});
		},
	);

	it.each(['clear'] as const)(
		'replaces the value of the form with Empty Values %s, except for a field that no update clears',
		(emptyValues) => {
			expect(valuesOf(form, { url: '', domainId: '', disabled: '' }, { emptyValues })).toEqual({
				...{ ...noFields, url: '', domainId: 1 },
				additionalFields: { disabled: '' },
			});
		},
	);

	it('is the value of a field that the form does not have', () => {
		expect(valuesOf({}, { url: '', disabled: '' })).toEqual({
			...{ ...noFields, url: '' },
			additionalFields: { disabled: '' },
		});
	});
});

describe('an expression of the form', () => {
	it('takes precedence over the column, unless it returns no value', () => {
		const expressions = ['url', 'disabled'];
		const cells = { url: 'cell', disabled: true };
		const filled = { url: 'form', additionalFields: { disabled: false } };
		expect(valuesOf(filled, cells, { expressions })).toEqual({ ...noFields, ...filled });
		const empty = { url: '', additionalFields: {} };
		expect(valuesOf(empty, cells, { expressions })).toEqual({
			...{ ...noFields, url: 'cell' },
			additionalFields: { disabled: true },
		});
	});

	it('in one input leaves the other inputs to their columns', () => {
		const utm = { parameters: { utm_source: 'form', utm_medium: 'form' } };
		const cells = { utm_source: 'cell', utm_medium: 'cell' };
		expect(
			valuesOf({ additionalFields: { utm } }, cells, { expressions: ['utm_source'] }),
		).toMatchObject({ additionalFields: { utm: { utm_source: 'form', utm_medium: 'cell' } } });
	});
});

describe('the inputs of a field', () => {
	it('come from several columns and the form', () => {
		const utm = { parameters: { utm_term: 'form', utm_medium: 'form' } };
		const cells = { utm_source: 'cell', utm_medium: '\u200B' };
		expect(valuesOf({ additionalFields: { utm } }, cells)).toMatchObject({
			additionalFields: { utm: { utm_source: 'cell', utm_term: 'form', utm_medium: 'form' } },
		});
		expect(valuesOf({ additionalFields: { utm } }, cells, { emptyValues: 'clear' })).toMatchObject({
			additionalFields: { utm: { utm_medium: '\u200B' } },
		});
	});
});

describe('Expiration Date and Expiration Time', () => {
	it.each<[cells: Columns, value: unknown]>([
		[
			{ 'Expiration Date': '2090-01-02', expiration_time: '10:00' },
			{ expirationDate: '2090-01-02', expirationTime: '10:00' },
		],
		[{ 'Expiration Date': '2090-01-02', expiration_time: ' ' }, { expirationDate: '2090-01-02' }],
		[{ expiration_time: '10:00' }, { expirationTime: '10:00' }],
		[{ 'Expiration Date': null, expiration_time: '' }, 'form'],
	])('are one value together: %j', (cells, expiration) => {
		expect(valuesOf({ additionalFields: { expiration: 'form' } }, cells)).toMatchObject({
			additionalFields: { expiration },
		});
	});
});
