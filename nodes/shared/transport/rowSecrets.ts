import { parseJson } from '../contract/values';
import type { HttpAnswer, HttpRequest } from './http';
import { SecretMask, type SecretSet } from './secretMask';
import { fieldErrorsOf } from './statusFailures';

const omitted = '(left out, because it may repeat a password)';

/** Max length of a body in characters. No error needs a longer response, and the search for passwords would take long. */
const maxBody = 1_000_000;

/** Masks the passwords of a row, and of all other rows of its run, in the texts of the service that errors show. */
export class RowSecrets {
	private readonly mask: SecretMask;

	/**
	 * @param secrets the passwords of the row
	 * @param all the passwords of the run
	 */
	constructor(secrets: readonly string[], all: SecretSet) {
		this.mask = new SecretMask(secrets, '[password]', all);
	}

	/** Returns a text that an error may show; empty if it may contain a password that is too short to be masked. */
	text(text: string): string {
		return this.mask.hasShort(text) ? '' : this.mask.text(text);
	}

	/**
	 * Returns a response that an error may show. If it may contain a password that is too short to be masked, it keeps only the
	 * names of the fields.
	 */
	answer(request: HttpRequest, answer: HttpAnswer): HttpAnswer {
		const { headers, body } = answer;
		const { location } = headers;
		const isOmitted =
			body.length > maxBody || [body, location ?? ''].some((text) => this.mask.hasShort(text));
		return {
			...answer,
			headers:
				location === undefined
					? headers
					: { ...headers, location: isOmitted ? omitted : this.mask.text(location) },
			body: this.mask.body(isOmitted ? this.withoutTexts(request, body) : body),
		};
	}

	/** Returns a body with the names of fields only: fields that were sent, and fields whose names contain no password. */
	private withoutTexts({ form }: HttpRequest, body: string): string {
		const sent = new Set([...(form?.keys() ?? [])].map((name) => name.split('[')[0]));
		const named = Object.keys(fieldErrorsOf(parseJson(body)) ?? {}).filter(
			(key) => sent.has(key) || !this.mask.hasShort(key),
		);
		return JSON.stringify({ errors: Object.fromEntries(named.map((key) => [key, omitted])) });
	}
}
