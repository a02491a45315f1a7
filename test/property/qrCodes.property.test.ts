import fc from 'fast-check';
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
	isSvg: fc.boolean(),
});

/** The number of modules on a side, with the border. */
const modulesIn = (svg: string) => Number(/ viewBox="0 0 (\d+) /.exec(svg)?.[1]);

function drawn(url: string, size: number): Picture {
	const picture = pictureOf(url, size);
	if (picture instanceof PictureProblem) throw new Error(picture.message);
	return picture;
}

it('a decoder reads each code at all sizes', () => {
	fc.assert(
		fc.property(urls, looks, (url, { scale, extra, isSvg }) => {
			const side = modulesIn(drawn(url, 300).svg());
			const picture = drawn(url, side * scale + Math.min(extra, side - 1));
			const pixels = isSvg ? readSvg(picture.svg()) : readPng(picture.png());
			expect(pixels.width).toBe(side * scale);
			expect(textIn(pixels)).toBe(url);
		}),
		{ numRuns: casesOf(250) },
	);
}, 120_000);
