import type { INodeParameters } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import type { OperationName } from '../../../../nodes/shared/contract/types';
import {
	qrCodeReader,
	qrCodeSettingsOfRows,
	readQrCodeSettings,
} from '../../../../nodes/shared/execute/qrCodeSettings';
import type { Row } from '../../../../nodes/shared/execute/readRows';
import { executionLike } from '../../../support/execution.ts';
import { rowOf } from '../../../support/operationRun.ts';

const defaults = {
	...{ format: 'png', size: 300, errorCorrection: 'M', fileName: '', outputField: 'qrCode' },
	...{ foreground: [0, 0, 0], background: [255, 255, 255] },
};

const read = (picture: object) => readQrCodeSettings({ picture });

/** The problems as a person reads them. */
function problemsOf(picture: object): string[] {
	const settings = read(picture);
	return 'format' in settings ? [] : settings.map(({ field, reason }) => `${field} ${reason}`);
}

it('has defaults for what is empty or not set', () => {
	expect(readQrCodeSettings({})).toEqual(defaults);
	expect(read({})).toEqual(defaults);
	const empty = { format: '', size: '', errorCorrection: null, foregroundColor: ' ' };
	expect(read({ ...empty, backgroundColor: '', fileName: '', binaryPropertyName: '' })).toEqual(
		defaults,
	);
});

it('reads values, also by the labels of choices', () => {
	const values = {
		...{ format: 'SVG Text', size: '120.7', errorCorrection: 'High (30%)', fileName: ' a.svg ' },
		...{ foregroundColor: '#008', backgroundColor: 'FFFFEE', binaryPropertyName: 'code' },
	};
	expect(read(values)).toEqual({
		...{ format: 'svgText', size: 120, errorCorrection: 'H', fileName: 'a.svg' },
		...{ foreground: [0, 0, 136], background: [255, 255, 238], outputField: 'code' },
	});
	expect(read({ format: 'svg', errorCorrection: 'l' })).toMatchObject({
		...{ format: 'svg', errorCorrection: 'L' },
	});
});

it.each([
	[
		{ format: 'gif' },
		'Format "gif" is not one of the allowed values; use png (PNG), svg (SVG), svgText (SVG Text)',
	],
	[{ size: 28 }, 'Size 28 is not a number from 29 to 2000'],
	[{ size: 2001 }, 'Size 2001 is not a number from 29 to 2000'],
	[
		{ foregroundColor: 'navy' },
		'Foreground Color "navy" is not a color; enter a hex code like #000000',
	],
	[
		{ backgroundColor: '#12' },
		'Background Color "#12" is not a color; enter a hex code like #ffffff',
	],
	[
		{ foregroundColor: '#ffffff', backgroundColor: '#000000' },
		'Foreground Color is not darker than Background Color; choose a darker color, because many scanners read only dark codes on light',
	],
	[
		{ foregroundColor: '#777777' },
		'Foreground Color has a contrast of 4.4 to Background Color; choose a darker color, so that the contrast is at least 4.5',
	],
])('refuses %j', (picture, problem) => {
	expect(problemsOf(picture)).toEqual([problem]);
});

it('reports all problems at once, and accepts the least contrast', () => {
	expect(problemsOf({ format: 'gif', size: 1, foregroundColor: 'x' })).toHaveLength(3);
	expect(problemsOf({ foregroundColor: '#767676' })).toEqual([]);
});

it('refuses a value that is no group of settings', () => {
	expect(readQrCodeSettings('svg')).toMatchObject([{ field: 'QR Code', key: 'qrCode' }]);
	expect(readQrCodeSettings({ picture: 'svg' })).toMatchObject([{ field: 'QR Code' }]);
});

/** A reader of the option QR Code, and the names of the parameters that n8n has read for it. */
function readerOf(
	qrCode: unknown,
	operation: OperationName = 'get',
	valueOf: (item: number) => unknown = () => undefined,
) {
	const read: string[] = [];
	const options = { ...(qrCode === undefined ? {} : { qrCode }) } as INodeParameters;
	const context = executionLike({
		parameters: { options },
		valuesOf: (name, item) => {
			read.push(`${name} ${item}`);
			return name === 'options.qrCode' ? valueOf(item) : undefined;
		},
	});
	return { read, reader: qrCodeReader(context, linkContract, operation, 2) };
}

const picture = (settings: object) => ({ picture: settings });

describe('the settings of a run without expressions', () => {
	it('are read once, for all rows', () => {
		const { read, reader } = readerOf(picture({ format: 'svg', size: 50 }));
		expect([reader(2), reader(3)]).toEqual([
			{ ...defaults, format: 'svg', size: 50 },
			{ ...defaults, format: 'svg', size: 50 },
		]);
		expect(read).toEqual(['options 2']);
	});

	it.each<OperationName>(['create', 'upsert', 'get', 'getAll', 'sync', 'update'])(
		'are optional for %s',
		(operation) => {
			expect(readerOf({}, operation).reader(2)).toEqual(defaults);
			for (const unset of [undefined, '', null])
				expect(readerOf(unset, operation).reader(2)).toBeUndefined();
		},
	);

	it('are not set if Options is empty', () => {
		const context = executionLike({ parameters: { options: '' } });
		expect(qrCodeReader(context, linkContract, 'get', 0)(0)).toBeUndefined();
	});

	it('have their defaults for QR Code without the option', () => {
		expect(readerOf(undefined, 'getQrCode').reader(2)).toEqual(defaults);
		expect(readerOf(picture({ size: 50 }), 'getQrCode').reader(2)).toMatchObject({ size: 50 });
	});

	it.each<OperationName>(['delete', 'disable', 'enable'])('are not read for %s', (operation) => {
		const { read, reader } = readerOf(picture({ size: 1 }), operation);
		expect(reader(2)).toBeUndefined();
		expect(read).toEqual([]);
	});

	it('are not read for a resource without an address', () => {
		const options = { qrCode: picture({ size: 1 }) } as INodeParameters;
		const context = executionLike({ parameters: { options } });
		expect(qrCodeReader(context, pixelContract, 'get', 0)(0)).toBeUndefined();
	});

	it('stop the run with all problems if they are invalid', () => {
		expect(() => readerOf(picture({ size: 1, backgroundColor: 'x' }))).toThrow(
			expect.objectContaining({
				message:
					'Size 1 is not a number from 29 to 2000. Background Color "x" is not a color; enter a hex code like #ffffff',
				description: 'Nothing was sent.',
			}),
		);
	});
});

describe('the settings of a run with an expression', () => {
	const form = picture({ size: '={{ $json.size }}' });
	const sized = (sizes: readonly unknown[]) => (item: number) => picture({ size: sizes[item] });

	it('are read for each row', () => {
		const { read, reader } = readerOf(form, 'get', sized([50, 60]));
		expect([reader(0), reader(1)]).toEqual([
			{ ...defaults, size: 50 },
			{ ...defaults, size: 60 },
		]);
		expect(read).toEqual(['options.qrCode 0', 'options.qrCode 1']);
	});

	it('are optional for each row, except for QR Code', () => {
		const off = () => null;
		expect(readerOf('={{ $json.code }}', 'get', off).reader(0)).toBeUndefined();
		expect(readerOf('={{ $json.code }}', 'getQrCode', off).reader(0)).toEqual(defaults);
	});

	it('are a problem of the row if its value is invalid or its expression fails', () => {
		const failing = (item: number) => {
			if (item === 1) throw new Error('size is not defined');
			return sized([1])(item);
		};
		const { reader } = readerOf(form, 'get', failing);
		expect(reader(0)).toEqual([
			{ field: 'Size', key: 'size', reason: '1 is not a number from 29 to 2000' },
		]);
		expect(reader(1)).toEqual([
			{
				field: 'QR Code',
				key: 'qrCode',
				reason: 'has an expression that fails (size is not defined); correct the expression',
			},
		]);
	});
});

describe('the settings of rows', () => {
	const valid = (index: number): Row => ({ index, encoded: rowOf('get', { linkId: 7 }) });
	const problem = { field: 'Size', key: 'size', reason: 'is wrong' };

	it('belong to the row by its index', () => {
		const [small, large] = [50, 60].map((size) => readQrCodeSettings(picture({ size })));
		const given = [valid(4), valid(5), valid(6)];
		const { rows, settingsOf } = qrCodeSettingsOfRows(given, (index) => [small, large][index - 4]);
		expect(rows).toEqual(given);
		expect([4, 5, 6].map(settingsOf)).toEqual([small, large, undefined]);
	});

	it('make a row invalid if they are, next to its other problems', () => {
		const other = { field: 'Link', key: 'linkId', reason: 'is empty' };
		const { rows, settingsOf } = qrCodeSettingsOfRows(
			[
				{ ...valid(0), name: 'spring' },
				{ index: 1, encoded: [other] },
			],
			() => [problem],
		);
		expect(rows).toEqual([
			{ index: 0, name: 'spring', encoded: [problem] },
			{ index: 1, encoded: [other, problem] },
		]);
		expect([0, 1].map(settingsOf)).toEqual([undefined, undefined]);
	});
});
