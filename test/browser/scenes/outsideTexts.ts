import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from 'playwright-core';
import { account, type Stage } from '../support/stage.ts';
import { node, workflowOf } from '../support/workflow.ts';

const signIn = '<a href="https://evil.example/">Sign in to n8n again</a>';

/** What a text that is seen as it is contains none of. */
const elementsIn = async (shown: Locator) => await shown.locator('a, img, input').count();

/** Texts that are markup, in each place of the editor that shows HTML. */
export function outsideTexts(stage: () => Stage): void {
	describe('a person whose rows and service send markup', () => {
		let images: Server;
		/** Paths that anything asked for. */
		let fetched: (string | undefined)[];
		let image: string;

		beforeEach(async () => {
			fetched = [];
			images = createServer(({ url }, response) => {
				fetched.push(url);
				response.end();
			});
			await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve));
			const { port } = images.address() as AddressInfo;
			image = `<img src=http://127.0.0.1:${port}/x.png>`;
		});
		afterEach(async () => {
			stage().service.set({ faults: [] });
			await new Promise((resolve) => images.close(resolve));
			expect(fetched).toEqual([]);
		});

		const refuse = (status: number, message: unknown) =>
			stage().service.set({
				faults: [{ effect: { kind: 'status', status, body: { message, status } } }],
			});

		/** Opens a workflow that creates links from rows, and the details of its last node. */
		const opened = async (rows: object[], parameters: object = {}) => {
			const { editor, rest, credential } = stage();
			const nodes = [
				node('Start', 'n8n-nodes-base.manualTrigger', {}),
				node('Sheet', 'n8n-nodes-base.code', { jsCode: `return ${JSON.stringify(rows)};` }),
				node('Links', 'n8n-nodes-link-management.link', {
					operation: 'create',
					mappingColumnMode: 'autoMapInputData',
					domainId: { __rl: true, mode: 'id', value: '1' },
					...parameters,
				}),
			];
			const { id } = await rest.addWorkflow(workflowOf('Markup', nodes), credential);
			await editor.openWorkflow(id);
			return await editor.openNode('Links');
		};

		const url = 'https://example.com/';

		it('reads the name of a column in the hint', async () => {
			const details = await opened([{ url, alias: 'one', [image]: 'x', [signIn]: 'x' }]);
			await details.execute();
			const hint = details.output.getByTestId('node-hint').filter({ hasText: 'Mapped columns' });
			expect(await hint.innerText()).toContain(
				`Ignored columns: "${image}", ${JSON.stringify(signIn)}.`,
			);
			expect(await elementsIn(hint)).toBe(0);
		});

		it('reads the words of the service in an error, in the notification of it, and below it', async () => {
			refuse(422, { alias: [`${signIn}${image}`] });
			const details = await opened([{ url, alias: 'one' }]);
			await details.execute();
			const seen = `Alias: ${signIn}${image}`.replaceAll('<', '‹').replaceAll('>', '›');
			expect(await details.error('message')).toContain(seen);
			const { page } = stage().editor;
			const notification = page.locator('.el-notification').filter({ hasText: 'Problem in node' });
			expect(await notification.innerText()).toContain(seen);
			expect(await elementsIn(notification)).toBe(0);

			refuse(403, `${signIn}${image} \`go\``);
			const again = await opened([{ url, alias: 'one' }, { url }]);
			await again.execute();
			const description = again.output.getByTestId('node-error-description');
			expect(await description.innerText()).toContain(
				`The service said: ${signIn}${image} \`go\`. Items`,
			);
			expect(await elementsIn(description)).toBe(0);
		});

		it('reads them where a list should be, and in the warning at a list of choices', async () => {
			const { editor } = stage();
			const details = await editor.addAction('Link', 'Create link');
			await details.chooseCredential(account);
			refuse(500, `${signIn}${image}`);
			await details.openList('domainId');
			const error = editor.page.getByTestId('rlc-error-container');
			await error.waitFor();
			expect(await error.innerText()).toContain(`The service said: ${signIn}${image}`);
			expect(await elementsIn(error)).toBe(0);
			await editor.page.keyboard.press('Escape');
			refuse(403, `${signIn}${image}`);
			await details.add('Add Field', 'Pixel Names or IDs');
			await details.root.getByTestId('parameter-issues').hover();
			const warning = editor.page.locator('.titled-list-item');
			expect(await warning.innerText()).toContain('The service said: ‹a href=');
			expect(await elementsIn(warning)).toBe(0);
		});
	});
}
