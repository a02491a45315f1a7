import { pngOf } from '../../../../nodes/shared/qrCode/png';
import { colorAt, readPng } from '../../../support/pictures.ts';

const layout = { scale: 3, quietZone: 2 };

const [black, white] = [
	[0, 0, 0],
	[255, 255, 255],
];

const modules = [
	[true, false, true],
	[false, false, true],
	[true, true, false],
];

it('draws each module as a square, with a border', () => {
	const picture = readPng(pngOf(modules, layout));
	expect([picture.width, picture.height]).toEqual([21, 21]);
	for (let row = 0; row < 21; row += 1) {
		for (let column = 0; column < 21; column += 1) {
			const isDark = modules[Math.floor(row / 3) - 2]?.[Math.floor(column / 3) - 2] === true;
			expect(colorAt(picture, column, row)).toEqual(isDark ? black : white);
		}
	}
});

it('draws a picture of one px per module, whose width is no multiple of eight', () => {
	const picture = readPng(pngOf(modules, { ...layout, scale: 1, quietZone: 0 }));
	expect([picture.width, picture.height]).toEqual([3, 3]);
	expect(modules.map((_, row) => colorAt(picture, 2, row)[0])).toEqual([0, 0, 255]);
});

it('splits a large picture into blocks of at most 65,535 bytes', () => {
	const file = pngOf(modules, { ...layout, scale: 286 });
	const picture = readPng(file);
	expect(picture.width).toBe(2002);
	expect(colorAt(picture, 2 * 286, 2 * 286)).toEqual(black);
	expect(colorAt(picture, 5 * 286 - 1, 4 * 286 - 1)).toEqual(black);
	expect(colorAt(picture, 2001, 2001)).toEqual(white);
	// A line has a byte for its filter and 251 bytes of px; a block has five bytes more.
	expect(file.length).toBe(8 + 25 + 18 + 12 + (2 + 2002 * 252 + 8 * 5 + 4) + 12);
});
