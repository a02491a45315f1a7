import type { ServerResponse } from 'node:http';
import { html, json, redirect, refusal, type Answer } from './answers.ts';
import type { Disturbance } from './settings.ts';

/** The bytes that the client receives: a response, a part of it or nothing, with or without the end of the connection. */
export type Outcome =
	| { kind: 'answer' | 'cut'; answer: Answer }
	| { kind: 'drop' | 'hang'; answer?: undefined };

/** Lets a disturbance act on a request. `carryOut` is called exactly when the disturbance lets the request happen. */
export function disturb(disturbance: Disturbance | undefined, carryOut: () => Answer): Outcome {
	const send = (answer: Answer): Outcome => ({ kind: 'answer', answer });
	switch (disturbance?.kind) {
		case undefined:
			return send(carryOut());
		case 'hang':
			return { kind: 'hang' };
		case 'drop':
			if (disturbance.when === 'after') carryOut();
			return { kind: 'drop' };
		case 'cut':
			return { kind: 'cut', answer: carryOut() };
		case 'status': {
			const { status, retryAfter, body } = disturbance;
			const answer = body === undefined ? refusal(status) : json(status, body);
			if (retryAfter !== undefined) answer.headers['retry-after'] = retryAfter;
			return send(answer);
		}
		case 'html':
			return send(html(disturbance.status ?? 200, 'Welcome'));
		case 'redirect':
			return send(redirect(disturbance.location));
		case 'empty':
			return send({ ...carryOut(), status: 200, payload: '' });
		case 'body': {
			const { status, headers } = carryOut();
			return send(json(disturbance.status ?? status, disturbance.body, headers));
		}
		case 'truncatedJson': {
			const answer = carryOut();
			return send({ ...answer, payload: firstHalf(answer.payload) });
		}
	}
}

/** Sends an outcome. A dropped connection ends at once, a cut one after half of the announced body. */
export function deliver(response: ServerResponse, { kind, answer }: Outcome): void {
	if (kind === 'drop') response.socket?.destroy();
	if (!answer) return;
	const { status, headers, payload } = answer;
	const length = String(Buffer.byteLength(payload));
	response.writeHead(status, { 'content-length': length, ...headers });
	if (kind === 'answer') response.end(payload);
	else response.write(firstHalf(payload), () => response.socket?.destroy());
}

function firstHalf(payload: string): string {
	return payload.slice(0, Math.floor(payload.length / 2));
}
