import { maxAnswerSize, readBody } from '../../../../nodes/shared/transport/readBody';

async function* chunks(...parts: readonly Uint8Array[]) {
	for (const part of parts) yield await Promise.resolve(part);
}

it.each([undefined, null, 5, {}, []])('reads %p as an empty body', async (body) => {
	expect(await readBody(body)).toBe('');
});

it('reads a text, and a stream of bytes', async () => {
	expect(await readBody('text')).toBe('text');
	const bytes = new TextEncoder().encode('Größe €');
	expect(await readBody(chunks(bytes.slice(0, 3), bytes.slice(3, 9), bytes.slice(9)))).toBe(
		'Größe €',
	);
	expect(await readBody(chunks(bytes.slice(0, 3)))).toBe('Gr\ufffd');
});

it('reads no more than 32 MB', async () => {
	const half = new Uint8Array(maxAnswerSize / 2);
	expect(await readBody(chunks(half, half))).toHaveLength(maxAnswerSize);
	await expect(readBody(chunks(half, half, new Uint8Array(1)))).rejects.toMatchObject({
		message: 'The response is too large',
		code: 'ANSWER_TOO_LARGE',
	});
});
