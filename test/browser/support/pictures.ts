import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { projectRoot } from '../../support/process.ts';
import { looksSame } from './looksSame.ts';

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

/** Returns a PNG file of a page or an element, as it is when nothing moves and nothing is hovered. */
export async function screenshotOf(of: Page | Locator, cut?: Cut): Promise<Buffer> {
	const page = 'page' in of ? of.page() : of;
	// A button fades from its spinner back to its label.
	await page.mouse.move(0, 0);
	const spinners = page.locator('button .n8n-spinner').filter({ visible: true });
	await spinners.first().waitFor({ state: 'hidden' });
	return await of.screenshot({
		animations: 'disabled',
		caret: 'hide',
		...cut,
		style: style + (cut?.style ?? ''),
	});
}

/** Takes a picture for the documentation. A file that looks the same stays unchanged. */
export async function takePicture(of: Page | Locator, name: string, cut?: Cut): Promise<void> {
	const picture = await screenshotOf(of, cut);
	const path = join(pictureFolder, `${name}.png`);
	const page = 'page' in of ? of.page() : of;
	const isCurrent = existsSync(path) && (await looksSame(page, [picture, await readFile(path)]));
	if (!isCurrent) await writeFile(path, picture);
	taken.add(`${name}.png`);
}
