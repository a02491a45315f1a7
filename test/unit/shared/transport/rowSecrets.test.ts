import { RowSecrets } from '../../../../nodes/shared/transport/rowSecrets';

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
	new RowSecrets(secrets).answer(request, { status: 422, headers, body });

it('hides a long password in a text', () => {
	expect(new RowSecrets(['hunter2-hunter2']).text('a hunter2-hunter2')).toBe('a [password]');
});

it.each(['abc', 'sevench', '  abc     '])(
	'leaves out each text with the short password %j',
	(short) => {
		expect(new RowSecrets([short]).text('another text')).toBe('');
		expect(new RowSecrets(['hunter2-hunter2', short]).text('another text')).toBe('');
	},
);

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
	expect(shown([], '{"message":"No."}', headers)).toEqual({
		...{ status: 422, headers, body: '{"message":"No."}' },
	});
});

it('leaves only the names of fields of an answer with a short password', () => {
	const body = JSON.stringify({
		message: { alias: ['abc is bad'], country: ['No.'], other: ['No.'], 'x-abc': ['No.'] },
	});
	const { body: left } = shown(['abc'], body);
	expect(JSON.parse(left)).toEqual({
		errors: { alias: leftOut, country: leftOut },
	});
	expect(shown(['abc'], 'abc').body).toBe('{"errors":{}}');
	expect(shown(['abc'], '{}', { location: 'https://e.com/abc' })).toMatchObject({
		headers: { location: leftOut },
		body: '{"errors":{}}',
	});
});
