import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Database } from './database.ts';
import { html, redirect, type Answer } from './answers.ts';

/**
 * Adds the web site around the API: its front page, its login page, and the short URLs. Everything else is an HTML
 * page too: what a client meets whose base URL is wrong (assumption: the web site's answers).
 */
export function addWebsite(app: FastifyInstance, database: Database): void {
	const send = (reply: FastifyReply, { status, headers, payload }: Answer) =>
		reply.code(status).headers(headers).send(payload);

	app.get('/', (_request, reply) => send(reply, html(200, 'Links')));
	app.get('/login', (_request, reply) => send(reply, html(200, 'Log in')));
	app.get<{ Params: { alias: string } }>('/s/:alias', ({ params }, reply) =>
		send(reply, visit(database, '1', params.alias)),
	);
	app.get<{ Params: { domain: string; alias: string } }>('/s/:domain/:alias', ({ params }, reply) =>
		send(reply, visit(database, params.domain, params.alias)),
	);
	// The web site takes no form without its own token, and says so with a page (419).
	app.setNotFoundHandler(({ method }, reply) =>
		send(reply, method === 'GET' ? html(404, 'Not found') : html(419, 'Page expired')),
	);
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
