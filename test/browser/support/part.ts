/** As much of an element of a page as the tests look at. */
export interface Part {
	scrollHeight: number;
	clientHeight: number;
	scrollWidth: number;
	clientWidth: number;
	childElementCount: number;
	parentElement: Part | null;
	textContent: string;
	closest(css: string): unknown;
	contains(other: Part): boolean;
	matches(css: string): boolean;
	checkVisibility(options: object): boolean;
	getBoundingClientRect(): Box;
	querySelectorAll(css: string): Iterable<Part>;
}

/** A place on a page, in pixels of the window. */
export interface Box {
	left: number;
	top: number;
	right: number;
	bottom: number;
}
