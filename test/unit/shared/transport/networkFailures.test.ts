import { abortFailures, networkFailure } from '../../../../nodes/shared/transport/networkFailures';
import type { Method } from '../../../../nodes/shared/contract/endpoints';

const request = (method: Method = 'GET') => ({
	method,
	url: 'https://links.example:8443/api/v1/links',
	headers: {},
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
			...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
		],
		'rejected',
		'The certificate of links.example:8443 is not trusted',
		'Nothing was sent. Renew the certificate, or configure n8n to trust its issuer.',
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

it('finds the code along the causes of an error', () => {
	const wrap = (error: unknown, times: number): unknown =>
		times === 0 ? error : wrap({ code: 'WRAPPED', cause: error }, times - 1);
	const refused = { code: 'ECONNREFUSED' };
	expect(networkFailure(request(), wrap(refused, 4)).cause).toBe('connectFailed');
	expect(networkFailure(request(), wrap(refused, 5)).cause).toBe('ambiguous');
	expect(networkFailure(request(), { code: 5, cause: refused }).cause).toBe('connectFailed');
	for (const error of [undefined, null, 'ECONNREFUSED', {}, { code: 'toString' }]) {
		expect(networkFailure(request(), error).cause).toBe('ambiguous');
	}
});

it('explains a request that the node gave up', () => {
	expect(abortFailures.canceled(request('PUT'))).toEqual({
		cause: 'ended',
		message: 'The execution was canceled during the request',
		advice: look,
		isInconsistent: true,
	});
	expect(abortFailures.timedOut(request())).toEqual({
		cause: 'ambiguous',
		message: 'The service at links.example:8443 did not respond in time',
		advice: 'Try again later. Set a longer Timeout under Options > Requests.',
	});
});
