import {
	colorOf,
	contrastOf,
	hexOf,
	luminanceOf,
	type Color,
} from '../../../../nodes/shared/qrCode/colors';

const [black, white]: [Color, Color] = [
	[0, 0, 0],
	[255, 255, 255],
];

it.each([
	['#1a2B3c', [26, 43, 60]],
	['1a2b3c', [26, 43, 60]],
	[' #fff ', [255, 255, 255]],
	['#0f8', [0, 255, 136]],
	['black', undefined],
	['#12345', undefined],
	['#1234567', undefined],
	['#ggg', undefined],
	['rgb(0,0,0)', undefined],
	['', undefined],
])('reads the color %j', (text, color) => {
	expect(colorOf(text)).toEqual(color);
});

it('writes a color with two digits for each part', () => {
	expect(hexOf([0, 10, 255])).toBe('#000aff');
});

it('computes luminance and contrast as WCAG does', () => {
	expect(luminanceOf(black)).toBe(0);
	expect(luminanceOf(white)).toBeCloseTo(1, 10);
	expect(contrastOf(black, white)).toBeCloseTo(21, 10);
	expect(contrastOf(white, black)).toBeCloseTo(21, 10);
	expect(contrastOf(white, white)).toBe(1);
	// The grays around the limit of 4.5 on white, from WCAG's own examples.
	expect(contrastOf([118, 118, 118], white)).toBeCloseTo(4.54, 2);
	expect(contrastOf([119, 119, 119], white)).toBeCloseTo(4.48, 2);
	expect(luminanceOf([255, 0, 0])).toBeCloseTo(0.2126, 4);
	expect(luminanceOf([10, 0, 0])).toBeCloseTo(0.000645, 6);
});
