import { crc32 } from 'node:zlib';

/** A picture of a recording. */
export interface Frame {
	/** A PNG file. All frames of a recording have the same size and the same kind of pixels. */
	readonly file: Buffer;
	/** How long the picture is shown, in milliseconds. */
	readonly duration: number;
}

type Chunk = readonly [type: string, data: Buffer];

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Reads the chunks of a PNG file: a length of 4 bytes, a type of 4 bytes, the data, and a checksum of 4 bytes. */
function chunksOf(file: Buffer): Chunk[] {
	const chunks: Chunk[] = [];
	for (let at = signature.length; at < file.length; ) {
		const end = at + 8 + file.readUInt32BE(at);
		chunks.push([file.toString('latin1', at + 4, at + 8), file.subarray(at + 8, end)]);
		at = end + 4;
	}
	return chunks;
}

/** Returns the data of all chunks of a type. */
const dataOf = (chunks: readonly Chunk[], type: string): Buffer =>
	Buffer.concat(chunks.filter(([name]) => name === type).map(([, data]) => data));

const uint32 = (...values: number[]): Buffer =>
	Buffer.concat(
		values.map((value) => {
			const bytes = Buffer.alloc(4);
			bytes.writeUInt32BE(value);
			return bytes;
		}),
	);

/** Writes chunks as a PNG file. */
const fileOf = (chunks: readonly Chunk[]): Buffer =>
	Buffer.concat([
		signature,
		...chunks.flatMap(([type, data]) => {
			const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
			return [uint32(data.length), content, uint32(crc32(content))];
		}),
	]);

/** Returns the chunk that says where a frame is drawn, how long it is shown, and that it replaces the frame before it. */
function frameControl(sequence: number, header: Buffer, duration: number): Chunk {
	const place = Buffer.concat([uint32(sequence), header.subarray(0, 8), uint32(0, 0)]);
	const time = Buffer.from([duration >> 8, duration & 255, 1000 >> 8, 1000 & 255]);
	return ['fcTL', Buffer.concat([place, time, Buffer.from([0, 0])])];
}

/**
 * Returns frames as an animated PNG file that repeats without end. Programs that know no animations show the first frame.
 *
 * @throws Error if the frames differ in size or in the kind of their pixels
 */
export function animationOf(frames: readonly Frame[]): Buffer {
	const pictures = frames.map(({ file, duration }) => ({ chunks: chunksOf(file), duration }));
	const headers = pictures.map(({ chunks }) => dataOf(chunks, 'IHDR'));
	const [header] = headers;
	if (!header || headers.some((other) => !other.equals(header)))
		throw new Error('the frames of a recording need the same size');
	const drawn = pictures.flatMap(({ chunks, duration }, index): Chunk[] => {
		const content = dataOf(chunks, 'IDAT');
		if (index === 0) return [frameControl(0, header, duration), ['IDAT', content]];
		const sequence = 2 * index - 1;
		return [
			frameControl(sequence, header, duration),
			['fdAT', Buffer.concat([uint32(sequence + 1), content])],
		];
	});
	return fileOf([
		['IHDR', header],
		['acTL', uint32(frames.length, 0)],
		...drawn,
		['IEND', Buffer.alloc(0)],
	]);
}

/** Returns the pictures of an animated PNG file as PNG files. */
export function picturesIn(animation: Buffer): Buffer[] {
	const chunks = chunksOf(animation);
	const contents = chunks.flatMap(([type, data]) => {
		if (type === 'IDAT') return [data];
		return type === 'fdAT' ? [data.subarray(4)] : [];
	});
	return contents.map((content) =>
		fileOf([
			['IHDR', dataOf(chunks, 'IHDR')],
			['IDAT', content],
			['IEND', Buffer.alloc(0)],
		]),
	);
}
