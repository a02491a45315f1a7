import type { Locator, Page } from 'playwright-core';

/** The list from which a person picks a resource. */
export class PickList {
	readonly entries: Locator;
	/** What stands in place of the entries when they could not be loaded. */
	readonly error: Locator;
	private readonly page: Page;

	constructor(page: Page) {
		this.page = page;
		this.entries = page.getByTestId('rlc-item');
		this.error = page.getByTestId('rlc-error-container');
	}

	/** An entry by its place in the list, from 0. */
	entry(index: number): Locator {
		return this.entries.nth(index);
	}

	/** Picks the first entry with this text. */
	async choose(text: string): Promise<void> {
		await this.entries.filter({ hasText: text }).first().click();
	}

	/** Types into the search field of the list. */
	async search(text: string): Promise<void> {
		await this.page.getByTestId('rlc-search').fill(text);
	}

	/** Moves to the last entry that is loaded. */
	async scrollToEnd(): Promise<void> {
		await this.entries.last().scrollIntoViewIfNeeded();
	}
}
