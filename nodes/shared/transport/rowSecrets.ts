import { parseJson } from '../contract/values';
import type { HttpAnswer, HttpRequest } from './http';
import { minSecret, SecretMask } from './secretMask';
import { fieldErrorsOf } from './statusFailures';

const omitted = '(left out, because it may repeat a password)';

/** Masks the passwords of a row in the texts of the service that errors show. */
export class RowSecrets {
	private readonly mask: SecretMask;

	/** Whether a password is too short to be masked. Errors then show no text of the service. */
	private readonly hasShort: boolean;

	/** @param secrets the passwords of the row */
	constructor(secrets: readonly string[]) {
		this.mask = new SecretMask(secrets, '[password]');
		this.hasShort = secrets.some((secret) => secret.trim().length < minSecret);
	}

	/** Returns a text that an error may show; empty if a password is too short to be masked. */
	text(text: string): string {
		return this.hasShort ? '' : this.mask.text(text);
	}

	/**
	 * Returns a response that an error may show. If a password is too short to be masked, it keeps only the names of the fields
	 * that were sent.
	 */
	answer(request: HttpRequest, answer: HttpAnswer): HttpAnswer {
		const { headers, body } = answer;
		const { location } = headers;
		return {
			...answer,
			headers:
				location === undefined
					? headers
					: { ...headers, location: this.hasShort ? omitted : this.mask.text(location) },
			body: this.hasShort ? withoutTexts(request, body) : this.mask.body(body),
		};
	}
}

/** Returns a body with the names of the fields that were sent, and no text. */
function withoutTexts({ form }: HttpRequest, body: string): string {
	const sent = new Set([...(form?.keys() ?? [])].map((name) => name.split('[')[0]));
	const named = Object.keys(fieldErrorsOf(parseJson(body)) ?? {}).filter((key) => sent.has(key));
	return JSON.stringify({ errors: Object.fromEntries(named.map((key) => [key, omitted])) });
}
