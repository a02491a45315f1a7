import { modulesOf } from '../../../../nodes/shared/qrCode/encoder';
import { pictureOf } from '../../../../nodes/shared/qrCode/picture';
import { pngOf } from '../../../../nodes/shared/qrCode/png';
import { colorAt, readPng, readSvg, textIn } from '../../../support/pictures.ts';

function drawn(address: string, size = 300) {
	const picture = pictureOf(address, size);
	if ('advice' in picture) throw new Error(picture.message);
	return picture;
}

/** Why there is no picture, and the advice. */
function refusalOf(address: string, size = 300) {
	const picture = pictureOf(address, size);
	return 'advice' in picture ? [picture.message, picture.advice] : [];
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
	const edges = [0, 39, 330, 369].flatMap((at) => [colorAt(png, 40, at), colorAt(png, at, 40)]);
	expect(edges).toEqual(Array(8).fill([255, 255, 255]));
	expect([colorAt(png, 40, 40), colorAt(png, 329, 40)]).toEqual(Array(2).fill([0, 0, 0]));
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
	...['', 'short.example/a', 'ftp://short.example/a'],
	...['https://', 'https://a b/', 'https://a:b/'],
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

// The capacities with error correction M in bytes (ISO/IEC 18004, table 7).
it('encodes at most 2,331 bytes', () => {
	expect(modulesOf('a'.repeat(2331))).toHaveLength(177);
	expect(modulesOf('a'.repeat(2332))).toBeUndefined();
});

it('uses the smallest code', () => {
	for (const [version, capacity] of [14, 26, 42, 62].entries()) {
		expect(modulesOf('a'.repeat(capacity))).toHaveLength(21 + 4 * version);
		expect(modulesOf('a'.repeat(capacity + 1))).toHaveLength(25 + 4 * version);
	}
});

it('splits a large picture into blocks of at most 65,535 bytes', () => {
	const modules = [
		[true, false],
		[false, true],
	];
	const file = pngOf(modules, { scale: 500, quietZone: 1 });
	const picture = readPng(file);
	expect(picture.width).toBe(2000);
	expect([500, 1499].map((at) => colorAt(picture, at, at))).toEqual(Array(2).fill([0, 0, 0]));
	expect([499, 1500].map((at) => colorAt(picture, at, at))).toEqual(Array(2).fill([255, 255, 255]));
	// A line has a byte for its filter and 250 bytes of px; a block has five bytes more.
	expect(file.length).toBe(8 + 25 + 18 + 12 + (2 + 2000 * 251 + 8 * 5 + 4) + 12);
});
