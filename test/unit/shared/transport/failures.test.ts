import type { Method } from '../../../../nodes/shared/contract/endpoints';
import {
	abortFailure,
	fieldErrorsOf,
	inSeconds,
	networkFailure,
	statusFailure,
} from '../../../../nodes/shared/transport/failures';

const request = (method: Method) => ({
	method,
	url: 'https://links.example:8443/api/v1/links',
});

const failureOf = (
	status: number,
	headers: Record<string, string> = {},
	{ method = 'POST', pageTitle }: { method?: Method; pageTitle?: string } = {},
) => statusFailure(request(method), { status, headers, body: undefined, pageTitle });

describe('the cause of a failure', () => {
	it.each<[number, string]>([
		...[301, 302, 304, 307].map((status): [number, string] => [status, 'rejected']),
		...[400, 401, 403, 404, 407, 409, 419, 422].map((status): [number, string] => [
			status,
			'rejected',
		]),
		...[500, 501, 502, 504, 599].map((status): [number, string] => [status, 'ambiguous']),
		[429, 'rateLimited'],
		[503, 'maintenance'],
	])('of status %d is %s', (status, cause) => {
		const failure = failureOf(status);
		expect(failure).toMatchObject({ cause, statusCode: status });
		expect(failure.message).toMatch(new RegExp(` \\(HTTP ${status}\\)$`));
	});

	it.each([undefined, '30', 'soon', '-1', '', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
		'of status 503 with Retry-After %j is that nothing was processed',
		(after) => {
			const failure = failureOf(503, after === undefined ? {} : { 'retry-after': after });
			expect(failure.cause).toBe('maintenance');
			const wait = after === '30' ? '30 seconds' : 'a minute';
			expect(failure.advice).toBe(
				`It did not process the request. Wait ${wait} and run this item again.`,
			);
		},
	);

	it('of another 5xx leaves open what became of a write, and only of a write', () => {
		const open = /^The service may have processed the request: check there /;
		for (const method of ['POST', 'PUT', 'DELETE'] as const) {
			expect(failureOf(500, {}, { method }).advice).toMatch(open);
		}
		expect(failureOf(500, {}, { method: 'GET' }).advice).toBe('Try again later.');
	});
});

describe('a web page', () => {
	it.each([200, 400, 401, 403, 405, 406, 413, 422])(
		'with status %d may come from a firewall or proxy',
		(status) => {
			const failure = failureOf(status, {}, { pageTitle: 'Attention Required!' });
			expect(failure).toMatchObject({
				cause: 'rejected',
				message: `The service returned a web page instead of data (HTTP ${status})`,
			});
			expect(failure.advice).toMatch(
				/^The page is titled "Attention Required!"\. A firewall or proxy in front of the service may have answered: /,
			);
		},
	);

	it('without a title has none', () => {
		expect(failureOf(403, {}, { pageTitle: '' }).advice).toMatch(/^A firewall or proxy /);
	});

	it.each([302, 404, 407, 419, 429, 500, 503])(
		'with status %d is explained by the status',
		(status) => {
			const failure = failureOf(status, {}, { pageTitle: 'Sorry' });
			expect(failure).toEqual({ ...failureOf(status), isPage: true });
		},
	);
});

describe('the field errors of an answer', () => {
	const taken = { alias: ['The alias is taken.'], url: ['Bad URL.', 'Too long.'] };

	it.each<[string, unknown, unknown]>([
		['in `message`, as the family sends them', { message: taken, status: 422 }, taken],
		[
			'in `errors`, as the framework sends them',
			{ message: 'The alias is taken. (and 2 more errors)', errors: taken },
			taken,
		],
		[
			'in `errors` and in `message` together',
			{ message: { name: ['No.'] }, errors: taken },
			{ name: ['No.'], ...taken },
		],
		['in `message` beside an `errors` that names nothing', { message: taken, errors: {} }, taken],
		[
			'with one text instead of a list',
			{ errors: { alias: 'The alias is taken.' } },
			{ alias: ['The alias is taken.'] },
		],
		[
			'under the dotted name of a rule',
			{ errors: { 'country.0.key': ['No.'] } },
			{ 'country.0.key': ['No.'] },
		],
		[
			'without what is no text',
			{ errors: { alias: ['No.', 5, null, {}, ['x']], url: [5], name: null, type: {} } },
			{ alias: ['No.'] },
		],
		[
			'named like a part of every object',
			JSON.parse('{"errors": {"constructor": ["No."]}}'),
			Object.fromEntries([['constructor', ['No.']]]),
		],
	])('are found %s', (_where, body, found) => {
		expect(fieldErrorsOf(body)).toEqual(found);
	});

	it.each<[unknown]>([
		[undefined],
		[null],
		['Bad URL.'],
		[422],
		[true],
		[[]],
		[[taken]],
		[{}],
		[{ message: 'Unauthenticated.' }],
		[{ message: 'Bad URL.', errors: [] }],
		[{ message: ['Bad URL.'], errors: 'Bad URL.' }],
		[{ message: null, errors: null }],
		[{ message: {} }],
		[{ errors: { alias: [] } }],
		[{ data: { errors: taken } }],
	])('are none in %j', (body) => {
		expect(fieldErrorsOf(body)).toBeUndefined();
	});
});

const failing = (code: unknown, method: Method = 'GET') =>
	networkFailure(request(method), Object.assign(new Error('with headers'), { code }));

const look =
	'The service may have processed the request: check there before you run this item again.';

it.each<[codes: string[], cause: string, message: string, advice: string]>([
	[
		['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'],
		'connectFailed',
		'Cannot connect to links.example:8443',
		'Nothing was sent. Check Base URL in the credential, and whether the service is running.',
	],
	[
		['EAI_AGAIN', 'ENOTFOUND'],
		'connectFailed',
		'The host links.example:8443 cannot be found',
		'Nothing was sent. Check the spelling of Base URL in the credential, and the DNS of this machine.',
	],
	[
		['ECONNABORTED', 'ETIMEDOUT'],
		'ambiguous',
		'The service at links.example:8443 did not respond in time',
		`${look} Set a longer Timeout under Options > Requests.`,
	],
	[
		[
			...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'],
			...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_NOT_YET_VALID'],
			...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_GET_ISSUER_CERT', 'CERT_REVOKED'],
			...['INVALID_PURPOSE', 'HOSTNAME_MISMATCH', 'ERR_SSL_TLSV1_ALERT_BAD_CERTIFICATE'],
		],
		'rejected',
		'The certificate of links.example:8443 is not trusted',
		'Nothing was sent. Renew the certificate, install it with its intermediate certificates, configure n8n to trust its issuer, or correct the clock of this machine.',
	],
	[
		['ECONNRESET', 'EPIPE', 'SOMETHING_ELSE'],
		'ambiguous',
		'The connection to links.example:8443 broke before the response was complete',
		look,
	],
])('explains %j', (codes, cause, message, advice) => {
	for (const code of codes) {
		expect(failing(code, 'PUT')).toEqual({ cause, message, advice, host: 'links.example:8443' });
	}
});

it.each<[method: Method, cause: string, advice: string]>([
	['GET', 'rejected', 'Try again later.'],
	['POST', 'ambiguous', look],
	['PUT', 'rejected', look],
])('explains an answer that is too large: %s', (method, cause, advice) => {
	expect(failing('ANSWER_TOO_LARGE', method)).toEqual({
		...{ cause, advice, isInconsistent: true, host: 'links.example:8443' },
		message: 'The service at links.example:8443 returned more than 32 MB',
	});
});

describe('a failure of TLS', () => {
	const failed = (code: string, message: string) =>
		networkFailure(request('POST'), Object.assign(new Error(message), { code }));

	it.each([
		['EPROTO', 'write EPROTO 80:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:'],
		['ERR_SSL_WRONG_VERSION_NUMBER', ''],
		['ERR_SSL_PACKET_LENGTH_TOO_LONG', ''],
		['ERR_SSL_HTTP_REQUEST', ''],
		['ERR_SSL_UNSUPPORTED_PROTOCOL', ''],
		['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', ''],
		['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', ''],
		['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', ''],
		['ERR_SSL_DH_KEY_TOO_SMALL', ''],
		['EPROTO', 'SSL routines:ssl3_read_bytes:tlsv13 alert certificate required:'],
	])('in the handshake sent nothing: %s', (code, message) => {
		expect(failed(code, message)).toMatchObject({
			cause: 'rejected',
			message: 'links.example:8443 does not accept a secure connection (https)',
			advice: expect.stringMatching(
				/^Nothing was sent\. Check the scheme and the port of Base URL/,
			),
		});
	});

	it.each([
		['EPROTO', 'write EPROTO'],
		['EPROTO', 'SSL routines:ssl3_read_bytes:sslv3 alert bad record mac:'],
		['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', ''],
		['ERR_SSL_UNEXPECTED_EOF_WHILE_READING', ''],
		['ECONNRESET', 'wrong version number'],
	])('after it leaves the outcome open: %s %s', (code, message) => {
		expect(failed(code, message).cause).toBe('ambiguous');
	});

	it('that the other side cuts short sent nothing', () => {
		const text = 'Client network socket disconnected before secure TLS connection was established';
		expect(failed('ECONNRESET', text)).toMatchObject({
			cause: 'connectFailed',
			message: 'Cannot connect to links.example:8443',
		});
	});
});

it('finds the code along the causes of an error', () => {
	const wrap = (error: unknown, times: number): unknown =>
		times === 0 ? error : wrap({ code: 'WRAPPED', cause: error }, times - 1);
	const refused = { code: 'ECONNREFUSED' };
	expect(networkFailure(request('GET'), wrap(refused, 4)).cause).toBe('connectFailed');
	expect(networkFailure(request('GET'), wrap(refused, 5)).cause).toBe('ambiguous');
	expect(networkFailure(request('GET'), { code: 5, cause: refused }).cause).toBe('connectFailed');
	for (const error of [undefined, null, 'ECONNREFUSED', {}, { code: 'toString' }]) {
		expect(networkFailure(request('GET'), error).cause).toBe('ambiguous');
	}
});

it('explains a request that the node gave up', () => {
	expect(abortFailure(request('PUT'), 'canceled')).toEqual({
		cause: 'ended',
		message: 'The execution was canceled during the request',
		advice: look,
		isInconsistent: true,
		host: 'links.example:8443',
	});
	expect(abortFailure(request('GET'), 'timedOut')).toEqual({
		cause: 'ambiguous',
		message: 'The service at links.example:8443 did not respond in time',
		advice: 'Try again later. Set a longer Timeout under Options > Requests.',
		host: 'links.example:8443',
	});
});

it.each([
	[0, '0 seconds'],
	[499, '0 seconds'],
	[500, '1 second'],
	[1_499, '1 second'],
	[12_000, '12 seconds'],
])('shows %d ms as %s', (milliseconds, text) => {
	expect(inSeconds(milliseconds)).toBe(text);
});
