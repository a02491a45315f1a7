import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { addressWithin, foreignAddress, readAccount } from '../nodes/shared/transport/account';

/** Where a request has its address. */
const addressKeys = ['url', 'uri'] as const;

/** The part of a request that `authenticate` reads; n8n has two types of requests. */
type RequestToSign = Pick<IHttpRequestOptions, 'baseURL' | 'headers'> &
	Partial<Record<(typeof addressKeys)[number], string>>;

/** Settings that send a request to another host than its address. The proxy of n8n's environment sets neither. */
const detours = ['proxy', 'socketPath'];

/** Whether a request is sent elsewhere than to its address, or claims another host. */
const hasDetour = (request: RequestToSign): boolean =>
	Object.entries(request).some(([key, value]) => detours.includes(key) && Boolean(value)) ||
	Object.keys(request.headers ?? {}).some((name) => name.trim().toLowerCase() === 'host');

/** An API key of the service, sent as a bearer credential (contract 5). */
export class LinkManagementApi implements ICredentialType {
	name = 'linkManagementApi';

	displayName = 'Link Management API';

	icon: Icon = {
		light: 'file:../nodes/Link/link.svg',
		dark: 'file:../nodes/Link/link.dark.svg',
	};

	documentationUrl =
		'https://github.com/link-management/n8n-nodes-link-management/blob/main/docs/first-link.md#create-the-credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://links.example.com',
			description: 'Address of the service, with or without /api/v1 at its end',
		},
		{
			// n8n leaves no way to word these where they appear.
			displayName: `If the test shows only a code: <b>ENOTFOUND</b> means that there is no such host, so check the spelling of Base URL. <b>ECONNREFUSED</b> means that nothing answers there, so check the port and whether the service is running. <a href="${this.documentationUrl}" target="_blank">More about the credential</a>`,
			name: 'codesNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'Issued to your account, usually in the developer settings of the service',
		},
	];

	/**
	 * Adds the bearer header, and completes a path under `/api/v1` with the base URL. The nodes and n8n's credential test
	 * pass the address as `url`, n8n's HTTP Request node as `uri`. A function instead of expressions, because expressions
	 * cost most of a bulk row's CPU time. A property instead of a method, because n8n copies the own properties of a
	 * credential type, and offers Custom API Call only if the copy has `authenticate`.
	 *
	 * @throws Error that the credential's dialog or the node shows, if the base URL or the key cannot be used, or if the
	 * request goes to an address that is not the service's
	 */
	authenticate = async <T extends RequestToSign>(
		credentials: ICredentialDataDecryptedObject,
		request: T,
	): Promise<T> => {
		const account = readAccount(credentials);
		if (typeof account === 'string') throw new Error(account);
		const { root, apiKey } = account;
		const headers = { ...request.headers, Authorization: `Bearer ${apiKey}` };
		const addresses = addressKeys
			.filter((key) => request[key] !== undefined)
			.map((key) => [key, addressWithin(root, String(request[key]), request.baseURL)] as const);
		if (addresses.length === 0 || addresses.some(([, address]) => address === undefined)) {
			throw new Error(foreignAddress);
		}
		if (hasDetour(request)) {
			throw new Error(
				'This credential cannot be used with the Proxy option or a Host header, because they send the API key elsewhere; remove them',
			);
		}
		return {
			...request,
			headers,
			// Each address is in full, so that nothing can complete it to another one.
			...Object.fromEntries(addresses),
			baseURL: undefined,
			// A short link leads anywhere.
			sendCredentialsOnCrossOriginRedirect: false,
		};
	};

	test: ICredentialTestRequest = {
		request: {
			url: '/api/v1/links',
			qs: { per_page: 10 },
			headers: { Accept: 'application/json' },
			disableFollowRedirect: true,
		},
		// n8n applies rules of both kinds, though its type allows only one kind at a time.
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message: 'The service did not accept the API key; enter one that is valid now',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message: 'The service refuses API access to this account; check its plan',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message: 'There is no API at this address; check Base URL',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 302,
					message: 'The address leads to a login page, not to the API; check Base URL',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 419,
					message: 'The web site answered, not the API; check Base URL',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 429,
					message: 'The service received too many requests; try again in a minute',
				},
			},
			{
				// An HTML page arrives as one text, and a text has its first character under key 0.
				type: 'responseSuccessBody',
				properties: {
					key: '0',
					value: '<',
					message: 'A web page answered, not the API; check Base URL',
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}
