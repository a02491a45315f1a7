import type { INodePropertyOptions } from 'n8n-workflow';
import { plainName } from '../contract/text';
import { sortBy } from '../contract/values';

const displayNames = (type: 'language' | 'region') => {
	const names = new Intl.DisplayNames(['en'], { type });
	return (code: string) => names.of(code) ?? code;
};

/** Returns codes as choices, sorted by their English names. */
const codeChoices = (
	codes: readonly string[],
	nameOf: (code: string) => string,
): INodePropertyOptions[] =>
	sortBy(
		codes.map((value) => ({ name: nameOf(value), value })),
		({ name }) => name,
	);

/** ISO 3166-1 alpha-2 codes, which are the keys of country rules (assumption: country keys). */
const countryCodes = `
	AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT
	BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH
	ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT
	HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS
	LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI
	NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG
	SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG
	UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
`
	.trim()
	.split(/\s+/);

const regionName = displayNames('region');

export const countries = codeChoices(countryCodes, (code) =>
	regionName(code).replaceAll(' & ', ' and ').replace('’', "'").replace(' SAR China', ''),
);

/** Common names of countries that differ from the English names of the platform, which depend on its version. */
const otherCountryNames: ReadonlyArray<readonly [name: string, code: string]> = [
	['Burma', 'MM'],
	['Czech Republic', 'CZ'],
	['Great Britain', 'GB'],
	['Holland', 'NL'],
	['Ivory Coast', 'CI'],
	['Kosovo', 'XK'],
	['Myanmar', 'MM'],
	['Republic of Korea', 'KR'],
	['Russian Federation', 'RU'],
	['Turkey', 'TR'],
	['Türkiye', 'TR'],
	['UAE', 'AE'],
	['UK', 'GB'],
	['United States of America', 'US'],
	['USA', 'US'],
];

/** ISO 639-1 codes, which are the keys of language rules (assumption: language keys). */
const languageCodes = `
	aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz
	ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii
	ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi
	mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw
	sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk
	ur uz ve vi vo wa wo xh yi yo za zh zu
`
	.trim()
	.split(/\s+/);

const languageName = displayNames('language');

/** The platform returns "Akan" for both Akan and Twi. */
export const languages = codeChoices(languageCodes, (code) =>
	code === 'tw' ? 'Twi' : languageName(code),
);

type NameAndCode = readonly [name: string, code: string];

const codesByName = (entries: readonly NameAndCode[]) =>
	new Map(entries.map(([name, code]) => [plainName(name), code]));

const namesAndCodes = (choices: readonly INodePropertyOptions[]): NameAndCode[] =>
	choices.map(({ name, value }) => [name, String(value)]);

const countriesByName = codesByName([
	...namesAndCodes(countries),
	...countryCodes.map((code): NameAndCode => [regionName(code), code]),
	...otherCountryNames,
]);

const languagesByName = codesByName([
	...namesAndCodes(languages),
	['Farsi', 'fa'],
	['Mandarin', 'zh'],
]);

const isTwoLetters = (text: string) => /^[a-z]{2}$/i.test(text);

/**
 * Returns the code of a country by its English name or code in any case; undefined if the name is unknown. Returns
 * unknown codes of two letters as they are, because the service decides about them.
 */
export const countryCode = (text: string): string | undefined =>
	countriesByName.get(plainName(text)) ?? (isTwoLetters(text) ? text.toUpperCase() : undefined);

/** Returns the code of a language, in the same way as `countryCode`. */
export const languageCode = (text: string): string | undefined =>
	languagesByName.get(plainName(text)) ?? (isTwoLetters(text) ? text.toLowerCase() : undefined);
