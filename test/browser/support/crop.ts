import type { Locator } from 'playwright-core';
import type { Box, Part } from './part.ts';
import type { Cut } from './pictures.ts';

/** The room around a picture's content, in pixels. */
const margin = 16;

/** What is no content: an invitation at the end of the form, and handles for resizing. */
const noContent = '[data-test-id="node-feature-request"], [data-test-id="resize-handle"]';

/** A list that lies over the form is content as a whole, with its frame. */
const floating = '.el-popper';

/** What the browser offers to the function below. */
declare const document: { elementFromPoint(x: number, y: number): Part | null };

/** Runs in the browser: the place of a panel, as far down as it shows anything. */
const filledPart = (panel: Part, [ignored, lists, room]: [string, string, number]): Box => {
	const { left, top, right, bottom } = panel.getBoundingClientRect();
	// What a list has scrolled out of sight is covered by something else.
	const isSeen = (part: Part) => {
		const box = part.getBoundingClientRect();
		if (box.right <= box.left || box.bottom <= box.top) return false;
		const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
		const seen = document.elementFromPoint(x, y);
		return seen !== null && (part.contains(seen) || part.parentElement === seen);
	};
	const ends = [...panel.querySelectorAll('*')]
		.filter(
			(part) =>
				part.matches(lists) ||
				part.matches('input, svg') ||
				(part.childElementCount === 0 && part.textContent.trim() !== ''),
		)
		.filter(
			(part) =>
				!part.closest(ignored) &&
				part.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
				isSeen(part),
		)
		.map((part) => part.getBoundingClientRect().bottom);
	return { left, top, right, bottom: Math.min(bottom, Math.max(top, ...ends) + room) };
};

/** Returns the part of the window that panels fill, without the empty rest below. */
export async function contentOf(...panels: Locator[]): Promise<Cut> {
	const boxes = await Promise.all(
		panels.map(
			async (panel) =>
				await panel.evaluate(filledPart, [noContent, floating, margin] as [string, string, number]),
		),
	);
	const x = Math.min(...boxes.map(({ left }) => left));
	const y = Math.min(...boxes.map(({ top }) => top));
	const width = Math.max(...boxes.map(({ right }) => right)) - x;
	const height = Math.max(...boxes.map(({ bottom }) => bottom)) - y;
	return { clip: { x, y, width, height }, style: `${noContent} { visibility: hidden }` };
}
