import { crc32, inflateSync } from 'node:zlib';
import jsQR from 'jsqr';

/** A picture as a decoder of QR codes reads it: four bytes for each px. */
export interface Pixels {
	readonly width: number;
	readonly height: number;
	readonly data: Uint8ClampedArray;
}

export type Chunk = readonly [type: string, data: Buffer];

/**
 * Yields the chunks of a PNG file: a length of 4 bytes, a type of 4 bytes, the data, and a checksum of 4 bytes. Throws if a
 * checksum is wrong.
 */
export function* chunksOf(file: Buffer): Generator<Chunk> {
	for (let at = 8; at < file.length; ) {
		const length = file.readUInt32BE(at);
		const content = file.subarray(at + 4, at + 8 + length);
		const sum = file.readUInt32BE(at + 8 + length);
		if (crc32(content) !== sum) throw new Error('a chunk has a wrong checksum');
		yield [content.toString('latin1', 0, 4), content.subarray(4)];
		at += 12 + length;
	}
}

/** Returns three bytes as an opaque px, as the memory has it. */
const pixelOf = (bytes: Uint8Array) =>
	new Uint32Array(Uint8Array.of(bytes[0] ?? 0, bytes[1] ?? 0, bytes[2] ?? 0, 255).buffer)[0] ?? 0;

/** Reads a PNG file with a palette of two colors and one bit per px. Throws for any other file. */
export function readPng(bytes: Uint8Array): Pixels {
	const file = Buffer.from(bytes);
	if (file.toString('hex', 0, 8) !== '89504e470d0a1a0a') throw new Error('this is no PNG file');
	const chunks = new Map(chunksOf(file));
	expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
	const [header, palette, stream] = ['IHDR', 'PLTE', 'IDAT'].map((type) => chunks.get(type));
	if (!header || !palette || !stream) throw new Error('a chunk is missing');
	const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
	expect([...header.subarray(8)]).toEqual([1, 3, 0, 0, 0]);
	// Checks the checksum of the stream, too.
	const lines = inflateSync(stream);
	const lineLength = 1 + Math.ceil(width / 8);
	expect(lines).toHaveLength(height * lineLength);
	const colors = [0, 1].map((color) => pixelOf(palette.subarray(3 * color, 3 * color + 3)));
	const pixels = new Uint32Array(width * height);
	for (let row = 0; row < height; row += 1) {
		const start = row * lineLength;
		if (lines[start] !== 0) throw new Error('a line has a filter');
		for (let column = 0; column < width; column += 1) {
			const byte = lines[start + 1 + (column >> 3)] ?? 0;
			pixels[row * width + column] = colors[(byte >> (7 - (column & 7))) & 1] ?? 0;
		}
	}
	return { width, height, data: new Uint8ClampedArray(pixels.buffer) };
}

/** Draws an SVG picture of a background and rectangles of one module's height, as the nodes make them. */
export function readSvg(svg: string): Pixels {
	const shape =
		/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="(\d+)" height="\1" viewBox="0 0 (\d+) \2" shape-rendering="crispEdges"><path fill="(#[\da-f]{6})" d="M0 0h\2v\2H0z"\/><path fill="(#[\da-f]{6})" d="((?:M\d+ \d+h\d+v1h-\d+z)*)"\/><\/svg>$/.exec(
			svg,
		);
	if (!shape) throw new Error(`this is not the SVG of a QR code: ${svg.slice(0, 300)}`);
	const [, width = '', side = '', background = '', foreground = '', path = ''] = shape;
	const [px, scale] = [Number(width), Number(width) / Number(side)];
	const [light, dark] = [background, foreground].map((color) =>
		pixelOf(Buffer.from(color.slice(1), 'hex')),
	);
	const pixels = new Uint32Array(px * px).fill(light ?? 0);
	for (const [, x, y, length, back] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)) {
		expect(back).toBe(length);
		const [from, to] = [Number(x) * scale, (Number(x) + Number(length)) * scale];
		for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row += 1)
			pixels.fill(dark ?? 0, row * px + from, row * px + to);
	}
	return { width: px, height: px, data: new Uint8ClampedArray(pixels.buffer) };
}

/** The text of the QR code in a picture; undefined if there is none. Colors are not inverted. */
export const textIn = ({ data, width, height }: Pixels): string | undefined =>
	jsQR(data, width, height, { inversionAttempts: 'dontInvert' })?.data;

/** The color of a px. */
export const colorAt = ({ data, width }: Pixels, column: number, row: number): number[] => [
	...data.subarray(4 * (row * width + column), 4 * (row * width + column) + 3),
];
