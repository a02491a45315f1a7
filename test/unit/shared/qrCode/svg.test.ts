import { svgOf } from '../../../../nodes/shared/qrCode/svg';
import { readSvg, colorAt } from '../../../support/pictures.ts';

it('draws a rectangle for each group of dark modules in a row', () => {
	const modules = [
		[true, true, false, true],
		[false, false, false, false],
		[true, true, true, true],
		[false, true, true, false],
	];
	const svg = svgOf(modules, { scale: 5, quietZone: 1 });
	expect(svg).toBe(
		'<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30" viewBox="0 0 6 6" shape-rendering="crispEdges"><path fill="#ffffff" d="M0 0h6v6H0z"/><path fill="#000000" d="M1 1h2v1h-2zM4 1h1v1h-1zM1 3h4v1h-4zM2 4h2v1h-2z"/></svg>',
	);
	const picture = readSvg(svg);
	expect(colorAt(picture, 5, 5)).toEqual([0, 0, 0]);
	expect(colorAt(picture, 4, 5)).toEqual([255, 255, 255]);
});
