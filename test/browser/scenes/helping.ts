import { createLink } from '../support/account.ts';
import { contentOf } from '../support/crop.ts';
import { takePicture } from '../support/pictures.ts';
import type { Stage } from '../support/stage.ts';
import { node, workflowOf } from '../support/workflow.ts';

/** What the form says by itself while a person works with it. */
export function helping(stage: () => Stage): void {
	describe('a person who needs help', () => {
		it('sees on the canvas what each node works on', async () => {
			const { editor, rest, credential } = stage();
			const linkId = {
				__rl: true,
				mode: 'list',
				value: 7,
				cachedResultName: 'spring → https://e.com',
			};
			const nodes = [
				node('Start', 'n8n-nodes-base.manualTrigger', {}),
				node('Change', 'n8n-nodes-link-management.link', { operation: 'update', linkId }),
				node('Add', 'n8n-nodes-link-management.pixel', { operation: 'create', name: 'Shoppers' }),
				node('All', 'n8n-nodes-link-management.link', { operation: 'getAll' }),
				node('Row', 'n8n-nodes-link-management.link', {
					operation: 'create',
					url: '={{ $json.url }}',
				}),
				node('None', 'n8n-nodes-link-management.pixel', { operation: 'get' }),
			];
			const { id } = await rest.addWorkflow(workflowOf('Targets', nodes), credential);
			await editor.openWorkflow(id);
			const texts = await editor.page.getByTestId('canvas-node').allInnerTexts();
			expect(texts.map((text) => text.split('\n').at(-1)).slice(1)).toEqual([
				'update: spring → https://e.com',
				'create: Shoppers',
				'getAll: links',
				'create: {{ $json.url }}',
				'get',
			]);
		});

		it('is told what a field needs beside it, until it is there', async () => {
			const { editor } = stage();
			const details = await editor.addAction('Link', 'Create link');
			const hint = (text: string) => details.output.getByText(text);
			expect(await hint('Target Type needs rules').count()).toBe(0);
			await details.add('Add Field', 'Target Type');
			await details.choose('targetType', 'Geographic');
			await hint('Target Type needs rules').waitFor();
			await takePicture(editor.page, 'hint', await contentOf(details.form, details.output));
			await details.add('Add Field', 'Country Rules');
			await details.addRule('Add Country');
			await details.choose('key', 'Germany');
			await hint('Target Type needs rules').waitFor({ state: 'hidden' });
			expect(await details.value('key')).toBe('Germany');

			await details.add('Add Field', 'Statistics Privacy');
			await details.choose('privacy', 'Password');
			await hint('Set Statistics Password, too').waitFor();
			await details.add('Add Field', 'Statistics Password');
			await details.fill('privacyPassword', 'for-statistics');
			await hint('Set Statistics Password, too').waitFor({ state: 'hidden' });
		});

		it('is told of the rate limit before a run that may reach it, and after one that changed nothing', async () => {
			const { editor, rest, service, credential } = stage();
			const id = await createLink(service, { url: 'https://e.com', domain_id: '1', alias: 'same' });
			const parameters = {
				operation: 'upsert',
				url: 'https://e.com',
				domainId: { __rl: true, mode: 'id', value: '1' },
				alias: 'same',
				options: { requests: { settings: { concurrency: 50 } } },
			};
			const nodes = [
				node('Start', 'n8n-nodes-base.manualTrigger', {}),
				node('Sync', 'n8n-nodes-link-management.link', parameters),
			];
			const stored = await rest.addWorkflow(workflowOf('Hints', nodes), credential);
			await editor.openWorkflow(stored.id);
			const details = await editor.openNode('Sync');
			await details.output.getByText('More than 20 concurrent requests').waitFor();
			await details.execute();
			await details.output.getByText('Nothing was changed. 1 item: 1 unchanged.').waitFor();
			expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
			expect(id).toBeGreaterThan(0);
		});
	});
}
