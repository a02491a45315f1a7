import { readQrCodeSettings } from '../../../../nodes/shared/execute/qrCodeSettings';

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
