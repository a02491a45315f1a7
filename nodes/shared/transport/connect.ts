import * as n8n from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { readAccount, type Account } from './account';
import { ApiClient, type ClientOptions } from './client';
import type { HttpAnswer, HttpRequest, Send } from './http';
import { limiterFor } from './limiters';
import { SecretMask } from './secretMask';
import { readBody } from './readBody';
import { rejection } from './serviceError';

/** A run of the node, the editor asking for a list, or a poll. */
type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export const credentialName = 'linkManagementApi';

/** Added in n8n 2. */
const { assertCredentialAllowsUrl }: Partial<typeof n8n> = n8n;

/** What n8n 1 has in place of it; the function of that name in n8n 2 takes other arguments. */
const { isDomainAllowed } = n8n as unknown as {
	isDomainAllowed?: (url: string, options: { allowedDomains: string }) => boolean;
};

/** n8n's own type of a full response leaves the body open; with `encoding: 'stream'` it is a stream. */
interface FullResponse {
	readonly statusCode: number;
	readonly headers: IDataObject;
	readonly body: unknown;
}

const optionsOf = (request: HttpRequest): IHttpRequestOptions => ({
	method: request.method,
	url: request.url,
	headers: { ...request.headers },
	body: request.form,
	// The rate limiter aborts the request at its deadline. Without this, n8n would at 300 seconds.
	timeout: 0,
	// The answer as it came: status and headers without an exception, and the body unread.
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	encoding: 'stream',
	// A redirect is never an answer of this API, and the key must not travel to another host.
	disableFollowRedirect: true,
	sendCredentialsOnCrossOriginRedirect: false,
});

/** The credential that the node names. */
function identityOf(context: Context) {
	const { id, name } = context.getNode().credentials?.[credentialName] ?? {};
	return { id: id ?? '', name: name ?? '', type: credentialName };
}

/** Reads an answer, without the API key if it repeats the key. */
async function readAnswer(
	{ statusCode, headers, body }: FullResponse,
	mask: SecretMask,
): Promise<HttpAnswer> {
	const texts = Object.entries(headers).map(([name, value]) => [
		name.toLowerCase(),
		mask.text(String(value)),
	]);
	return {
		status: statusCode,
		headers: Object.fromEntries(texts) as Record<string, string>,
		body: mask.body(await readBody(body)),
	};
}

/**
 * Returns a context whose requests end with a signal. n8n's helper overwrites the signal of a request with the cancel signal
 * of its context.
 */
const withSignal = (context: Context, signal: AbortSignal): Context =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;

/**
 * The account of the node's credential.
 *
 * @throws ServiceError if the base URL or the key cannot be used
 */
export async function accountOf(context: Context): Promise<Account> {
	const account = readAccount(await context.getCredentials(credentialName));
	if (typeof account !== 'string') return account;
	throw rejection(account, 'Nothing was sent. Open the credential and correct it.');
}

/**
 * Asks n8n whether the credential may be used for the service: n8n's helper does not.
 *
 * @throws NodeOperationError, or with n8n 1 ServiceError, where the credential does not allow the host
 */
function needAllowed(
	node: n8n.INode,
	credentialData: n8n.ICredentialDataDecryptedObject,
	url: string,
): void {
	if (assertCredentialAllowsUrl) {
		assertCredentialAllowsUrl({ node, credentialData, url, pinnedUrl: url });
		return;
	}
	if (credentialData.allowedHttpRequestDomains !== 'domains') return;
	const allowedDomains = String(credentialData.allowedDomains ?? '').trim();
	if (allowedDomains !== '' && isDomainAllowed?.(url, { allowedDomains })) return;
	throw rejection(
		'Domain not allowed: the credential is restricted to other domains than that of its Base URL',
		'Open the credential and correct Allowed Domains.',
	);
}

/**
 * Connects a run to the service: address and key from the credential, requests through n8n's own helper, and the rate
 * limiter that all runs with this key share. The client is to be closed.
 *
 * @throws ServiceError if the base URL or the key cannot be used; what `needAllowed` throws where the credential does not allow its host
 */
export async function connect(context: Context, options: ClientOptions): Promise<ApiClient> {
	const { root, apiKey } = await accountOf(context);
	const credential = await context.getCredentials(credentialName);
	needAllowed(context.getNode(), credential, root);
	// Handed over, because the helper would otherwise read and decrypt the stored credential for every request.
	const known = { credentialsDecrypted: { ...identityOf(context), data: credential } };
	const mask = new SecretMask([apiKey], '[API key]');
	const send: Send = async (request, signal) => {
		const response: FullResponse = await context.helpers.httpRequestWithAuthentication.call(
			withSignal(context, signal),
			credentialName,
			optionsOf(request),
			known,
		);
		return await readAnswer(response, mask);
	};
	return new ApiClient({ root, send }, await limiterFor(root, apiKey), options);
}
