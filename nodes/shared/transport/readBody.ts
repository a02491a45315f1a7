/** Max size of a body in bytes, after decompression. */
export const maxAnswerSize = 32 * 2 ** 20;

/** The `code` of the error for a larger body. */
export const tooLargeCode = 'ANSWER_TOO_LARGE';

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/**
 * Reads the body of a response as UTF-8 text.
 *
 * @param body a stream of bytes, or a text; anything else counts as an empty body
 * @throws an error with `code` if the body is too large; what the stream throws if it breaks
 */
export async function readBody(body: unknown): Promise<string> {
	// n8n's helper returns a text if it mocks the response, as in evaluations of workflows.
	if (typeof body === 'string') return body;
	if (!isStream(body)) return '';
	const decoder = new TextDecoder();
	let text = '';
	let size = 0;
	// Leaving the loop destroys the stream, and with it the connection.
	for await (const chunk of body) {
		size += chunk.byteLength;
		if (size > maxAnswerSize) {
			throw Object.assign(new Error('The response is too large'), { code: tooLargeCode });
		}
		text += decoder.decode(chunk, { stream: true });
	}
	return text + decoder.decode();
}
