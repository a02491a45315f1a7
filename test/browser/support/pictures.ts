import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Page } from 'playwright-core';
import { chunksOf, type Chunk } from '../../support/pictures.ts';
import { projectRoot } from '../../support/process.ts';

/** Where the documentation finds its pictures. */
export const pictureFolder = join(projectRoot, 'docs', 'pictures');

/** The pictures of this run, by file name. */
export const taken = new Set<string>();

/**
 * A notice in the corner comes and goes by itself, and covers what is below; the node before stands cut at the edge; how long
 * a run took is never the same.
 */
const style = `
	.el-notification { display: none !important }
	[data-test-id="floating-nodes"] { visibility: hidden !important }
	[data-test-id="logs-overview-status"], [class*="_executionSummary_"] { visibility: hidden }
`;

/** What a picture of a page may leave out. */
export interface Cut {
	/** The part that is taken, in pixels of the window. */
	clip: { x: number; y: number; width: number; height: number };
	/** How the page is changed for it, as CSS. */
	style: string;
}

/** The maximum difference of a color. Two runs draw some edges a fraction of a pixel apart. A changed text differs by more than 100. */
const shades = 32;

/** Runs in the browser, which can decode PNG files; given as text because the tests know no browser types. */
const comparison = `async (files, shades) => {
	const picturesIn = async (file) => {
		const data = Uint8Array.from(atob(file), (text) => text.charCodeAt(0));
		const decoder = new ImageDecoder({ data, type: 'image/png' });
		await decoder.tracks.ready;
		const pictures = [];
		while (pictures.length < decoder.tracks.selectedTrack.frameCount) {
			const { image } = await decoder.decode({ frameIndex: pictures.length });
			const { displayWidth: width, displayHeight: height } = image;
			const canvas = new OffscreenCanvas(width, height).getContext('2d');
			canvas.drawImage(image, 0, 0);
			image.close();
			pictures.push(canvas.getImageData(0, 0, width, height));
		}
		return pictures;
	};
	const [some, others] = await Promise.all(files.map(picturesIn));
	return some.length === others.length && some.every(({ width, height, data }, at) => {
		const other = others[at];
		return width === other.width && height === other.height
			&& data.every((value, index) => Math.abs(value - other.data[index]) <= shades);
	});
}`;

/** Returns whether two PNG files look the same to a person, also if they are animated. */
async function looksSame(page: Page, files: Buffer[]): Promise<boolean> {
	const texts = JSON.stringify(files.map((file) => file.toString('base64')));
	// The first page is n8n's. Browsers decode pictures only on pages that have an address.
	const [secure = page] = page.context().pages();
	return await secure.evaluate<boolean>(`(${comparison})(${texts}, ${shades})`);
}

/** Stores a picture of the documentation. A file that looks the same stays unchanged. */
async function store(page: Page, name: string, picture: Buffer): Promise<void> {
	const path = join(pictureFolder, `${name}.png`);
	const isCurrent = existsSync(path) && (await looksSame(page, [picture, await readFile(path)]));
	if (!isCurrent) await writeFile(path, picture);
	taken.add(`${name}.png`);
}

/** Returns a PNG file of a page, as it is when nothing moves and nothing is hovered. */
async function screenshotOf(page: Page, cut?: Cut): Promise<Buffer> {
	// A button fades from its spinner back to its label.
	await page.mouse.move(0, 0);
	const spinners = page.locator('button .n8n-spinner').filter({ visible: true });
	await spinners.first().waitFor({ state: 'hidden' });
	return await page.screenshot({
		animations: 'disabled',
		caret: 'hide',
		...cut,
		style: style + (cut?.style ?? ''),
	});
}

/** Takes a picture for the documentation. */
export async function takePicture(page: Page, name: string, cut?: Cut): Promise<void> {
	await store(page, name, await screenshotOf(page, cut));
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Returns the data of all chunks of a type. */
const dataOf = (file: Buffer, type: string): Buffer =>
	Buffer.concat([...chunksOf(file)].flatMap(([name, data]) => (name === type ? [data] : [])));

const uint32 = (...values: number[]): Buffer => {
	const bytes = Buffer.alloc(4 * values.length);
	values.forEach((value, at) => bytes.writeUInt32BE(value, 4 * at));
	return bytes;
};

/** Writes chunks as a PNG file. */
const fileOf = (chunks: readonly Chunk[]): Buffer =>
	Buffer.concat([
		signature,
		...chunks.flatMap(([type, data]) => {
			const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
			return [uint32(data.length), content, uint32(crc32(content))];
		}),
	]);

/** A recording for the documentation: pictures of a page of one size, one after the other. */
export class Recording {
	private readonly pictures: { file: Buffer; duration: number }[] = [];
	private readonly page: Page;

	constructor(page: Page) {
		this.page = page;
	}

	/**
	 * Adds what the page shows now.
	 *
	 * @param duration how long the recording shows it, in milliseconds
	 */
	async add(duration: number): Promise<void> {
		this.pictures.push({ file: await screenshotOf(this.page), duration });
	}

	/**
	 * Stores the recording as an animated PNG file that repeats without end, and returns its size in bytes. Programs that know
	 * no animations show the first picture.
	 */
	async save(name: string): Promise<number> {
		const [header = Buffer.alloc(0)] = this.pictures.map(({ file }) => dataOf(file, 'IHDR'));
		const drawn = this.pictures.flatMap(({ file, duration }, index): Chunk[] => {
			const content = dataOf(file, 'IDAT');
			const sequence = Math.max(0, 2 * index - 1);
			// The size and place of the picture, its duration as a fraction of seconds, and that it replaces the one before.
			const place = [uint32(sequence), header.subarray(0, 8), uint32(0, 0)];
			const time = uint32(duration * 2 ** 16 + 1000);
			const control = Buffer.concat([...place, time, Buffer.alloc(2)]);
			const data: Chunk =
				index === 0 ? ['IDAT', content] : ['fdAT', Buffer.concat([uint32(sequence + 1), content])];
			return [['fcTL', control], data];
		});
		const count: Chunk = ['acTL', uint32(this.pictures.length, 0)];
		const file = fileOf([['IHDR', header], count, ...drawn, ['IEND', Buffer.alloc(0)]]);
		await store(this.page, name, file);
		return file.length;
	}
}
