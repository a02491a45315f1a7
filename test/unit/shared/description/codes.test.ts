import {
	countries,
	countryCode,
	languageCode,
	languages,
} from '../../../../nodes/shared/description/codes';

const codes = (find: typeof countryCode, found: Record<string, string | undefined>) =>
	Object.entries(found).map(([written, code]) => [find, written, code] as const);

it.each([
	...codes(countryCode, { germany: 'DE', de: 'DE', UK: 'GB', 'U.S.A.': 'US', 'south korea': 'KR' }),
	...codes(countryCode, { 'Bosnia & Herzegovina': 'BA', 'bosnia and herzegovina': 'BA' }),
	...codes(countryCode, { "Cote d'Ivoire": 'CI', 'Ivory Coast': 'CI', Turkey: 'TR' }),
	...codes(countryCode, { 'Hong Kong SAR China': 'HK', DEU: undefined, Germny: undefined }),
	...codes(languageCode, { DE: 'de', 'norwegian bokmal': 'nb', Farsi: 'fa', Twi: 'tw' }),
	...codes(languageCode, { deu: undefined, Klingonese: undefined }),
])('%p finds %j', (find, written, code) => {
	expect(find(written)).toBe(code);
});

it('finds each code by its name', () => {
	expect([countries.length, languages.length]).toEqual([249, 183]);
	for (const { name, value } of countries) expect(countryCode(name)).toBe(value);
	for (const { name, value } of languages) expect(languageCode(name)).toBe(value);
});
