import { countryCode, languageCode } from '../../../../nodes/shared/description/codes';

it.each<[written: string, code: string | undefined]>([
	['Germany', 'DE'],
	['germany', 'DE'],
	['de', 'DE'],
	['DEU', 'DE'],
	['xx', 'XX'],
	['Atlantis', undefined],
	['', undefined],
])('finds the country %j', (written, code) => {
	expect(countryCode(written)).toBe(code);
});

it.each<[written: string, code: string | undefined]>([
	['German', 'de'],
	['DE', 'de'],
	['deu', 'de'],
	['ger', 'de'],
	['Farsi', 'fa'],
	['Mandarin', 'zh'],
	['Twi', 'tw'],
	['xx', 'xx'],
	['Klingonese', undefined],
])('finds the language %j', (written, code) => {
	expect(languageCode(written)).toBe(code);
});
