import { html, redirect, type Answer } from './answers.ts';
import type { Database } from './database.ts';

/**
 * Answers a request for the web site around the API: its front page, its login page, and the short URLs. Everything else is
 * an HTML page too: what a client meets whose base URL is wrong (assumption: the web site's answers).
 */
export function websiteAnswer(database: Database, method: string, url: string): Answer {
	// The web site takes no form without its own token, and says so with a page (419).
	if (method !== 'GET') return html(419, 'Page expired');
	const [path = ''] = url.split('?');
	if (path === '/') return html(200, 'Links');
	if (path === '/login') return html(200, 'Log in');
	const [, domain = '1', alias] = /^\/s\/(?:([^/]+)\/)?([^/]+)$/.exec(path) ?? [];
	return alias === undefined ? html(404, 'Not found') : visit(database, domain, alias);
}

/** Counts a click and sends the visitor on (the contract's section 1 does not show what visitors meet). */
function visit(database: Database, domain: string, alias: string): Answer {
	const link = database
		.prepare('UPDATE links SET clicks = clicks + 1 WHERE domain_id = ? AND alias = ? RETURNING url')
		.get(domain, alias);
	if (typeof link?.url !== 'string') return html(404, 'Not found');
	// Percent-encoded, because a header carries neither line breaks nor letters beyond Latin.
	return redirect(URL.canParse(link.url) ? new URL(link.url).href : encodeURI(link.url));
}
