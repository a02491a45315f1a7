import type { Locator, Page } from 'playwright-core';

/** The list from which a person picks a resource. */
export class PickList {
	readonly root: Locator;
	readonly entries: Locator;

	constructor(page: Page) {
		this.root = page.getByTestId('resource-locator-dropdown').filter({ visible: true });
		this.entries = page.getByTestId('rlc-item');
	}

	/** Picks the entry that begins with this text. */
	async choose(text: string): Promise<void> {
		await this.entries.filter({ hasText: text }).first().click();
	}

	/** Types into the search field of the list. */
	async search(text: string): Promise<void> {
		await this.root.page().getByTestId('rlc-search').fill(text);
	}

	/** Moves to the last entry that is loaded. */
	async scrollToEnd(): Promise<void> {
		await this.entries.last().scrollIntoViewIfNeeded();
	}
}
