import type { ICredentialTestRequest, ICredentialType } from 'n8n-workflow';
import { addressWithin, readAccount, type RequestAddress } from '../nodes/shared/transport/account';
import { unsupportedMessage } from '../nodes/shared/transport/generation';

const wrongAddress = 'The address returned a web page, not the API; check Base URL';

/** What the first link of a list has under `targets_type` in later versions of the service (assumption: renamed fields). */
const laterTargetTypes = [
	...[null, '', 'none', 0, '0', 'country', 'platform', 'language', 'rotation', 'device'],
	...['countries', 'platforms', 'languages', 'rotations', 'cities', 'devices', 'browsers'],
];

const laterVersion = { key: 'data[0].targets_type', message: unsupportedMessage };

/** Returns a rule of the credential test. */
const rule = (type: string, properties: object) => ({ type, properties });

/** The rules of the credential test: a status code or a text that shows a problem, and the message. */
const rules = [
	...[
		[401, 'The service did not accept the API key; enter a valid key'],
		[403, 'The service does not allow API access for this account; check its plan'],
		[404, 'The service has no API at this address; check Base URL'],
		[302, 'The address redirects to a login page, not to the API; check Base URL'],
		[419, wrongAddress],
		[429, 'The service received too many requests; try again in a minute'],
	].map(([value, message]) => rule('responseCode', { value, message })),
	// n8n returns an HTML page as one string, and its first character has the key 0.
	rule('responseSuccessBody', { key: '0', value: '<', message: wrongAddress }),
	// A rule can only compare with a value. A link of a supported version has no such key.
	...laterTargetTypes.map((value) => rule('responseSuccessBody', { ...laterVersion, value })),
];

/** The parts of a request that `authenticate` reads. */
type RequestToSign = RequestAddress &
	Partial<Record<'proxy' | 'socketPath', unknown>> & { readonly headers?: object };

const otherHost =
	'This credential does not work with the Proxy option or a Host header, because they would send the API key to another host; remove them';

/** Returns whether a request names another host than its address. The proxy of n8n's environment sets none of these. */
const hasOtherHost = ({ headers = {}, proxy, socketPath }: RequestToSign) =>
	Boolean(proxy || socketPath) || Object.keys(headers).some((name) => /^\s*host\s*$/i.test(name));

/** The base URL of the service and an API key, which requests send as a bearer token (contract 5). */
export class LinkManagementApi implements ICredentialType {
	name = 'linkManagementApi';

	displayName = 'Link Management API';

	icon = {
		light: 'file:../nodes/Link/link.svg',
		dark: 'file:../nodes/Link/link.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/link-management/n8n-nodes-link-management/blob/main/docs/first-link.md#create-the-credential';

	properties: ICredentialType['properties'] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://links.example.com',
			description: 'The address of the service, with or without /api/v1',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'Most services show the API key in their developer settings',
		},
		{
			displayName: 'Account Time Zone',
			name: 'accountTimeZone',
			type: 'string',
			default: '',
			placeholder: 'e.g. Europe/Berlin',
			description: 'The time zone of your account. If empty, that of the workflow applies.',
		},
	];

	/**
	 * Adds the bearer header, and completes a path under `/api/v1` with the base URL. The nodes and n8n's credential test
	 * pass the address as `url`; n8n's HTTP Request node passes it as `uri`.
	 *
	 * It is a function instead of expressions, because expressions take most of the CPU time of a bulk run. It is a property
	 * instead of a method, because n8n copies the own properties of a credential type, and offers Custom API Call only if the
	 * copy has `authenticate`.
	 *
	 * @throws Error if the base URL, the API key or the time zone is invalid, or if the request is for another address than the service
	 */
	authenticate = async <T extends RequestToSign>(
		credentials: Parameters<typeof readAccount>[0],
		request: T,
	): Promise<T> => {
		const { root, apiKey } = readAccount(credentials);
		if (hasOtherHost(request)) throw new Error(otherHost);
		const address = addressWithin(root, request);
		return {
			...request,
			headers: { ...request.headers, Authorization: `Bearer ${apiKey}` },
			...(request.uri === undefined ? { url: address } : { uri: address, url: undefined }),
			// Without a base URL, n8n cannot change the complete addresses.
			baseURL: undefined,
			// A short link can redirect to any host.
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
		// n8n applies rules of both types, although its type definition allows only one type.
		rules: rules as ICredentialTestRequest['rules'],
	};
}
