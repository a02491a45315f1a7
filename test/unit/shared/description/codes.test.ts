import {
	countries,
	countryCode,
	languageCode,
	languages,
} from '../../../../nodes/shared/description/codes';

it.each<[written: string, code: string | undefined]>([
	['germany', 'DE'],
	['de', 'DE'],
	['UK', 'GB'],
	['U.S.A.', 'US'],
	['south korea', 'KR'],
	['Bosnia & Herzegovina', 'BA'],
	['bosnia and herzegovina', 'BA'],
	["Cote d'Ivoire", 'CI'],
	['Ivory Coast', 'CI'],
	['Turkey', 'TR'],
	['Hong Kong SAR China', 'HK'],
	['DEU', undefined],
	['Germny', undefined],
])('finds the country %j', (written, code) => {
	expect(countryCode(written)).toBe(code);
});

it.each<[written: string, code: string | undefined]>([
	['DE', 'de'],
	['norwegian bokmal', 'nb'],
	['Farsi', 'fa'],
	['Twi', 'tw'],
	['deu', undefined],
	['Klingonese', undefined],
])('finds the language %j', (written, code) => {
	expect(languageCode(written)).toBe(code);
});

it('finds each code by its name', () => {
	expect([countries.length, languages.length]).toEqual([249, 183]);
	for (const { name, value } of countries) expect(countryCode(name)).toBe(value);
	for (const { name, value } of languages) expect(languageCode(name)).toBe(value);
});
