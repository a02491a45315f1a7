import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../support/process.ts';
import { pictureFolder, taken } from '../support/pictures.ts';

/** Every Markdown file that may show a picture. */
const documents = ['.', 'docs'].flatMap((folder) =>
	readdirSync(join(projectRoot, folder))
		.filter((name) => name.endsWith('.md'))
		.map((name) => join(projectRoot, folder, name)),
);

const shown = () =>
	documents.flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(/pictures\/([\w-]+\.png)/g)].map(
			([, name = '']) => name,
		),
	);

/** What the documentation shows is what this run saw. */
export function pictures(): void {
	describe('the pictures of the documentation', () => {
		it('are all taken by this run', () => {
			expect(readdirSync(pictureFolder).sort()).toEqual([...taken].sort());
			expect([...taken]).toEqual(expect.arrayContaining(shown()));
		});

		it('are small enough for a page', () => {
			const pictures = [...taken].filter((name) => name !== 'sheet-to-links.png');
			const sizes = pictures.map((name) => statSync(join(pictureFolder, name)).size);
			expect(Math.max(...sizes)).toBeLessThan(150_000);
		});
	});
}
