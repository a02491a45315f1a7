import { readFileSync } from 'node:fs';
import { projectRoot } from '../../support/process.ts';
import { contentOf } from '../support/crop.ts';
import type { Part } from '../support/part.ts';
import { takePicture } from '../support/pictures.ts';
import { account, createLink, type Stage } from '../support/stage.ts';
import { node, workflowOf } from '../support/workflow.ts';

const type = 'n8n-nodes-link-management.linkTrigger';

const page = readFileSync(`${projectRoot}/docs/trigger.md`, 'utf8');
/** The names of the events in the documentation, which are written by hand, and as n8n offers them one by one. */
const names = [...page.matchAll(/^\| (.+)<br>/gm)].map(([, name]) => name);
const starts = names.map((name) => `On ${name?.toLowerCase()}`);

/** How a person builds a workflow that starts when something happens to a link. */
export function triggering(stage: () => Stage): void {
	describe('a person who wants a workflow to start by itself', () => {
		it('finds the events by the words of one', async () => {
			const { editor } = stage();
			const found = await editor.searchNodes('link expired');
			// n8n shows a node and its trigger as one.
			await found.getByText('Link', { exact: true }).waitFor();
			await editor.page.getByText('or start a workflow when something happens to a link').waitFor();
			await found.getByText('Link', { exact: true }).click();
			for (const start of starts) await editor.page.getByText(start, { exact: true }).waitFor();
		});

		it('reads what each event costs, and is asked for thresholds where they count', async () => {
			const { editor } = stage();
			const details = await editor.addTrigger('Link', 'On clicks reached');
			await details.chooseCredential(account);
			expect(await details.root.getByTestId('parameter-input-thresholds').count()).toBe(1);
			await details.field('events').click();
			const options = editor.page.getByRole('option').filter({ visible: true });
			await options.nth(starts.length - 1).waitFor();
			const texts = await options.allInnerTexts();
			expect(texts.map((text) => text.split('\n')[0])).toEqual(names);
			for (const text of texts) expect(text).toMatch(/\n.+\. Uses .+ request.*\.$/);
			// n8n cuts what takes more than two lines.
			const cut = await options.evaluateAll((all: Part[]) =>
				all.flatMap((option) =>
					[...option.querySelectorAll('*')]
						.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)
						.map(({ textContent }) => textContent),
				),
			);
			expect(cut).toEqual([]);

			await options.filter({ hasText: 'Link Created' }).click();
			await options.filter({ hasText: 'Clicks Reached' }).click();
			await editor.page.keyboard.press('Escape');
			await details.root.getByTestId('parameter-input-thresholds').waitFor({ state: 'hidden' });
			for (const filter of ['Alias Starts With', 'Domain', 'Pixel', 'Space'])
				await details.add('Add Filter', filter);
			expect(await details.value('startFrom')).toBe('Now');
			expect(await details.value('output')).toBe('Simplified');
		});

		it('sees a test event, and without a link, what to do to see one', async () => {
			const { editor, rest, service, credential } = stage();
			const parameters = {
				pollTimes: { item: [{ mode: 'everyMinute' }] },
				events: ['clicksReached', 'created', 'updated'],
				thresholds: '100, 1000',
			};
			const trigger = node('Link Trigger', type, parameters);
			const { id } = await rest.addWorkflow(workflowOf('Test event', [trigger]), credential);
			await editor.openWorkflow(id);
			const details = await editor.openNode('Link Trigger');
			await details.execute();
			const told = await details.output.innerText();
			expect(told).toContain('No link matches the filters\nA test event shows your newest link');

			const url = 'https://example.com/spring';
			const link = createLink(service, 'spring', url);
			await details.execute();
			await details.output.locator('tbody tr').waitFor();
			const [row] = await details.rows();
			const shortUrl = `${service.url}/s/spring`;
			expect(row?.[0]).toBe('clicksReached');
			expect(row).toEqual(
				expect.arrayContaining(['true', '100', String(link), 'spring', shortUrl, url]),
			);
			await takePicture(editor.page, 'link-trigger', await contentOf(details.form, details.output));
		});
	});
}
