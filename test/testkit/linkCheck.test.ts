import { useReferenceService } from '../support/referenceService.ts';

const { ask, badFields, call, createLink, current, readLink } = useReferenceService();

describe('validation of a link', () => {
	const long = `https://example.com/${'x'.repeat(2048 - 20)}`;
	const expiry = { expiration_date: '2030-02-28', expiration_time: '23:59' };

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
	])('refuses %s %j', async (_field, fields, bad) => {
		await createLink({ alias: 'taken' });
		const form = { url: 'https://example.com', domain_id: '1', ...fields };
		expect(await badFields('POST', '/api/v1/links', form)).toEqual(bad);
		expect(current().counts().links).toBe(1);
	});

	test.each<[string, Record<string, string>, Record<string, unknown>]>([
		['the longest address', { url: long }, { url: long }],
		['a scheme of an app', { url: 'app://open' }, { title: 'open' }],
		['a broken line', { url: 'https://a.example/\nb' }, { url: 'https://a.example/\nb' }],
		['an alias of another domain', { alias: 'taken', domain_id: '2' }, { alias: 'taken' }],
		['the longest alias', { alias: 'a'.repeat(255) }, { alias: 'a'.repeat(255) }],
		['the longest password', { password: 'ö'.repeat(128) }, { password: true }],
		['the most clicks', { expiration_clicks: '999999999' }, { expiration_clicks: 999999999 }],
		['a leap day', { ...expiry, expiration_date: '2028-02-29' }, {}],
	])('takes %s', async (_what, fields, stored) => {
		await createLink({ alias: 'taken' });
		const { id } = await createLink(fields);
		expect(await readLink(id)).toMatchObject(stored);
	});

	test('the least form lacks two fields', async () => {
		expect(await badFields('POST', '/api/v1/links', '')).toEqual(['domain_id', 'url']);
		const form = { url: 'https://a.example', domain: '9' };
		expect(await badFields('POST', '/api/v1/links', form)).toEqual(['domain']);
		expect(await badFields('POST', '/api/v1/links', 'url[]=https://a.example')).toEqual([
			'domain_id',
			'url',
		]);
	});

	test("two errors in the family's shape", async () => {
		expect(await ask('POST', '/api/v1/pixels', { name: 'n', type: 'nonsense' })).toEqual({
			status: 422,
			body: {
				message: { type: [expect.any(String)], value: [expect.any(String)] },
				status: 422,
			},
		});
	});

	test("errors in the framework's shape", async () => {
		current().set({ errorShape: 'framework' });
		const three = await ask('POST', '/api/v1/pixels', {});
		expect(three).toEqual({
			status: 422,
			body: {
				message: 'The name field is required. (and 2 more errors)',
				errors: {
					name: ['The name field is required.'],
					type: ['The type field is required.'],
					value: ['The value field is required.'],
				},
			},
		});
		const two = await ask('POST', '/api/v1/pixels', { name: 'n' });
		expect(two.body.message).toBe('The type field is required. (and 1 more error)');
		const refusal = await ask('PUT', '/api/v1/pixels/1', { name: '' });
		expect(refusal.body.message).toBe('The name field is required.');
	});

	test('without Accept a bad form is sent back to the site', async () => {
		const options = { form: { url: 'x' }, headers: { accept: undefined } };
		const { status, headers } = await call('POST', '/api/v1/links', options);
		expect([status, headers.location]).toEqual([302, '/']);
	});
});
