import fc from 'fast-check';
import type { Color } from '../../nodes/shared/qrCode/colors';
import { pictureOf, PictureProblem, type Picture } from '../../nodes/shared/qrCode/picture';
import { readPng, readSvg, textIn } from '../support/pictures.ts';
import { casesOf } from '../support/randomTests.ts';

const host = fc.oneof(
	fc.domain(),
	fc.constantFrom('short.example', 'GO.EXAMPLE', 'localhost:8080'),
);

const path = fc.string({
	unit: fc.constantFrom(...'abcXYZ0189-_.~!*+,;=:@%/?&#$()'),
	minLength: 1,
	maxLength: 80,
});

const urls = fc
	.tuple(fc.constantFrom('https', 'http', 'HTTPS'), host, path)
	.map(([scheme, name, rest]) => `${scheme}://${name}/${rest}`);

const looks = fc.record({
	/** Size in px per module. */
	scale: fc.integer({ min: 4, max: 6 }),
	/** Px that are no whole module. */
	extra: fc.integer({ min: 0, max: 28 }),
	/** The last two have little more than the least contrast. */
	colors: fc.constantFrom<Color[]>(
		[],
		[
			[0, 0, 128],
			[140, 150, 255],
		],
		[[118, 118, 118]],
	),
	isSvg: fc.boolean(),
});

const [black, white] = [[0, 0, 0] as const, [255, 255, 255] as const];

/** The number of modules on a side, with the border. */
const modulesIn = (svg: string) => Number(/ viewBox="0 0 (\d+) /.exec(svg)?.[1]);

function drawn(url: string, settings: Parameters<typeof pictureOf>[1]): Picture {
	const picture = pictureOf(url, settings);
	if (picture instanceof PictureProblem) throw new Error(picture.message);
	return picture;
}

it.each(['L', 'M', 'Q', 'H'] as const)(
	'a decoder reads each code with error correction %s, at all sizes',
	(errorCorrection) => {
		fc.assert(
			fc.property(urls, looks, (url, { scale, extra, colors, isSvg }) => {
				const [foreground = black, background = white] = colors;
				const look = { errorCorrection, foreground, background };
				const side = modulesIn(drawn(url, { ...look, size: 300 }).svg());
				const size = side * scale + Math.min(extra, side - 1);
				const picture = drawn(url, { ...look, size });
				const pixels = isSvg ? readSvg(picture.svg()) : readPng(picture.png());
				expect(pixels.width).toBe(side * scale);
				expect(textIn(pixels)).toBe(url);
			}),
			{ numRuns: casesOf(125) },
		);
	},
	120_000,
);
