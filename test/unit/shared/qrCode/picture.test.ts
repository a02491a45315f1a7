import { pictureOf, PictureProblem } from '../../../../nodes/shared/qrCode/picture';
import { colorAt, readPng, readSvg, textIn } from '../../../support/pictures.ts';

function drawn(address: string, size = 300) {
	const picture = pictureOf(address, size);
	if (picture instanceof PictureProblem) throw new Error(picture.message);
	return picture;
}

/** Why there is no picture, and the advice. */
function refusalOf(address: string, size = 300) {
	const picture = pictureOf(address, size);
	return picture instanceof PictureProblem ? [picture.message, picture.advice] : [];
}

// 29 modules and 8 modules of border: 37.
const address = 'https://short.example/spring-sale-2';

it('draws the same picture in both formats', () => {
	const picture = drawn(address);
	const [png, svg] = [readPng(picture.png()), readSvg(picture.svg())];
	expect(png).toEqual(svg);
	expect(textIn(png)).toBe(address);
});

it('rounds the size down to a whole number of px per module', () => {
	const widthFor = (size: number) => readPng(drawn(address, size).png()).width;
	expect([37, 73, 74, 300, 333].map(widthFor)).toEqual([37, 37, 74, 296, 333]);
});

it('leaves a border of four modules', () => {
	const png = readPng(drawn(address, 370).png());
	for (let at = 0; at < 370; at += 1) {
		for (const edge of [0, 39, 330, 369]) {
			expect(colorAt(png, at, edge)).toEqual([255, 255, 255]);
			expect(colorAt(png, edge, at)).toEqual([255, 255, 255]);
		}
	}
	expect(colorAt(png, 40, 40)).toEqual([0, 0, 0]);
	expect(colorAt(png, 329, 40)).toEqual([0, 0, 0]);
});

it('refuses a size that has no room for one px per module, and names the smallest size', () => {
	expect(refusalOf(address, 36)).toEqual([
		'Size 36 is too small for the QR code of this URL, which has 37 modules on each side',
		'Set Size to at least 37; scanners need about 148.',
	]);
});

it('refuses a URL that is too long', () => {
	const long = (length: number) => `https://short.example/${'a'.repeat(length - 22)}`;
	expect(refusalOf(long(2332), 2000)).toEqual([
		'The URL of 2332 characters is too long for a QR code',
		'Use a shorter URL.',
	]);
	expect(refusalOf(long(2331), 2000)).toEqual([]);
	expect(refusalOf(long(100_000))).toHaveLength(2);
});

it.each([
	'',
	'short.example/a',
	'ftp://short.example/a',
	'https://',
	'https://a b/',
	'https://a:b/',
])('refuses %j, which is no http or https URL', (text) => {
	expect(refusalOf(text)).toEqual([
		`${JSON.stringify(text)} is not a valid URL, so it has no QR code`,
		'Enter a URL like https://short.example/spring-sale.',
	]);
});

it('keeps an ASCII URL as it is, and encodes other characters', () => {
	const textOf = (text: string) => textIn(readPng(drawn(text).png()));
	expect(textOf('HTTPS://Short.Example/A?b=%20c#d')).toBe('HTTPS://Short.Example/A?b=%20c#d');
	expect(textOf('https://short.example')).toBe('https://short.example');
	expect(textOf('https://bücher.example/grün')).toBe('https://xn--bcher-kva.example/gr%C3%BCn');
});
