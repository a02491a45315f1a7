import { useReferenceService } from '../support/referenceService.ts';

const { badFields, createLink, current } = useReferenceService();

describe('target rules', () => {
	const long = `https://example.com/${'x'.repeat(2048 - 20)}`;
	const rule = (list: string, key: string, value = 'https://example.com') => ({
		[`${list}[0][key]`]: key,
		[`${list}[0][value]`]: value,
	});

	test.each<[string, Record<string, string>, string[]]>([
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
		await createLink();
		const form = { url: 'https://example.com', domain_id: '1', ...fields };
		expect(await badFields('POST', '/api/v1/links', form)).toEqual(bad);
		expect(current().counts().links).toBe(1);
	});
});
