import { parseJson } from '../contract/values';
import type { HttpAnswer, HttpRequest } from './http';
import { SecretMask, type SecretSet } from './secretMask';
import { fieldErrorsOf } from './statusFailures';

const leftOut = '(left out, because it may repeat a password)';

/** In characters. No error needs a longer answer, and to look for passwords in it would take long. */
const longestBody = 1_000_000;

/** Hides the passwords of a row, and of all other rows of its run, in the texts of the service that errors show. */
export class RowSecrets {
	private readonly mask: SecretMask;

	/**
	 * @param secrets those of the row
	 * @param all those of the run
	 */
	constructor(secrets: readonly string[], all: SecretSet) {
		this.mask = new SecretMask(secrets, '[password]', all);
	}

	/** Returns a text as an error may show it; empty if it may repeat a password that is too short to be masked. */
	text(text: string): string {
		return this.mask.hasShort(text) ? '' : this.mask.text(text);
	}

	/**
	 * Returns an answer as an error may show it. If it may repeat a password that is too short to be masked, only the names of
	 * the fields are left of it.
	 */
	answer(request: HttpRequest, answer: HttpAnswer): HttpAnswer {
		const { headers, body } = answer;
		const { location } = headers;
		const isLeftOut =
			body.length > longestBody || [body, location ?? ''].some((text) => this.mask.hasShort(text));
		return {
			...answer,
			headers:
				location === undefined
					? headers
					: { ...headers, location: isLeftOut ? leftOut : this.mask.text(location) },
			body: this.mask.body(isLeftOut ? this.withoutTexts(request, body) : body),
		};
	}

	/** Returns the body of an answer that names the same fields: those that were sent, and others whose names repeat nothing. */
	private withoutTexts({ form }: HttpRequest, body: string): string {
		const sent = new Set([...(form?.keys() ?? [])].map((name) => name.split('[')[0]));
		const named = Object.keys(fieldErrorsOf(parseJson(body)) ?? {}).filter(
			(key) => sent.has(key) || !this.mask.hasShort(key),
		);
		return JSON.stringify({ errors: Object.fromEntries(named.map((key) => [key, leftOut])) });
	}
}
