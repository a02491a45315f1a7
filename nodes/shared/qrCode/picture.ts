import { parseAddress } from '../contract/text';
import { quoteText, shorten } from '../contract/values';
import { type Modules, modulesOf } from './encoder';
import { pngOf } from './png';

/** Width of the empty border in modules (ISO/IEC 18004). Scanners need it. */
const quietZone = 4;

/** Returns an address in ASCII, which all scanners read; undefined for a text that is no http or https address. */
function asciiOf(address: string): string | undefined {
	const url = /^https?:/i.test(address) ? parseAddress(address) : undefined;
	return /^[!-~]*$/.test(address) ? url && address : url?.href;
}

/** Returns the path of a row: a rectangle for each group of dark modules that are next to each other. */
function pathOf(values: readonly boolean[], row: number): string {
	const groups = values.map(Number).join('').matchAll(/1+/g);
	const parts = Array.from(groups, ({ index, 0: { length } }) => {
		return `M${index + quietZone} ${row + quietZone}h${length}v1h-${length}z`;
	});
	return parts.join('');
}

/** Returns an SVG picture of modules. It has the size of the PNG picture, and stays sharp at any other size. */
function svgOf(modules: Modules, scale: number): string {
	const side = modules.length + 2 * quietZone;
	const dark = modules.map(pathOf).join('');
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${side * scale}" height="${side * scale}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">`,
		`<path fill="#ffffff" d="M0 0h${side}v${side}H0z"/>`,
		`<path fill="#000000" d="${dark}"/></svg>`,
	].join('');
}

/** Why a QR code cannot be drawn: a sentence without a period, and what the user can do. */
type PictureProblem = Readonly<Record<'advice' | 'message', string>>;

/** A QR code that can be drawn in each format. */
export interface Picture {
	/** Returns a PNG file with one bit per px. */
	readonly png: () => Uint8Array;
	readonly svg: () => string;
}

/**
 * Returns the QR code of an http or https address. Each module has the same whole number of px, so the picture is the largest
 * that is not larger than the size.
 *
 * @param size max width in px
 */
export function pictureOf(address: string, size: number): Picture | PictureProblem {
	const text = asciiOf(address);
	if (text === undefined) {
		const message = `${quoteText(address)} is not a valid URL, so it has no QR code`;
		return { message, advice: 'Enter a URL like https://short.example/spring-sale.' };
	}
	const modules = modulesOf(text);
	if (modules === undefined) {
		const message = `The URL of ${text.length} characters is too long for a QR code`;
		return { message, advice: 'Use a shorter URL.' };
	}
	const side = modules.length + 2 * quietZone;
	const scale = Math.floor(size / side);
	if (scale < 1) {
		const message = `Size ${size} is too small for the QR code of this URL, which has ${side} modules on each side`;
		const advice = `Set Size to at least ${side}; scanners need about ${4 * side}.`;
		return { message, advice };
	}
	return { png: () => pngOf(modules, { scale, quietZone }), svg: () => svgOf(modules, scale) };
}

/** Max length of a file name, in characters. */
const maxFileName = 200;

/** Returns the name of the file of a QR code: the last part of the address, without characters that some systems refuse. */
function fileNameOf(address: string, extension: string): string {
	const [path = ''] = address.split(/[?#]/, 1);
	const last = path.split('/').filter(Boolean).at(-1) ?? '';
	const safe = last.replace(/[\p{Cc}\p{Cf}\p{Cs}"*:<>\\|]+/gu, '-').replace(/^\.+/, '');
	const name = shorten(safe, maxFileName) || 'qr-code';
	return name.toLowerCase().endsWith(`.${extension}`) ? name : `${name}.${extension}`;
}

/** A QR code: SVG as text, or a file. */
export type QrCode =
	| string
	| { readonly content: Uint8Array; readonly name: string; readonly type: string };

/**
 * Returns a QR code in a format of the form.
 *
 * @param format `png`, `svg` or `svgText`
 * @param address names the file
 */
export function inFormat({ png, svg }: Picture, format: string, address: string): QrCode {
	if (format === 'svgText') return svg();
	const file =
		format === 'png'
			? { content: png(), type: 'image/png' }
			: { content: new TextEncoder().encode(svg()), type: 'image/svg+xml' };
	return { ...file, name: fileNameOf(address, format) };
}
