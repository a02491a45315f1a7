import type { Locator, Page } from 'playwright-core';
import type { Login } from '../../../testkit/n8n/rest.ts';
import { CredentialDialog, NodeDetails } from './details.ts';

/** What pictures and tests start from: small enough for a page of documentation. */
const viewport = { width: 1280, height: 800 };

/** The editor of n8n as a person uses it: everything by what is seen and clicked. */
export class Editor {
	readonly page: Page;
	private readonly url: string;

	constructor(page: Page, url: string) {
		this.page = page;
		this.url = url;
	}

	/** Signs in with the form that a visitor sees. */
	async signIn({ email, password }: Login): Promise<void> {
		await this.page.goto(`${this.url}/signin`);
		await this.page.locator('input[name="emailOrLdapLoginId"]').fill(email);
		await this.page.locator('input[name="password"]').fill(password);
		await this.page.getByRole('button', { name: 'Sign in' }).click();
		await this.page.waitForURL(({ pathname }) => !pathname.startsWith('/signin'));
	}

	/** A light window of the usual size, whatever the test before did to it. */
	async reset(): Promise<void> {
		await this.page.emulateMedia({ colorScheme: 'light' });
		await this.page.setViewportSize(viewport);
	}

	/** Goes to a page by way of n8n's home: to load the editor again, which also closes a dialog, takes ten seconds. */
	async go(path: string): Promise<void> {
		const { root: dialog } = new CredentialDialog(this.page);
		if (await dialog.isVisible()) return void (await this.page.goto(this.url + path));
		// A list that a scene has left open would cover the page.
		await this.page.keyboard.press('Escape');
		// As the Back button of the browser does it.
		const event = "dispatchEvent(new PopStateEvent('popstate', { state: null }))";
		const show = async (to: string) =>
			await this.page.evaluate(`history.pushState(null, '', '${to}'); ${event}`);
		const home = this.page.getByTestId('project-tabs');
		const leave = this.page.getByRole('button', { name: 'Leave without saving' });
		await show('/home/workflows');
		do {
			await leave.or(home).first().waitFor();
			if (await leave.isVisible()) await leave.click();
			await leave.waitFor({ state: 'hidden' });
		} while (!(await home.isVisible()));
		await show(path);
	}

	/** Opens an empty workflow and types into the search of the nodes panel; returns the entries. */
	async searchNodes(text: string): Promise<Locator> {
		await this.go('/workflow/new');
		await this.page.getByTestId('node-creator-plus-button').click();
		await this.page.getByTestId('node-creator-search-bar').fill(text);
		return this.page.getByTestId('node-creator-item-name');
	}

	/** Adds a node to an empty workflow by one of its actions, and stands in its details then. */
	async addAction(node: string, action: string): Promise<NodeDetails> {
		await this.openEntry(node);
		const entry = this.page.getByText(action, { exact: true });
		// In an empty workflow, what a node does is folded where it has a trigger, too.
		if (!(await entry.isVisible())) await this.page.getByText(/^Actions \(/).click();
		await entry.click();
		return await this.details();
	}

	/** Starts an empty workflow with a trigger of a node, and stands in its details then. */
	async addTrigger(node: string, event: string): Promise<NodeDetails> {
		await this.openEntry(node);
		await this.page.getByText(event, { exact: true }).click();
		return await this.details();
	}

	/** Opens the entry of a node in the nodes panel of an empty workflow: a list of what it does. */
	private async openEntry(node: string): Promise<void> {
		const found = await this.searchNodes(node);
		await found.getByText(node, { exact: true }).click();
		await this.page
			.getByText(/^(Actions|Triggers) \(/)
			.first()
			.waitFor();
	}

	/** Opens a stored workflow, with all of its nodes in view. */
	async openWorkflow(id: string): Promise<void> {
		await this.go(`/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
		await this.page.getByTestId('zoom-to-fit').click();
	}

	/** Runs the open workflow. */
	async execute(): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').click();
		await this.page.getByText('Workflow executed successfully').waitFor();
	}

	/**
	 * Opens the panel below the canvas that shows what came out of the last node, with all nodes in view above it.
	 *
	 * @param height of the panel, in pixels
	 */
	async openLogs(height: number): Promise<Locator> {
		await this.page.getByTestId('logs-overview-header').click();
		const logs = this.page.getByTestId('logs-panel');
		const box = await logs.boundingBox();
		const { mouse } = this.page;
		await mouse.move(600, box?.y ?? 0);
		await mouse.down();
		await mouse.move(600, (box?.y ?? 0) + (box?.height ?? 0) - height, { steps: 5 });
		await mouse.up();
		// By keyboard, as a node that moves below the mouse would stay marked.
		await mouse.move(0, 0);
		for (const key of ['1', '-']) await this.page.keyboard.press(key);
		return logs;
	}

	/** Closes that panel, which would stay open in other workflows. */
	async closeLogs(): Promise<void> {
		await this.page.getByRole('button', { name: 'Collapse panel' }).click();
		await this.page.getByTestId('logs-details-body').waitFor({ state: 'hidden' });
	}

	/** Opens the details of a node on the canvas. */
	async openNode(name: string): Promise<NodeDetails> {
		await this.page.getByTestId('canvas-node').filter({ hasText: name }).dblclick();
		return await this.details();
	}

	private async details(): Promise<NodeDetails> {
		const details = new NodeDetails(this.page);
		await details.root.waitFor();
		return details;
	}
}
