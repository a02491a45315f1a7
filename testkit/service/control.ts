import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refusal } from './answers.ts';
import type { RunningService } from './running.ts';
import type { Settings } from './settings.ts';

/** The header that every control request has. A page of another site cannot send it without asking first. */
export const controlHeader = { 'x-demo-control': '1' };

/**
 * Returns why a request may come from a web page, which must not steer the service; undefined if it cannot. A page of another
 * site has another Origin. A page whose host name was made to lead to this machine (DNS rebinding) has another Host.
 */
function whyRefused({ headers, socket }: FastifyRequest): string | undefined {
	const hosts = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${socket.localPort}`);
	if (headers['x-demo-control'] !== controlHeader['x-demo-control']) {
		return 'Control requests need the header X-Demo-Control: 1.';
	}
	if (!hosts.includes(headers.host?.toLowerCase() ?? '')) {
		return `Control requests are taken at ${hosts.join(', ')} only, not at ${headers.host}.`;
	}
	const { origin } = headers;
	const isOwn = origin === undefined || hosts.some((host) => origin === `http://${host}`);
	return isOwn ? undefined : `Control requests are not taken from pages of ${origin}.`;
}

/** Adds routes that control a running service from other processes. They need no key, and the service does not record them. */
export function addControl(
	app: FastifyInstance,
	service: Omit<RunningService, 'url' | 'stop'>,
): void {
	app.addHook('onRequest', async (request, reply) => {
		const reason = whyRefused(request);
		if (reason === undefined) return;
		const { status, headers, payload } = refusal(403, reason);
		return reply.code(status).headers(headers).send(payload);
	});
	app.put<{ Body: Partial<Settings> }>('/settings', ({ body }, reply) => {
		service.set(body);
		reply.code(204).send();
	});
	app.get('/requests', (_request, reply) => reply.send(service.requests));
	app.delete('/requests', (_request, reply) => {
		service.requests.length = 0;
		reply.code(204).send();
	});
	app.get('/counts', (_request, reply) => reply.send(service.counts()));
	app.post('/clear', (_request, reply) => {
		service.clear();
		reply.code(204).send();
	});
}
