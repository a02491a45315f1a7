import fc from 'fast-check';
import { pictureOf, Undrawable, type Picture } from '../../nodes/shared/qrCode/picture';
import { readPng, readSvg, textIn } from '../support/pictures.ts';
import { casesOf } from '../support/randomTests.ts';

const host = fc.oneof(
	fc.domain(),
	fc.constantFrom('short.example', 'GO.EXAMPLE', 'localhost:8080'),
);

const path = fc.string({
	unit: fc.constantFrom(...'abcXYZ0189-_.~!*+,;=:@%/?&#$()'),
	minLength: 1,
	maxLength: 120,
});

const urls = fc
	.tuple(fc.constantFrom('https', 'http', 'HTTPS'), host, path)
	.map(([scheme, name, rest]) => `${scheme}://${name}/${rest}`);

const looks = fc.record({
	errorCorrection: fc.constantFrom('L', 'M', 'Q', 'H'),
	/** Size in px per module. */
	scale: fc.integer({ min: 4, max: 7 }),
	/** Px that are no whole module. */
	extra: fc.integer({ min: 0, max: 28 }),
	colors: fc.constantFrom(
		[[0, 0, 0] as const, [255, 255, 255] as const],
		[[0, 0, 128] as const, [255, 240, 200] as const],
		[[118, 118, 118] as const, [255, 255, 255] as const],
	),
	isSvg: fc.boolean(),
});

/** Draws a code at a size; the largest size for a code of each version is far below it. */
function drawn(url: string, settings: Parameters<typeof pictureOf>[1]): Picture {
	const picture = pictureOf(url, settings);
	if (picture instanceof Undrawable) throw new Error(picture.message);
	return picture;
}

it('a decoder reads each code back, at all error correction levels and sizes', () => {
	const levels = new Set<string>();
	fc.assert(
		fc.property(urls, looks, (url, { errorCorrection, scale, extra, colors, isSvg }) => {
			const [foreground, background] = [colors[0] ?? [0, 0, 0], colors[1] ?? [255, 255, 255]];
			const look = { errorCorrection, foreground, background } as const;
			const side = Number(
				/ viewBox="0 0 (\d+) /.exec(drawn(url, { ...look, size: 2000 }).svg())?.[1],
			);
			const size = side * scale + Math.min(extra, side - 1);
			const picture = drawn(url, { ...look, size });
			const pixels = isSvg ? readSvg(picture.svg()) : readPng(picture.png());
			expect(pixels.width).toBe(side * scale);
			expect(textIn(pixels)).toBe(url);
			levels.add(errorCorrection);
		}),
		{ numRuns: casesOf(500) },
	);
	expect(levels.size).toBe(Math.min(4, casesOf(500)));
});
