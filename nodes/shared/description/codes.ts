import type { INodePropertyOptions } from 'n8n-workflow';
import { valuesByName } from '../contract/codecs/scalar';
import { plainName } from '../contract/text';
import { sortBy } from '../contract/values';

/** Returns codes that are separated by blanks as choices, sorted by their names. */
function codeChoices(codes: string, nameOf: (code: string) => unknown): INodePropertyOptions[] {
	const values = codes.match(/\w+/g) ?? [];
	const choices = values.map((value) => ({ name: String(nameOf(value)), value }));
	return sortBy(choices, ({ name }) => name);
}

/**
 * Returns a function that returns the code for an English name or a code in any case; undefined if the name is unknown. It returns
 * unknown codes of two letters, because the service decides about them.
 *
 * @param otherNames other names by code, separated by commas
 */
function codeFinder(
	choices: readonly INodePropertyOptions[],
	otherNames: Readonly<Record<string, string>>,
	toCase: (code: string) => string,
) {
	const names = choices.map(({ name, value }) => [plainName(name), String(value)] as const);
	const codes = new Map([...names, ...valuesByName(otherNames)]);
	return (text: string): string | undefined =>
		codes.get(plainName(text)) ?? (/^[a-z]{2}$/i.test(text) ? toCase(text) : undefined);
}

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
`;

const regions = new Intl.DisplayNames(['en'], { type: 'region' });

export const countries = codeChoices(countryCodes, (code) =>
	regions.of(code)?.replaceAll(' & ', ' and ').replace('’', "'").replace(' SAR China', ''),
);

/** Names that differ from the English names of the platform, which depend on its version. */
const otherCountryNames = {
	AE: 'UAE',
	CI: 'Ivory Coast',
	CZ: 'Czech Republic',
	GB: 'Great Britain, UK',
	HK: 'Hong Kong SAR China',
	KR: 'Republic of Korea',
	MM: 'Burma, Myanmar',
	MO: 'Macao SAR China',
	NL: 'Holland',
	RU: 'Russian Federation',
	TR: 'Turkey, Türkiye',
	US: 'United States of America, USA',
	XK: 'Kosovo',
};

export const countryCode = codeFinder(countries, otherCountryNames, (code) => code.toUpperCase());

/** ISO 639-1 codes, which are the keys of language rules (assumption: language keys). */
const languageCodes = `
	aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz
	ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii
	ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi
	mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw
	sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk
	ur uz ve vi vo wa wo xh yi yo za zh zu
`;

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** The platform returns "Akan" for both Akan and Twi. */
export const languages = codeChoices(languageCodes, (code) =>
	code === 'tw' ? 'Twi' : languageNames.of(code),
);

const otherLanguageNames = { fa: 'Farsi', zh: 'Mandarin' };

export const languageCode = codeFinder(languages, otherLanguageNames, (code) => code.toLowerCase());
