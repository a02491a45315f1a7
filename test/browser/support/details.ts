import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';

/** The list from which a person picks a resource. */
export class PickList {
	readonly entries: Locator;
	/** What is in place of the entries if they could not be loaded. */
	readonly error: Locator;

	constructor(page: Page) {
		this.entries = page.getByTestId('rlc-item');
		this.error = page.getByTestId('rlc-error-container');
	}

	/** Picks the first entry with this text. */
	async choose(text: string): Promise<void> {
		await this.entries.filter({ hasText: text }).first().click();
	}
}

/** The dialog in which a person enters a credential; n8n tests it when it is saved. */
export class CredentialDialog {
	readonly root: Locator;

	constructor(page: Page) {
		this.root = page.getByTestId('editCredential-modal');
	}

	/** Fills both fields and saves. */
	async save(baseUrl: string, apiKey: string): Promise<void> {
		await this.root.getByTestId('parameter-input-baseUrl').locator('input').fill(baseUrl);
		await this.root.getByTestId('parameter-input-apiKey').locator('input').fill(apiKey);
		await this.root.getByTestId('credential-save-button').click();
	}
}

/** The details view of a node: its parameters in the middle, its output on the right. */
export class NodeDetails {
	readonly root: Locator;
	/** The rows that come in. */
	readonly input: Locator;
	readonly form: Locator;
	readonly output: Locator;
	private readonly page: Page;

	constructor(page: Page) {
		this.page = page;
		this.root = page.getByTestId('ndv');
		this.input = page.getByTestId('ndv-input-panel');
		this.form = page.getByTestId('node-parameters');
		this.output = page.getByTestId('output-panel');
	}

	/** A parameter by its name; the last one where a collection repeats it, which is the one just added. */
	field(name: string): Locator {
		return this.root.getByTestId(`parameter-input-${name}`).last();
	}

	/** Types into a text field and leaves it, as its hint would cover the next field. */
	async fill(name: string, text: string): Promise<void> {
		const input = this.field(name).locator('input').last();
		await input.fill(text);
		await input.blur();
	}

	/** Chooses from a list of options, once it is loaded, narrowing it down by typing. */
	async choose(name: string, option: string): Promise<void> {
		await this.field(name).locator('input:enabled').first().waitFor();
		await this.field(name).click();
		await this.page.keyboard.type(option);
		await this.option(option).click();
	}

	/** Opens the list of a parameter that names a resource. */
	async openList(name: string): Promise<PickList> {
		await this.locator(name).getByTestId('rlc-input').click();
		return new PickList(this.page);
	}

	/** Chooses a resource from its list by the text of its entry. */
	async pick(name: string, entry: string): Promise<void> {
		const list = await this.openList(name);
		await list.choose(entry);
	}

	/** Names a resource by its ID. */
	async fillId(name: string, id: string): Promise<void> {
		await this.locator(name).getByTestId('rlc-mode-selector').click();
		await this.page.getByTestId('mode-id').filter({ visible: true }).click();
		// The editor takes over the mode a moment later, and what was typed before is lost then.
		await this.page.waitForTimeout(500);
		const input = this.locator(name).getByTestId('rlc-input');
		await input.fill(id);
		await input.blur();
	}

	/** Adds a field to a collection by the text of its button, such as "Add Field". */
	async add(button: string, field: string): Promise<void> {
		await this.root.getByPlaceholder(button).click();
		await this.option(field).click();
	}

	/** What a text field holds, or which entry of a list is chosen. */
	async value(name: string): Promise<string> {
		return await this.field(name).locator('input').last().inputValue();
	}

	/** The ID by which a resource is named. */
	async id(name: string): Promise<string> {
		return await this.locator(name).getByTestId('rlc-input').inputValue();
	}

	/** Whether a switch is on. */
	async isOn(name: string): Promise<boolean> {
		return await this.field(name).getByRole('switch').isChecked();
	}

	/** Adds one more rule to a list of them. */
	async addRule(button: string): Promise<void> {
		await this.root.getByRole('button', { name: button, exact: true }).click();
	}

	/** Chooses a stored credential. */
	async chooseCredential(name: string): Promise<void> {
		await this.root.getByTestId('node-credentials-select').click();
		await this.option(name).click();
	}

	/** Opens the dialog for a new credential. */
	async newCredential(): Promise<CredentialDialog> {
		await this.root.getByTestId('node-credentials-select').click();
		await this.page.getByText('Create new credential').filter({ visible: true }).click();
		return new CredentialDialog(this.page);
	}

	/** Opens the dialog of the chosen credential. */
	async editCredential(): Promise<CredentialDialog> {
		await this.root.getByTestId('credential-edit-button').click();
		return new CredentialDialog(this.page);
	}

	/** Runs the node, and returns once its output panel shows items or an error. */
	async execute(): Promise<void> {
		// After a test of a trigger, the button stops it for a moment.
		await this.root.getByTestId('node-execute-button').filter({ hasNotText: 'Stop' }).click();
		await this.output.locator('[data-test-id^="node-run-status-"]').waitFor();
	}

	/** Runs the nodes before this one, and returns once their items are there. */
	async executePrevious(): Promise<void> {
		await this.root.getByTestId('execute-previous-node').click();
		await this.root
			.getByTestId('ndv-input-panel')
			.getByTestId('run-data-schema-item')
			.first()
			.waitFor();
	}

	/** Returns the cells of each row of the output's table, after n8n has drawn all of them. */
	async rows(): Promise<string[][]> {
		return await this.whenDrawn(async () => {
			const rows = await this.output.locator('tbody tr').all();
			return await Promise.all(rows.map(async (row) => await row.locator('td').allInnerTexts()));
		});
	}

	/** Returns the message or the description of the error in the output. */
	async error(part: 'description' | 'message'): Promise<string> {
		return await this.output.getByTestId(`node-error-${part}`).innerText();
	}

	/** Returns the headings of the output's table. */
	async headings(): Promise<string[]> {
		const headings = this.output.locator('thead th').filter({ hasText: /\w/ });
		const texts = await this.whenDrawn(async () => await headings.allInnerTexts());
		return texts.map((text) => text.trim());
	}

	/** Goes back to the canvas. */
	async close(): Promise<void> {
		await this.root.getByTestId('ndv-close-button').click();
		await this.root.waitFor({ state: 'hidden' });
	}

	/** Reads the output's table until two reads in a row agree, because n8n draws it row by row. */
	private async whenDrawn<T>(read: () => Promise<T>): Promise<T> {
		await this.output.locator('tbody tr').first().waitFor();
		for (let before = await read(); ; ) {
			await this.page.waitForTimeout(300);
			const now = await read();
			if (isDeepStrictEqual(now, before)) return now;
			before = now;
		}
	}

	private locator(name: string): Locator {
		return this.root.getByTestId(`resource-locator-${name}`);
	}

	private option(text: string): Locator {
		const title = this.page.getByText(text, { exact: true });
		return this.page.getByRole('option').filter({ has: title, visible: true });
	}
}
