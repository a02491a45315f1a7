import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { addressWithin, readAccount } from '../nodes/shared/transport/account';
import { unsupportedMessage } from '../nodes/shared/transport/generation';

/** The messages of the credential test, by HTTP status code. */
const statusMessages = [
	[401, 'The service did not accept the API key; enter a valid key'],
	[403, 'The service does not allow API access for this account; check its plan'],
	[404, 'The service has no API at this address; check Base URL'],
	[302, 'The address redirects to a login page, not to the API; check Base URL'],
	[419, 'The address returned a web page, not the API; check Base URL'],
	[429, 'The service received too many requests; try again in a minute'],
];

/** What the first link of a list has under `targets_type` in later versions of the service (assumption: renamed fields). */
const laterTargetTypes = [
	...[null, '', 'none', 0, 1, 2, 3, 4, '0', '1', '2', '3', '4'],
	...['country', 'platform', 'language', 'rotation', 'city', 'device', 'browser', 'continent'],
	...['countries', 'platforms', 'languages', 'rotations', 'cities', 'devices', 'browsers'],
	...['continents', 'geographic', 'operating_systems'],
];

/** The texts of a successful response that show a problem: their path, their value, and the message. */
const bodyMessages = [
	// n8n returns an HTML page as one string, and its first character has the key 0.
	['0', '<', 'The address returned a web page, not the API; check Base URL'],
	// A rule can only compare with a value. A link of a supported version has no such key.
	...laterTargetTypes.map((value) => ['data[0].targets_type', value, unsupportedMessage]),
];

/** The parts of a request that `authenticate` reads. n8n has two request types, with the address in `url` or in `uri`. */
interface RequestToSign extends Pick<IHttpRequestOptions, 'baseURL' | 'headers'> {
	readonly url?: string;
	readonly uri?: string;
}

/** Returns whether a request names another host than its address. The proxy of n8n's environment sets none of these. */
const hasOtherHost = (request: RequestToSign): boolean =>
	['proxy', 'socketPath'].some((key) => Boolean(Reflect.get(request, key))) ||
	Object.keys(request.headers ?? {}).some((name) => name.trim().toLowerCase() === 'host');

/** The base URL of the service and an API key, which requests send as a bearer token (contract 5). */
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
			description: 'The address of the service, with or without /api/v1',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'The API key of your account. Most services show it in their developer settings.',
		},
		{
			displayName: 'Account Time Zone',
			name: 'accountTimeZone',
			type: 'string',
			default: '',
			placeholder: 'e.g. Europe/Berlin',
			description:
				'The time zone of your account in the service. If empty, the nodes use the time zone of the workflow.',
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
		credentials: ICredentialDataDecryptedObject,
		request: T,
	): Promise<T> => {
		const { root, apiKey } = readAccount(credentials);
		const keys = (['url', 'uri'] as const).filter((key) => request[key] !== undefined);
		// Without an address, the request is for no address of the service.
		const addresses = (keys.length > 0 ? keys : (['url'] as const)).map((key) => [
			key,
			addressWithin(root, request[key] ?? '', request.baseURL),
		]);
		if (hasOtherHost(request)) {
			throw new Error(
				'This credential does not work with the Proxy option or a Host header, because they would send the API key to another host; remove them',
			);
		}
		return {
			...request,
			headers: { ...request.headers, Authorization: `Bearer ${apiKey}` },
			...Object.fromEntries(addresses),
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
		rules: [
			...statusMessages.map(([value, message]) => ({
				type: 'responseCode',
				properties: { value, message },
			})),
			...bodyMessages.map(([key, value, message]) => ({
				type: 'responseSuccessBody',
				properties: { key, value, message },
			})),
		] as ICredentialTestRequest['rules'],
	};
}
