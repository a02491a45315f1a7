import { request } from 'undici';
import { finished } from '../../../testkit/n8n/bulk.ts';
import { chooseCredentials, exampleNames, readExample } from '../../support/exampleFiles.ts';
import { runOf } from '../../support/desk.ts';
import type { Box, Part } from '../support/part.ts';
import { takePicture } from '../support/pictures.ts';
import { createLink, type Stage } from '../support/stage.ts';
import { node, workflowOf } from '../support/workflow.ts';

/** Shows the workflow alone, without the controls that lie over the canvas. */
const workflowAlone = `
body * { visibility: hidden }
.vue-flow__viewport, .vue-flow__viewport * { visibility: visible }
[data-test-id="canvas-node-toolbar"], [data-test-id^="execute-workflow-button"] { display: none }
`;

/** The places of all that is seen of some elements, in pixels of the window. */
const placesIn = (all: Part[]): Box[] =>
	all
		.filter(
			(part) =>
				(part.childElementCount === 0 || part.matches('[data-test-id]')) &&
				!part.closest('[data-test-id="canvas-node-toolbar"]') &&
				!part.closest('[data-test-id^="execute-workflow-button"]'),
		)
		.map((part) => {
			const { left, top, right, bottom } = part.getBoundingClientRect();
			return { left, top, right, bottom };
		});

/** The texts of notes that are cut, because they need more room than they have. */
const cutIn = (notes: Part[]): string[] =>
	notes.flatMap((note) =>
		[note, ...note.querySelectorAll('*')]
			.filter(
				({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
					clientHeight > 0 && (scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1),
			)
			.map(({ textContent }) => textContent.trim().slice(0, 60)),
	);

const overlap = (one: Box, other: Box) =>
	one.left < other.right &&
	other.left < one.right &&
	one.top < other.bottom &&
	other.top < one.bottom;

/** What lies around all of them, and some room around that. */
function around(boxes: Box[], margin = 24) {
	const x = Math.min(...boxes.map(({ left }) => left)) - margin;
	const y = Math.min(...boxes.map(({ top }) => top)) - margin;
	const width = Math.max(...boxes.map(({ right }) => right)) + margin - x;
	const height = Math.max(...boxes.map(({ bottom }) => bottom)) + margin - y;
	return { x, y, width, height };
}

/** Links, and how often each was opened in one week and the next. */
const weeks: readonly (readonly [alias: string, before: number, since: number])[] = [
	['press', 9, 0],
	['jobs', 14, 6],
	['lookbook', 21, 17],
	['newsletter', 8, 24],
	['spring-sale', 30, 41],
];

/** A workflow with both nodes. The tests do not run it. */
const targets = workflowOf('Targets', [
	node('Start', 'n8n-nodes-base.manualTrigger', {}),
	node('Pixel', 'n8n-nodes-link-management.pixel', { operation: 'create', name: 'Shoppers' }),
	node('Links', 'n8n-nodes-link-management.link', { operation: 'getAll' }),
]);

/** The example workflows as a person sees them after the import. */
export function examples(stage: () => Stage): void {
	describe('the canvas', () => {
		it('shows on what each node works, and icons that are drawn for its theme', async () => {
			const { editor, rest, credential } = stage();
			const { id } = await rest.addWorkflow(targets, credential);
			for (const [theme, icons] of [
				['light', ['pixel.svg', 'link.svg']],
				['dark', ['pixel.dark.svg', 'link.dark.svg']],
			] as const) {
				await editor.page.emulateMedia({ colorScheme: theme });
				await editor.openWorkflow(id);
				const images = editor.page.getByTestId('canvas-node').locator('img');
				const shown = await images.evaluateAll((all: { src: string; naturalWidth: number }[]) =>
					// A picture that could not be loaded has no width of its own.
					all.map(({ src, naturalWidth }) => naturalWidth > 0 && src.split('/').at(-1)),
				);
				expect(shown).toEqual(icons);
			}
			const texts = await editor.page.getByTestId('canvas-node').allInnerTexts();
			expect(texts.slice(1).map((text) => text.split('\n').at(-1))).toEqual([
				'create: Shoppers',
				'getAll: links',
			]);
		});

		it.each(exampleNames)(
			'shows %s so that it can be read, and nothing hides anything',
			async (name) => {
				const { editor, rest, credential } = stage();
				const example = readExample(name);
				await chooseCredentials(example, async (type) => await rest.addCredential(type, type, {}));
				const { id } = await rest.addWorkflow(example, credential);
				await editor.page.setViewportSize({ width: 1600, height: 1000 });
				await editor.openWorkflow(id);

				const notes = editor.page.getByTestId('sticky');
				const isNote = ({ type }: { type: string }) => type === 'n8n-nodes-base.stickyNote';
				expect(await notes.count()).toBe(example.nodes.filter(isNote).length);
				expect(await notes.evaluateAll(cutIn)).toEqual([]);
				const noteBoxes = await notes.evaluateAll(placesIn);
				const nodeBoxes = await editor.page
					.locator('[data-test-id="canvas-node"], [data-test-id="canvas-node"] *')
					.evaluateAll(placesIn);
				const hidden = noteBoxes.filter((note, at) =>
					[...nodeBoxes, ...noteBoxes.slice(at + 1)].some((other) => overlap(note, other)),
				);
				expect(hidden).toEqual([]);
				const clip = around([...noteBoxes, ...nodeBoxes]);
				await takePicture(editor.page, `example-${name}`, { clip, style: workflowAlone });
			},
		);
	});

	it('the report of weekly-click-report shows a bar and a row for each link, as wide as the page', async () => {
		const { editor, rest, service, credential } = stage();
		const { id } = await rest.addWorkflow(readExample('weekly-click-report'), credential);
		const run = async () => {
			const execution = await rest.start(id, 'Every Monday at 7:00');
			const { status, data } = await finished(rest, execution);
			expect(status).toBe('success');
			return runOf(status, data).items('Draw chart and table')[0]?.html;
		};
		const click = async (alias: string, times: number) => {
			for (let count = 0; count < times; count += 1)
				await (await request(`${service.url}/s/${alias}`)).body.dump();
		};
		for (const [alias, before] of weeks) {
			createLink(service, alias, `https://example.com/${alias}`);
			await click(alias, before);
		}
		await run();
		for (const [alias, , since] of weeks) await click(alias, since);
		const html = String(await run());
		const page = await editor.page.context().newPage();
		try {
			await page.setViewportSize({ width: 860, height: 640 });
			// The same day in each picture.
			await page.setContent(html.replace(/until [^<]+/, 'until 3 March 2031'));
			const texts = await page.locator('tr td:first-child').allInnerTexts();
			expect(texts).toEqual(['spring-sale', 'newsletter', 'lookbook', 'jobs', 'press']);
			expect(await page.locator('svg rect').count()).toBe(weeks.length);
			const width = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
			expect(await page.evaluate(width)).toBe(0);
			await takePicture(page, 'example-weekly-click-report-page');
		} finally {
			await page.close();
		}
	});
}
