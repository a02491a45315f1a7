import { createLink } from '../support/account.ts';
import type { Stage } from '../support/stage.ts';
import { node, workflowOf } from '../support/workflow.ts';

const names = ['spring-1', 'spring-2', 'spring-3', 'spring-4', 'spring-5'];

const sheet = names.map((alias) => ({ alias, url: `https://example.com/${alias}` }));

/** How a person goes on after a run of many rows that ended half-way. */
export function resuming(stage: () => Stage): void {
	describe('a person whose list ends half-way', () => {
		it('reads which row it was, and has each link once after doing what the error says', async () => {
			const { editor, rest, service, credential } = stage();
			await createLink(service, {
				...{ url: 'https://example.com/old', alias: 'spring-3' },
				domain_id: '1',
			});
			const parameters = {
				operation: 'create',
				mappingColumnMode: 'autoMapInputData',
				domainId: { __rl: true, mode: 'id', value: '1' },
				options: { requests: { settings: { concurrency: 1 } } },
			};
			const nodes = [
				node('Start', 'n8n-nodes-base.manualTrigger', {}),
				node('Sheet', 'n8n-nodes-base.code', { jsCode: `return ${JSON.stringify(sheet)};` }),
				node('Links', 'n8n-nodes-link-management.link', parameters),
			];
			const { id } = await rest.addWorkflow(workflowOf('Half-way', nodes), credential);
			await editor.openWorkflow(id);
			const details = await editor.openNode('Links');
			await details.execute();
			// To the letter: n8n writes no number of its own behind it.
			expect(await details.output.getByTestId('node-error-message').innerText()).toBe(
				'Item 3 (spring-3): The service did not accept the values (HTTP 422): Alias: The alias has already been taken. Sent: "spring-3"',
			);
			expect(await details.output.getByTestId('node-error-description').innerText()).toMatch(
				/ Items done: 1–2\. Items not sent: 4–5\. Items failed: 3\. Fix the failures, remove the items that are done or unknown, and run the node again\. If Alias is set in each item, you can switch Operation to Create or Update and keep all items instead\.$/,
			);

			await details.choose('operation', 'Create or Update');
			await details.execute();
			await details.output.getByText(/^5 items: 2 created, 1 updated, 2 unchanged/).waitFor();
			expect(service.counts().links).toBe(names.length);
		});

		it('reads of all bad rows at once by the same numbers', async () => {
			const { editor, rest, service, credential } = stage();
			const bad = sheet.map((row, index) => (index % 2 ? { ...row, url: 'no address' } : row));
			const nodes = [
				node('Start', 'n8n-nodes-base.manualTrigger', {}),
				node('Sheet', 'n8n-nodes-base.code', { jsCode: `return ${JSON.stringify(bad)};` }),
				node('Links', 'n8n-nodes-link-management.link', { mappingColumnMode: 'autoMapInputData' }),
			];
			const { id } = await rest.addWorkflow(workflowOf('Bad rows', nodes), credential);
			await editor.openWorkflow(id);
			const details = await editor.openNode('Links');
			await details.execute();
			expect(await details.output.getByTestId('node-error-message').innerText()).toBe(
				'2 of 5 items cannot be sent',
			);
			expect(await details.output.getByTestId('node-error-description').innerText()).toMatch(
				/^Items 2 \(spring-2\), 4 \(spring-4\): Destination URL "no address" must start with https:\/\//,
			);
			expect(service.requests).toEqual([]);
		});
	});
}
