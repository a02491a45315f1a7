import type { Stage } from '../support/stage.ts';
import { node, workflowOf } from '../support/workflow.ts';

/** A workflow with both nodes, which nobody runs. */
const workflow = workflowOf('Appearance', [
	node('Start', 'n8n-nodes-base.manualTrigger', {}),
	node('Create pixel', 'n8n-nodes-link-management.pixel', {
		operation: 'create',
		name: 'Shoppers',
		type: 'facebook',
		value: '123',
	}),
	node('Create link', 'n8n-nodes-link-management.link', {
		operation: 'create',
		url: 'https://example.com',
		domainId: { __rl: true, mode: 'id', value: '1' },
	}),
]);

/** How the nodes look on the canvas. */
export function appearance(stage: () => Stage): void {
	describe('the canvas', () => {
		it.each([
			{ theme: 'light', icons: ['pixel.svg', 'link.svg'] },
			{ theme: 'dark', icons: ['pixel.dark.svg', 'link.dark.svg'] },
		] as const)('shows the icons that are drawn for a $theme screen', async ({ theme, icons }) => {
			const { editor, rest, credential } = stage();
			const { id } = await rest.addWorkflow(workflow, credential);
			await editor.page.emulateMedia({ colorScheme: theme });
			await editor.openWorkflow(id);
			const images = editor.page.getByTestId('canvas-node').locator('img');
			expect(await images.count()).toBe(icons.length);
			for (const [index, icon] of icons.entries()) {
				const image = images.nth(index);
				expect(await image.getAttribute('src')).toMatch(new RegExp(`/${icon}$`));
				// A picture that could not be loaded has no width of its own.
				const width = await image.evaluate(
					({ naturalWidth }: { naturalWidth: number }) => naturalWidth,
				);
				expect(width).toBeGreaterThan(0);
			}
		});
	});
}
