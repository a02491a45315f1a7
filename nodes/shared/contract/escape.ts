/**
 * Untrusted texts: cells, column names, responses of the service. They stay plain until they are passed to n8n,
 * which shows some of them as HTML. docs/architecture.md lists these under "Untrusted texts".
 */

/** Replaces line breaks, other control characters and marks that change the writing direction with spaces. */
export const oneLine = (text: string): string =>
	text.replace(/[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]+/gu, ' ');

const entities = new Map([
	['&', '&amp;'],
	['<', '&lt;'],
	['>', '&gt;'],
	// n8n renders text between backticks as code.
	['`', '&#96;'],
]);

/** Escapes a text for HTML. Leaves quotes unchanged, so the result is not safe in attributes. */
export const escapeHtml = (text: string): string =>
	text.replace(/[&<>`]/g, (character) => entities.get(character) ?? character);

/** Replaces angle brackets with similar characters, so that the text looks the same as plain text and as HTML. */
const withoutTags = (text: string): string => text.replaceAll('<', '‹').replaceAll('>', '›');

/** The parts of an error that the editor shows. */
interface ShownError {
	message: string;
	description?: string | null;
}

/**
 * Prepares an error for the editor: escapes its description as HTML and removes tags from its message.
 *
 * @param isTool whether a model reads the message as plain text
 */
export function forEditor<E extends ShownError>(error: E, isTool = false): E {
	if (!isTool) error.message = withoutTags(oneLine(error.message));
	if (error.description) error.description = escapeHtml(error.description);
	return error;
}
