import type { Method } from '../../../../nodes/shared/contract/operations';
import {
	fieldErrorsOf,
	networkFailure,
	statusFailure,
} from '../../../../nodes/shared/transport/explanations';
import { inSeconds, joinSentences } from '../../../../nodes/shared/transport/failures';

const request = (method: Method) => ({ method, url: 'https://links.example:8443/api/v1/links' });

const failureOf = (status: number, retryAfter?: string, pageTitle?: string) =>
	statusFailure(request('POST'), {
		...{ status, body: undefined, pageTitle },
		headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
	});

it.each<[statuses: number[], cause: string]>([
	[[301, 302, 304, 307, 400, 401, 403, 404, 407, 409, 419, 422], 'rejected'],
	[[408, 500, 501, 502, 504, 599], 'ambiguous'],
	[[429], 'rateLimited'],
	[[503], 'maintenance'],
])('the cause of %j is %s', (statuses, cause) => {
	for (const status of statuses) {
		const failure = failureOf(status);
		expect(failure).toMatchObject({ cause, statusCode: status });
		expect(failure.message).toMatch(new RegExp(` \\(HTTP ${status}\\)$`));
	}
});

it.each([
	[undefined, 'a minute'],
	['1', '1 second'],
	[' 30 ', '30 seconds'],
	['-1', 'a minute'],
	['Thu, 01 Jan 1970 00:00:00 GMT', 'a minute'],
])('with Retry-After %j, the user waits %s', (after, wait) => {
	expect(failureOf(503, after).advice).toBe(`Wait ${wait} before you run this item again.`);
	expect(failureOf(429, after).advice).toContain(`Wait ${wait} before you run the node again, and`);
});

it.each<[status: number, title: string, advice: RegExp]>([
	...[200, 400, 401, 403, 405, 406, 413, 422].map((status): [number, string, RegExp] => [
		...([
			status,
			'Stop!',
			/^The page is titled "Stop!"\. A firewall or proxy in front of /,
		] as const),
	]),
	[403, '', /^A firewall or proxy /],
])('a web page with %d and the title %j may come from a firewall', (status, title, advice) => {
	expect(failureOf(status, undefined, title)).toMatchObject({
		cause: 'rejected',
		message: `The service returned a web page instead of data (HTTP ${status})`,
		advice: expect.stringMatching(advice),
		isPage: true,
	});
});

it.each([302, 404, 407, 408, 419, 429, 500, 503])(
	'a web page with %d is explained by it',
	(status) => {
		expect(failureOf(status, undefined, 'Sorry')).toEqual({ ...failureOf(status), isPage: true });
	},
);

it.each<[method: Method, status: number, advice: string]>([
	['PUT', 503, 'Wait a minute before you run this item again.'],
	['PUT', 422, 'Correct the values, and run the node again.'],
	['GET', 503, 'Wait a minute before you run this item again.'],
])('after a %s with status %d in the body of a success, advises: %s', (method, status, advice) => {
	const refusal = { status, headers: {}, body: undefined, isInconsistent: true } as const;
	const { mayBeDone, ...failure } = statusFailure(request(method), refusal);
	expect(failure).toMatchObject({ advice, isInconsistent: true });
	expect(mayBeDone).toBe(method === 'PUT' ? true : undefined);
});

describe('the field errors of a response', () => {
	const taken = { alias: ['Taken.'], url: ['Bad URL.', 'Too long.'] };

	it.each<[body: unknown, found: unknown]>([
		[{ message: taken, status: 422 }, taken],
		[{ message: 'Taken. (and 2 more errors)', errors: taken }, taken],
		[
			{ message: { name: ['No.'] }, errors: taken },
			{ name: ['No.'], ...taken },
		],
		[{ errors: { 'country.0.key': ['No.'] } }, { 'country.0.key': ['No.'] }],
		[
			{ errors: { alias: ['No.', 5, null, {}, ['x']], url: [5], name: null, type: {} } },
			{ alias: ['No.'] },
		],
		[
			JSON.parse('{"errors": {"constructor": ["No."]}}'),
			Object.fromEntries([['constructor', ['No.']]]),
		],
	])('are found in %j', (body, found) => {
		expect(fieldErrorsOf(body)).toEqual(found);
	});

	it.each([
		...[undefined, 'Bad URL.', [taken], {}, { message: 'No.', errors: [] }, { message: {} }],
		...[{ message: ['No.'], errors: 'No.' }, { errors: { alias: [] } }],
	])('are none in %j', (body) => {
		expect(fieldErrorsOf(body)).toBeUndefined();
	});
});

/** Explains an error of a PUT by its code and message. */
const failing = (code: unknown, message = 'with headers', method: Method = 'PUT') =>
	networkFailure(request(method), Object.assign(new Error(message), { code }));

const openWrite = { outcome: 'unknown', mayBeDone: true };
const broken = 'The connection to links.example:8443 broke before the response was complete';
const noHandshake = 'links.example:8443 does not accept a secure connection (https)';

it.each<[codes: string[], cause: string, message: string, advice: string]>([
	[
		['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'],
		...(['connectFailed', 'Cannot connect to links.example:8443'] as const),
		'Check Base URL in the credential, and whether the service is running.',
	],
	[
		['EAI_AGAIN', 'ENOTFOUND'],
		...(['connectFailed', 'The host links.example:8443 cannot be found'] as const),
		'Check the spelling of Base URL in the credential, and the DNS of this machine.',
	],
	[
		['ECONNABORTED', 'ETIMEDOUT', 'timedOut'],
		...(['ambiguous', 'The service at links.example:8443 did not respond in time'] as const),
		'Set a longer Timeout under Options > Requests, if the node has it.',
	],
	[
		[
			...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'],
			...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_NOT_YET_VALID'],
			...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_GET_ISSUER_CERT', 'CERT_REVOKED'],
			...['INVALID_PURPOSE', 'HOSTNAME_MISMATCH', 'ERR_SSL_TLSV1_ALERT_BAD_CERTIFICATE'],
		],
		...(['rejected', 'The certificate of links.example:8443 is not trusted'] as const),
		'Renew the certificate, install it with its intermediate certificates, configure n8n to trust its issuer, or correct the clock of this machine.',
	],
	[
		['HPE_INVALID_CONSTANT'],
		...(['ambiguous', 'links.example:8443 did not respond in HTTP'] as const),
		'Check the scheme and the port of Base URL in the credential.',
	],
	[['ECONNRESET', 'EPIPE', 'SOMETHING_ELSE'], 'ambiguous', broken, ''],
])('explains %j', (codes, cause, message, advice) => {
	for (const code of codes) {
		const more = cause === 'ambiguous' ? openWrite : { claim: 'Nothing was sent.' };
		expect(failing(code)).toEqual({ cause, message, advice, ...more, host: 'links.example:8443' });
	}
	const { advice: ofRead, outcome } = failing(codes[0], '', 'GET');
	const again = cause === 'ambiguous' ? `Try again later. ${advice}`.trim() : advice;
	expect([ofRead, outcome]).toEqual([again, undefined]);
});

it.each<[code: string, method: Method, cause: string, message: RegExp, advice: string]>([
	['ANSWER_TOO_LARGE', 'GET', 'rejected', /8443 returned more than 32 MB$/, 'Try again later.'],
	['ANSWER_TOO_LARGE', 'POST', 'ambiguous', /returned more than 32 MB$/, ''],
	['canceled', 'PUT', 'ended', /^The execution was canceled during the request$/, ''],
])('explains %s of a %s', (code, method, cause, message, advice) => {
	const open = method === 'GET' ? {} : openWrite;
	const expected = { cause, message: expect.stringMatching(message), advice, ...open };
	expect(failing(code, '', method)).toEqual({ ...expected, host: 'links.example:8443' });
});

it.each<[code: string, text: string, cause: string, message: string]>([
	...[
		'write EPROTO 80:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:',
		'SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:',
	].map((text): [string, string, string, string] => ['EPROTO', text, 'rejected', noHandshake]),
	...['WRONG_VERSION_NUMBER', 'PACKET_LENGTH_TOO_LONG', 'HTTP_REQUEST', 'UNSUPPORTED_PROTOCOL']
		.concat(['TLSV1_ALERT_PROTOCOL_VERSION', 'SSLV3_ALERT_HANDSHAKE_FAILURE', 'DH_KEY_TOO_SMALL'])
		.map((code): [string, string, string, string] => [
			...([`ERR_SSL_${code}`, '', 'rejected', noHandshake] as const),
		]),
	['EPROTO', 'write EPROTO', 'ambiguous', broken],
	['EPROTO', 'SSL routines:ssl3_read_bytes:sslv3 alert bad record mac:', 'ambiguous', broken],
	['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', '', 'ambiguous', broken],
	['ECONNRESET', 'wrong version number', 'ambiguous', broken],
	[
		'ECONNRESET',
		'Client network socket disconnected before secure TLS connection was established',
		...(['connectFailed', 'Cannot connect to links.example:8443'] as const),
	],
])('a failure of TLS is explained: %s %s', (code, text, cause, message) => {
	expect(failing(code, text)).toMatchObject({ cause, message });
});

it('finds the code along the causes of an error', () => {
	const wrap = (error: unknown, times: number): unknown =>
		times === 0 ? error : wrap({ code: 'WRAPPED', cause: error }, times - 1);
	const causeOf = (error: unknown) => networkFailure(request('GET'), error).cause;
	const refused = { code: 'ECONNREFUSED' };
	const found = [wrap(refused, 4), { code: 5, cause: refused }];
	expect(found.map(causeOf)).toEqual(['connectFailed', 'connectFailed']);
	const others = [wrap(refused, 5), undefined, null, 'ECONNREFUSED', {}, { code: 'toString' }];
	expect(new Set(others.map(causeOf))).toEqual(new Set(['ambiguous']));
});

it('shows milliseconds as rounded seconds', () => {
	const shown = [0, 499, 500, 1_499, 12_000].map(inSeconds);
	expect(shown).toEqual(['0 seconds', '0 seconds', '1 second', '1 second', '12 seconds']);
});

it.each<[sentences: string[], text: string]>([
	[['The service said: No', 'Wait.'], 'The service said: No. Wait.'],
	[['', 'Why?', '', 'He said "No."', 'Wait'], 'Why? He said "No." Wait'],
])('joins the sentences %j', (sentences, text) => {
	expect(joinSentences(...sentences)).toBe(text);
});
