import { RowSecrets } from '../../../../nodes/shared/transport/rowSecrets';
import { SecretSet } from '../../../../nodes/shared/transport/secretMask';

const leftOut = '(left out, because it may repeat a password)';

const request = {
	method: 'POST' as const,
	url: 'https://links.example/api/v1/links',
	headers: {},
	form: new URLSearchParams([
		['alias', 'a'],
		['country[0][key]', 'DE'],
	]),
};

const shown = (secrets: string[], body: string, headers: Record<string, string> = {}) =>
	new RowSecrets(secrets, new SecretSet()).answer(request, { status: 422, headers, body });

it('hides a long password in a text', () => {
	expect(new RowSecrets(['hunter2-hunter2'], new SecretSet()).text('a hunter2-hunter2')).toBe(
		'a [password]',
	);
});

it('leaves out a text with a short password', () => {
	const secrets = new RowSecrets(['abc'], new SecretSet());
	expect(secrets.text('an abc')).toBe('');
	expect(secrets.text('another text')).toBe('another text');
});

it('hides a long password in an answer', () => {
	const headers = { location: 'https://e.com/hunter2-hunter2', other: 'x' };
	expect(shown(['hunter2-hunter2'], '{"message":"hunter2-hunter2"}', headers)).toEqual({
		status: 422,
		headers: { location: 'https://e.com/[password]', other: 'x' },
		body: '{"message":"[password]"}',
	});
});

it('leaves an answer without passwords as it is', () => {
	const headers = { other: 'x' };
	expect(shown(['abc'], '{"message":"No."}', headers)).toEqual({
		...{ status: 422, headers, body: '{"message":"No."}' },
	});
});

it('leaves only the names of fields of an answer with a short password', () => {
	const body = JSON.stringify({
		message: { alias: ['abc is bad'], country: ['No.'], other: ['No.'], 'x-abc': ['No.'] },
	});
	const { body: left } = shown(['abc'], body);
	expect(JSON.parse(left)).toEqual({
		errors: { alias: leftOut, country: leftOut, other: leftOut },
	});
	expect(shown(['abc'], 'abc').body).toBe('{"errors":{}}');
	expect(shown(['abc'], '{}', { location: 'https://e.com/abc' })).toMatchObject({
		headers: { location: leftOut },
		body: '{"errors":{}}',
	});
});

it('leaves only the names of fields of a very long answer', () => {
	const long = JSON.stringify({ message: { alias: ['x'.repeat(1_000_000)] } });
	expect(shown([], long).body).toBe(JSON.stringify({ errors: { alias: leftOut } }));
	expect(shown([], 'x'.repeat(1_000_000)).body).toHaveLength(10_000);
});
