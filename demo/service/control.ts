import type { FastifyInstance } from 'fastify';
import type { RunningService } from './running.ts';
import { settingsSchema } from './settingsSchema.ts';
import type { Settings } from './settings.ts';

/** Adds the routes by which tests in other processes steer a running service. They need no key and leave no record. */
export function addControl(
	app: FastifyInstance,
	service: Omit<RunningService, 'url' | 'stop'>,
): void {
	app.put<{ Body: Partial<Settings> }>(
		'/__control/settings',
		{ schema: { body: settingsSchema } },
		({ body }, reply) => {
			service.set(body);
			reply.code(204).send();
		},
	);
	app.get('/__control/requests', (_request, reply) => reply.send(service.requests));
	app.delete('/__control/requests', (_request, reply) => {
		service.requests.length = 0;
		reply.code(204).send();
	});
	app.get('/__control/counts', (_request, reply) => reply.send(service.counts()));
	app.post('/__control/clear', (_request, reply) => {
		service.clear();
		reply.code(204).send();
	});
}
