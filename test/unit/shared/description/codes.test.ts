import {
	countries,
	countryCode,
	languageCode,
	languages,
} from '../../../../nodes/shared/description/codes';

it.each<[find: typeof countryCode, written: string, code: string | undefined]>([
	[countryCode, 'germany', 'DE'],
	[countryCode, 'de', 'DE'],
	[countryCode, 'UK', 'GB'],
	[countryCode, 'U.S.A.', 'US'],
	[countryCode, 'south korea', 'KR'],
	[countryCode, 'Bosnia & Herzegovina', 'BA'],
	[countryCode, 'bosnia and herzegovina', 'BA'],
	[countryCode, "Cote d'Ivoire", 'CI'],
	[countryCode, 'Ivory Coast', 'CI'],
	[countryCode, 'Turkey', 'TR'],
	[countryCode, 'Hong Kong SAR China', 'HK'],
	[countryCode, 'DEU', undefined],
	[countryCode, 'Germny', undefined],
	[languageCode, 'DE', 'de'],
	[languageCode, 'norwegian bokmal', 'nb'],
	[languageCode, 'Farsi', 'fa'],
	[languageCode, 'Twi', 'tw'],
	[languageCode, 'deu', undefined],
	[languageCode, 'Klingonese', undefined],
])('%p finds %j', (find, written, code) => {
	expect(find(written)).toBe(code);
});

it('finds each code by its name', () => {
	expect([countries.length, languages.length]).toEqual([249, 183]);
	for (const { name, value } of countries) expect(countryCode(name)).toBe(value);
	for (const { name, value } of languages) expect(languageCode(name)).toBe(value);
});
