import { useReferenceService } from '../support/referenceService.ts';

const { badFields, createLink, current } = useReferenceService();

describe('validation of a link', () => {
	const long = `https://example.com/${'x'.repeat(2048 - 20)}`;
	const expiry = { expiration_date: '2030-02-28', expiration_time: '23:59' };

	const rule = (list: string, key: string, value = 'https://example.com') => ({
		[`${list}[0][key]`]: key,
		[`${list}[0][value]`]: value,
	});

	test.each<[string, Record<string, string>, string[]]>([
		['url', { url: '' }, ['url']],
		['url', { url: 'example.com' }, ['url']],
		['url', { url: 'https://' }, ['url']],
		['url', { url: `${long}x` }, ['url']],
		['domain', { domain_id: '' }, ['domain_id']],
		['domain', { domain_id: '3' }, ['domain_id']],
		['domain', { domain_id: '1.0' }, ['domain_id']],
		['alias', { alias: 'a b' }, ['alias']],
		['alias', { alias: 'ä' }, ['alias']],
		['alias', { alias: 'a'.repeat(256) }, ['alias']],
		['alias taken', { alias: 'taken' }, ['alias']],
		['password', { password: 'p'.repeat(129) }, ['password']],
		['statistics password', { privacy_password: 'p'.repeat(129) }, ['privacy_password']],
		['space', { space_id: '3' }, ['space_id']],
		['disabled', { disabled: '2' }, ['disabled']],
		['disabled', { disabled: 'true' }, ['disabled']],
		['privacy', { privacy: '3' }, ['privacy']],
		['target type', { target_type: '5' }, ['target_type']],
		['expiration address', { expiration_url: 'gone' }, ['expiration_url']],
		['expiration address', { expiration_url: `${long}x` }, ['expiration_url']],
		['date', { ...expiry, expiration_date: '2030-02-29' }, ['expiration_date']],
		['date', { ...expiry, expiration_date: '2030-2-28' }, ['expiration_date']],
		['date', { ...expiry, expiration_date: '2030-13-01' }, ['expiration_date']],
		['time', { ...expiry, expiration_time: '24:00' }, ['expiration_time']],
		['time', { ...expiry, expiration_time: '9:00' }, ['expiration_time']],
		['date alone', { expiration_date: '2030-02-28' }, ['expiration_time']],
		['time alone', { expiration_time: '23:59' }, ['expiration_date']],
		['clicks', { expiration_clicks: '-1' }, ['expiration_clicks']],
		['clicks', { expiration_clicks: '1.5' }, ['expiration_clicks']],
		['clicks', { expiration_clicks: '1000000000' }, ['expiration_clicks']],
		['pixel', { 'pixel_ids[]': '99' }, ['pixel_ids']],
		['pixel', { 'pixel_ids[]': 'Facebook' }, ['pixel_ids']],
		['two fields', { url: 'x', privacy: '9' }, ['privacy', 'url']],
		['country', rule('country', 'de'), ['country.0.key']],
		['country', rule('country', 'UK'), ['country.0.key']],
		['country', rule('country', ''), ['country.0.key']],
		['country', rule('country', 'DE', 'example.com'), ['country.0.value']],
		['country', rule('country', 'DE', `${long}x`), ['country.0.value']],
		['country', rule('country', 'DE', ''), ['country.0.value']],
		['country', { country: 'DE' }, ['country']],
		['country', { 'country[0]': 'DE' }, ['country.0']],
		['platform', rule('platform', 'ios'), ['platform.0.key']],
		['language', rule('language', 'DE'), ['language.0.key']],
		['language', rule('language', 'deu'), ['language.0.key']],
		['rotation', { 'rotation[0][value]': 'x' }, ['rotation.0.value']],
		['all of a rule', rule('country', 'de', 'x'), ['country.0.key', 'country.0.value']],
	])('refuses %s %j', async (_field, fields, bad) => {
		await createLink({ alias: 'taken' });
		const form = { url: 'https://example.com', domain_id: '1', ...fields };
		expect(await badFields('POST', '/api/v1/links', form)).toEqual(bad);
		expect(current().counts().links).toBe(1);
	});
});
