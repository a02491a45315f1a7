/** Red, green and blue, from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

/** The lowest contrast ratio that a code may have: that of readable text in WCAG 2.2, level AA. */
export const minContrast = 4.5;

const hexColor = /^#?(?:([\da-f])([\da-f])([\da-f])|([\da-f]{2})([\da-f]{2})([\da-f]{2}))$/i;

/** Returns the color of a hex code such as `#1a2b3c` or `#123`; undefined for any other text. */
export function colorOf(text: string): Color | undefined {
	const match = hexColor.exec(text.trim());
	if (!match) return undefined;
	const [red = 0, green = 0, blue = 0] = match
		.slice(1)
		.filter((digits) => digits !== undefined)
		.map((digits) => Number.parseInt(digits.length === 1 ? `${digits}${digits}` : digits, 16));
	return [red, green, blue];
}

/** Returns the hex code of a color: `#1a2b3c`. */
export const hexOf = (color: Color): string =>
	`#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/** Returns the relative luminance of a color: 0 for black, 1 for white (WCAG 2.2). */
export function luminanceOf(color: Color): number {
	const [red = 0, green = 0, blue = 0] = color.map((part) => {
		const value = part / 255;
		return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio of two colors, from 1 to 21 (WCAG 2.2). */
export function contrastOf(first: Color, second: Color): number {
	const luminances = [luminanceOf(first), luminanceOf(second)] as const;
	const [darker, lighter] = [
		Math.min(luminances[0], luminances[1]),
		Math.max(luminances[0], luminances[1]),
	];
	return (lighter + 0.05) / (darker + 0.05);
}
