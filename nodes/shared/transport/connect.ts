import * as n8n from 'n8n-workflow';
import { readAccount, timeZoneIn, type Account } from './account';
import { ApiClient } from './client';
import { readBody, type Send } from './exchange';
import { rejection } from './failures';
import { type ClientOptions, RateLimiter } from './limiter';
import { digest, secretMask } from './secrets';
import type { Clock } from './throttle';

/** A run of the node, a list in the editor, or a poll. */
type Context = n8n.IExecuteFunctions | n8n.ILoadOptionsFunctions | n8n.IPollFunctions;

export const credentialName = 'linkManagementApi';

/** The clock of this process. It does not jump if the time of the machine is set. */
const processClock: Clock = { now: () => performance.now(), sleep: n8n.sleep, random: Math.random };

/** The limiters of this process, by a digest of address and key, so that no copy of the key outlives its run. */
const limiters = new Map<string, RateLimiter>();

const salt = crypto.randomUUID();

/** Returns the rate limiter that all executions of this process share if they use a service with the same key. */
export async function limiterFor({ root, apiKey }: Account): Promise<RateLimiter> {
	const name = await digest(salt, [root, apiKey]);
	for (const [other, limiter] of limiters) if (limiter.isIdle()) limiters.delete(other);
	const limiter = limiters.get(name) ?? new RateLimiter(processClock);
	limiters.set(name, limiter);
	return limiter;
}

/** Added in n8n 2. */
const { assertCredentialAllowsUrl }: Partial<typeof n8n> = n8n;

/** Its counterpart in n8n 1. The function with this name in n8n 2 takes other arguments. */
const { isDomainAllowed } = n8n as unknown as {
	isDomainAllowed?: (url: string, options: { allowedDomains: string }) => boolean;
};

/** The options of all requests. */
const sharedOptions: Partial<n8n.IHttpRequestOptions> = {
	// The rate limiter aborts the request at its deadline. By default, n8n would abort it after 300 seconds.
	timeout: 0,
	// Status and headers without an exception, and the body as a stream.
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	encoding: 'stream',
	// The API never redirects, and the key must not be sent to another host.
	disableFollowRedirect: true,
	sendCredentialsOnCrossOriginRedirect: false,
};

/**
 * Returns a context whose requests end when a signal aborts. n8n's helper replaces the signal of a request by the cancel
 * signal of its context.
 */
const withSignal = (context: Context, signal: AbortSignal): Context =>
	Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;

/**
 * Returns the IANA name of the account's time zone; by default the time zone of the workflow.
 *
 * @throws ServiceError if the time zone of the credential does not exist
 */
export const timeZoneOf = async (context: n8n.IExecuteFunctions | n8n.IPollFunctions) =>
	timeZoneIn(await context.getCredentials(credentialName)) || context.getTimezone();

/**
 * Returns the account of the node's credential.
 *
 * @throws ServiceError if the credential cannot be used
 */
export const accountOf = async (context: Context): Promise<Account> =>
	readAccount(await context.getCredentials(credentialName));

/**
 * Checks that the credential may be used for the service. n8n's helper does not check it.
 *
 * @throws NodeOperationError, or with n8n 1 ServiceError, if the credential does not allow the host
 */
function checkHost(node: n8n.INode, data: n8n.ICredentialDataDecryptedObject, url: string): void {
	if (assertCredentialAllowsUrl) {
		assertCredentialAllowsUrl({ node, credentialData: data, url, pinnedUrl: url });
		return;
	}
	if (data.allowedHttpRequestDomains !== 'domains') return;
	const allowedDomains = String(data.allowedDomains ?? '').trim();
	if (allowedDomains !== '' && isDomainAllowed?.(url, { allowedDomains })) return;
	throw rejection(
		'Domain not allowed: Allowed Domains of the credential does not include the domain of its Base URL',
		'Open the credential and correct Allowed Domains.',
	);
}

/**
 * Connects a run to the service: address and key from the credential, requests through n8n's own helper, and the rate
 * limiter that all runs with this key share. The caller closes the client.
 *
 * @throws ServiceError if the base URL or the key cannot be used; the error of `checkHost` if the credential does not allow the host
 */
export async function connect(context: Context, options: ClientOptions): Promise<ApiClient> {
	const credential = await context.getCredentials(credentialName);
	const { root, apiKey } = readAccount(credential);
	checkHost(context.getNode(), credential, root);
	// Without it, the helper would read and decrypt the stored credential for every request.
	const { id, name = '' } = context.getNode().credentials?.[credentialName] ?? {};
	const stored = { id: id ?? '', name, type: credentialName, data: credential };
	const mask = secretMask([apiKey], '[API key]');
	const { httpRequestWithAuthentication: helper } = context.helpers;
	const send: Send = async ({ form: body, ...request }, signal) => {
		const options = { ...sharedOptions, ...request, headers: { ...request.headers }, body };
		const response: n8n.IN8nHttpFullResponse = await helper.call(
			withSignal(context, signal),
			credentialName,
			options,
			{ credentialsDecrypted: stored },
		);
		const headers: Record<string, string> = {};
		for (const name of Object.keys(response.headers))
			headers[name.toLowerCase()] = String(response.headers[name]);
		return { status: response.statusCode, headers, body: await readBody(response.body) };
	};
	return new ApiClient({ root, send, mask }, await limiterFor({ root, apiKey }), options);
}
