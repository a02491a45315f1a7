import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { animationOf, picturesIn, type Frame } from './animation.ts';
import { looksSame } from './looksSame.ts';
import { pictureFolder, screenshotOf, taken } from './pictures.ts';

/** A recording for the documentation: pictures of a page, one after the other. */
export class Recording {
	private readonly frames: Frame[] = [];
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
		this.frames.push({ file: await screenshotOf(this.page), duration });
	}

	/** Stores the recording. A file that looks the same stays unchanged. */
	async save(name: string): Promise<Buffer> {
		const file = `${name}.png`;
		const path = join(pictureFolder, file);
		const stored = existsSync(path) ? await readFile(path) : undefined;
		const animation = animationOf(this.frames);
		taken.add(file);
		if (stored && (await this.isShownBy(stored))) return stored;
		await writeFile(path, animation);
		return animation;
	}

	private async isShownBy(stored: Buffer): Promise<boolean> {
		const pictures = picturesIn(stored);
		if (pictures.length !== this.frames.length) return false;
		for (const [index, { file }] of this.frames.entries()) {
			const picture = pictures[index];
			if (!picture || !(await looksSame(this.page, [file, picture]))) return false;
		}
		return true;
	}
}

/** Returns the number of pictures that the browser finds in an animated PNG file. */
export const pictureCount = async (page: Page, animation: Buffer): Promise<number> =>
	await page.evaluate<number>(`(async () => {
		const data = Uint8Array.from(atob('${animation.toString('base64')}'), (text) => text.charCodeAt(0));
		const decoder = new ImageDecoder({ data, type: 'image/png' });
		await decoder.tracks.ready;
		return decoder.tracks.selectedTrack.frameCount;
	})()`);
