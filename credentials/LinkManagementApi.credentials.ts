import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { addressWithin, foreignAddress, readAccount } from '../nodes/shared/transport/account';
import { unsupportedMessage } from '../nodes/shared/transport/generation';

/** The messages of the credential test, by HTTP status code. */
const statusMessages = new Map([
	[401, 'The service did not accept the API key; enter a valid key'],
	[403, 'The service does not allow API access for this account; check its plan'],
	[404, 'The service has no API at this address; check Base URL'],
	[302, 'The address redirects to a login page, not to the API; check Base URL'],
	[419, 'The address returned a web page, not the API; check Base URL'],
	[429, 'The service received too many requests; try again in a minute'],
]);

/** What the first link of a list has under `targets_type` in later versions of the service (assumption: renamed fields). */
const laterTargetTypes = [
	...[null, '', 'none', 0, 1, 2, 3, 4, '0', '1', '2', '3', '4'],
	...['country', 'platform', 'language', 'rotation', 'city', 'device', 'browser', 'continent'],
	...['countries', 'platforms', 'languages', 'rotations', 'cities', 'devices', 'browsers'],
	...['continents', 'geographic', 'operating_systems'],
];

/** The properties of a request that contain its address. */
const addressKeys = ['url', 'uri'] as const;

/** The properties of a request that `authenticate` reads. n8n has two request types. */
type RequestToSign = Pick<IHttpRequestOptions, 'baseURL' | 'headers'> &
	Partial<Record<(typeof addressKeys)[number], string>>;

/** Settings that send a request to a host other than the host in its address. The proxy of n8n's environment sets neither. */
const redirectingSettings = ['proxy', 'socketPath'];

/** Returns whether the settings or headers of a request name another host than its address. */
const hasOtherHost = (request: RequestToSign): boolean =>
	redirectingSettings.some((key) => Boolean(Reflect.get(request, key))) ||
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
		if (hasOtherHost(request)) {
			throw new Error(
				'This credential does not work with the Proxy option or a Host header, because they would send the API key to another host; remove them',
			);
		}
		return {
			...request,
			headers,
			// Without a base URL, n8n cannot change the complete addresses.
			...Object.fromEntries(addresses),
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
			...[...statusMessages].map(([value, message]) => ({
				type: 'responseCode',
				properties: { value, message },
			})),
			{
				// n8n returns an HTML page as one string, and its first character has the key 0.
				type: 'responseSuccessBody',
				properties: {
					key: '0',
					value: '<',
					message: 'The address returned a web page, not the API; check Base URL',
				},
			},
			// A rule can only compare with a value. A link of a supported version has no such key.
			...laterTargetTypes.map((value) => ({
				type: 'responseSuccessBody',
				properties: { key: 'data[0].targets_type', value, message: unsupportedMessage },
			})),
		] as ICredentialTestRequest['rules'],
	};
}
