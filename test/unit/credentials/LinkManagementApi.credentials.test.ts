import { LinkManagementApi } from '../../../credentials/LinkManagementApi.credentials';
import { unsupportedMessage } from '../../../nodes/shared/transport/generation';

it('tests the credential with a list of links, which shows a wrong address and a later version', () => {
	const { request, rules = [] } = new LinkManagementApi().test;
	expect(request).toMatchObject({ url: '/api/v1/links', disableFollowRedirect: true });
	// The key is missing in a supported version, and n8n compares with ===.
	const values = rules.map(({ properties }) => properties.value as unknown);
	expect(values).toEqual(expect.arrayContaining([401, 403, 404, 302, 419, 429, '<', null, 0]));
	expect(values).not.toContain(undefined);
	const properties = { key: 'data[0].targets_type', value: 'country', message: unsupportedMessage };
	expect(rules).toContainEqual({ type: 'responseSuccessBody', properties });
});
