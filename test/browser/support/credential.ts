import type { Locator, Page } from 'playwright-core';

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

	/** What the dialog says once a test has failed, details unfolded. */
	async failure(): Promise<string> {
		const more = this.root.getByText('More details');
		await more.click();
		await more.waitFor({ state: 'hidden' });
		return await this.root.innerText();
	}
}
