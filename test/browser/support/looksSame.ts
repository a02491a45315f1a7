import type { Page } from 'playwright-core';

/** The maximum difference of a color. Two runs draw some edges a fraction of a pixel apart. A changed text differs by more than 100. */
const shades = 32;

/** Runs in the browser, which can decode PNG files; given as text because the tests know no browser types. */
const comparison = `async (files, shades) => {
	const [one, other] = await Promise.all(files.map(async (file) => {
		const image = new Image();
		image.src = 'data:image/png;base64,' + file;
		await image.decode();
		const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
		canvas.drawImage(image, 0, 0);
		return canvas.getImageData(0, 0, image.width, image.height);
	}));
	return one.width === other.width && one.height === other.height
		&& one.data.every((value, index) => Math.abs(value - other.data[index]) <= shades);
}`;

/** Whether two PNG files look the same to a person. */
export async function looksSame(page: Page, files: Buffer[]): Promise<boolean> {
	const texts = files.map((file) => file.toString('base64'));
	// On a page of its own, because n8n's does not load pictures from texts.
	const blank = await page.context().newPage();
	try {
		return await blank.evaluate<boolean>(`(${comparison})(${JSON.stringify(texts)}, ${shades})`);
	} finally {
		await blank.close();
	}
}
