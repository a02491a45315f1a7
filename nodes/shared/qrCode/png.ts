import type { Modules } from './encoder';

/** The remainders of all bytes for CRC-32 (PNG specification, annex D). */
const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
	let remainder = byte;
	for (let bit = 0; bit < 8; bit += 1) {
		remainder = remainder & 1 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
	}
	return remainder;
});

/** Returns the CRC-32 of bytes. */
function crc32(bytes: Uint8Array): number {
	let crc = 0xffffffff;
	for (const byte of bytes) crc = (remainders[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
	return (crc ^ 0xffffffff) >>> 0;
}

/** Returns the Adler-32 checksum of bytes (RFC 1950). */
function adler32(bytes: Uint8Array): number {
	let [low, high] = [1, 0];
	for (const byte of bytes) {
		low = (low + byte) % 65521;
		high = (high + low) % 65521;
	}
	return ((high << 16) | low) >>> 0;
}

/** Returns a number as four bytes, most significant first. */
const fourBytes = (value: number): Uint8Array =>
	Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);

/** Returns a chunk of a PNG file: length, type, data and checksum. */
function chunk(type: string, data: Uint8Array): Uint8Array {
	const content = Buffer.concat([Buffer.from(type), data]);
	return Buffer.concat([fourBytes(data.length), content, fourBytes(crc32(content))]);
}

/** Max bytes of a stored block (RFC 1951). */
const maxBlock = 65_535;

/**
 * Returns bytes as a zlib stream of stored blocks. It does not compress, because n8n allows no import of zlib. A picture
 * with one bit per pixel is small without it.
 */
function stored(bytes: Uint8Array): Uint8Array {
	const parts: Uint8Array[] = [Uint8Array.of(0x78, 0x01)];
	for (let start = 0; start < bytes.length; start += maxBlock) {
		const block = bytes.subarray(start, start + maxBlock);
		const isLast = start + maxBlock >= bytes.length;
		const { length } = block;
		parts.push(Uint8Array.of(isLast ? 1 : 0, length, length >> 8, ~length, ~length >> 8), block);
	}
	return Buffer.concat([...parts, fourBytes(adler32(bytes))]);
}

/** How a picture shows modules: width and height of a module in px, and width of the empty border in modules. */
type PngLayout = Readonly<Record<'quietZone' | 'scale', number>>;

/** Returns the lines of a picture. Each starts with the number of its filter, 0, and has a bit per px, 1 if it is dark. */
function linesOf(modules: Modules, { scale, quietZone }: PngLayout): Uint8Array {
	const side = (modules.length + 2 * quietZone) * scale;
	const border = new Array<readonly boolean[]>(quietZone).fill([]);
	const lines = [...border, ...modules, ...border].flatMap((values) => {
		const line = new Uint8Array(1 + Math.ceil(side / 8));
		for (let x = 0; x < side; x += 1) {
			if (!values[Math.floor(x / scale) - quietZone]) continue;
			line[1 + (x >> 3)] = (line[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
		}
		return new Array<Uint8Array>(scale).fill(line);
	});
	return Buffer.concat(lines);
}

/** White for 0, black for 1. */
const palette = Uint8Array.of(255, 255, 255, 0, 0, 0);

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Returns a PNG file of modules, in black on white, with a palette and one bit per px. */
export function pngOf(modules: Modules, layout: PngLayout): Uint8Array {
	const side = fourBytes((modules.length + 2 * layout.quietZone) * layout.scale);
	// One bit per px, a palette, and no interlacing.
	const header = Buffer.concat([side, side, Uint8Array.of(1, 3, 0, 0, 0)]);
	return Buffer.concat([
		signature,
		chunk('IHDR', header),
		chunk('PLTE', palette),
		chunk('IDAT', stored(linesOf(modules, layout))),
		chunk('IEND', new Uint8Array()),
	]);
}
