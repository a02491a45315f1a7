import type { INodePropertyOptions } from 'n8n-workflow';
import { plainName } from '../contract/suggestions';
import { sortBy } from '../contract/values';

const displayNames = (type: 'language' | 'region', style: 'long' | 'short') => {
	const names = new Intl.DisplayNames(['en'], { type, style });
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

/** ISO 3166-1 codes, alpha-2 and alpha-3. The alpha-2 codes are the keys of country rules (assumption: country keys). */
const countryCodes = `
	AD/AND AE/ARE AF/AFG AG/ATG AI/AIA AL/ALB AM/ARM AO/AGO AQ/ATA AR/ARG AS/ASM AT/AUT AU/AUS AW/ABW AX/ALA
	AZ/AZE BA/BIH BB/BRB BD/BGD BE/BEL BF/BFA BG/BGR BH/BHR BI/BDI BJ/BEN BL/BLM BM/BMU BN/BRN BO/BOL BQ/BES
	BR/BRA BS/BHS BT/BTN BV/BVT BW/BWA BY/BLR BZ/BLZ CA/CAN CC/CCK CD/COD CF/CAF CG/COG CH/CHE CI/CIV CK/COK
	CL/CHL CM/CMR CN/CHN CO/COL CR/CRI CU/CUB CV/CPV CW/CUW CX/CXR CY/CYP CZ/CZE DE/DEU DJ/DJI DK/DNK DM/DMA
	DO/DOM DZ/DZA EC/ECU EE/EST EG/EGY EH/ESH ER/ERI ES/ESP ET/ETH FI/FIN FJ/FJI FK/FLK FM/FSM FO/FRO FR/FRA
	GA/GAB GB/GBR GD/GRD GE/GEO GF/GUF GG/GGY GH/GHA GI/GIB GL/GRL GM/GMB GN/GIN GP/GLP GQ/GNQ GR/GRC GS/SGS
	GT/GTM GU/GUM GW/GNB GY/GUY HK/HKG HM/HMD HN/HND HR/HRV HT/HTI HU/HUN ID/IDN IE/IRL IL/ISR IM/IMN IN/IND
	IO/IOT IQ/IRQ IR/IRN IS/ISL IT/ITA JE/JEY JM/JAM JO/JOR JP/JPN KE/KEN KG/KGZ KH/KHM KI/KIR KM/COM KN/KNA
	KP/PRK KR/KOR KW/KWT KY/CYM KZ/KAZ LA/LAO LB/LBN LC/LCA LI/LIE LK/LKA LR/LBR LS/LSO LT/LTU LU/LUX LV/LVA
	LY/LBY MA/MAR MC/MCO MD/MDA ME/MNE MF/MAF MG/MDG MH/MHL MK/MKD ML/MLI MM/MMR MN/MNG MO/MAC MP/MNP MQ/MTQ
	MR/MRT MS/MSR MT/MLT MU/MUS MV/MDV MW/MWI MX/MEX MY/MYS MZ/MOZ NA/NAM NC/NCL NE/NER NF/NFK NG/NGA NI/NIC
	NL/NLD NO/NOR NP/NPL NR/NRU NU/NIU NZ/NZL OM/OMN PA/PAN PE/PER PF/PYF PG/PNG PH/PHL PK/PAK PL/POL PM/SPM
	PN/PCN PR/PRI PS/PSE PT/PRT PW/PLW PY/PRY QA/QAT RE/REU RO/ROU RS/SRB RU/RUS RW/RWA SA/SAU SB/SLB SC/SYC
	SD/SDN SE/SWE SG/SGP SH/SHN SI/SVN SJ/SJM SK/SVK SL/SLE SM/SMR SN/SEN SO/SOM SR/SUR SS/SSD ST/STP SV/SLV
	SX/SXM SY/SYR SZ/SWZ TC/TCA TD/TCD TF/ATF TG/TGO TH/THA TJ/TJK TK/TKL TL/TLS TM/TKM TN/TUN TO/TON TR/TUR
	TT/TTO TV/TUV TW/TWN TZ/TZA UA/UKR UG/UGA UM/UMI US/USA UY/URY UZ/UZB VA/VAT VC/VCT VE/VEN VG/VGB VI/VIR
	VN/VNM VU/VUT WF/WLF WS/WSM YE/YEM YT/MYT ZA/ZAF ZM/ZMB ZW/ZWE
`
	.trim()
	.split(/\s+/)
	.map((pair) => pair.split('/'));

const regionName = displayNames('region', 'long');

export const countries = codeChoices(
	countryCodes.map(([code = '']) => code),
	(code) => regionName(code).replaceAll(' & ', ' and ').replace('’', "'").replace(' SAR China', ''),
);

/** Other names of countries, in addition to the names and codes of the platform and of ISO. */
const otherCountryNames: Readonly<Record<string, readonly string[]>> = {
	AE: ['UAE'],
	CD: ['Democratic Republic of the Congo', 'DR Congo'],
	CG: ['Republic of the Congo'],
	CI: ['Ivory Coast'],
	CV: ['Cabo Verde'],
	CZ: ['Czech Republic'],
	GB: ['UK', 'Great Britain'],
	IE: ['Republic of Ireland'],
	KP: ["Democratic People's Republic of Korea"],
	KR: ['Republic of Korea'],
	MK: ['Macedonia'],
	MO: ['Macau'],
	MM: ['Myanmar', 'Burma'],
	NL: ['The Netherlands', 'Holland'],
	RU: ['Russian Federation'],
	SZ: ['Swaziland'],
	TL: ['East Timor'],
	TR: ['Turkey', 'Türkiye'],
	US: ['United States of America', 'U.S.A.'],
	VA: ['Holy See', 'Vatican'],
	XK: ['Kosovo'],
};

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

const languageName = displayNames('language', 'long');

/** The platform returns "Akan" for both Akan and Twi. */
export const languages = codeChoices(languageCodes, (code) =>
	code === 'tw' ? 'Twi' : languageName(code),
);

type NameAndCode = readonly [name: string, code: string];

const namesAndCodes = (choices: readonly INodePropertyOptions[]): NameAndCode[] =>
	choices.map(({ name, value }) => [name, String(value)]);

const codesByName = (entries: readonly NameAndCode[]) =>
	new Map(entries.map(([name, code]) => [plainName(name), code]));

const countriesByCode = new Map(
	countryCodes.flatMap((codes) => codes.map((code) => [code, codes[0] ?? code])),
);

const countriesByName = codesByName([
	...namesAndCodes(countries),
	...[regionName, displayNames('region', 'short')].flatMap((nameOf) =>
		countryCodes.map(([code = '']): NameAndCode => [nameOf(code), code]),
	),
	...Object.entries(otherCountryNames).flatMap(([code, names]) =>
		names.map((name): NameAndCode => [name, code]),
	),
]);

const languagesByName = codesByName([
	...namesAndCodes(languages),
	['Farsi', 'fa'],
	['Mandarin', 'zh'],
]);

const isTwoLetters = (text: string) => /^[a-z]{2}$/i.test(text);

/**
 * Returns the alpha-2 code of a country by its English name or code in any case; undefined if the name is unknown. Returns
 * unknown codes of two letters as they are, because the service decides about them.
 */
export const countryCode = (text: string): string | undefined =>
	countriesByName.get(plainName(text)) ??
	countriesByCode.get(text.toUpperCase()) ??
	(isTwoLetters(text) ? text.toUpperCase() : undefined);

/** Returns the two-letter code for a language code of three letters, native or English (ISO 639-2). */
const shortCode = (text: string): string | undefined =>
	/^[a-z]{3}$/i.test(text) ? Intl.getCanonicalLocales(text)[0] : undefined;

/**
 * Returns the two-letter code of a language by its English name or code in any case; undefined if the name is unknown.
 * Returns unknown codes of two letters as they are, because the service decides about them.
 */
export function languageCode(text: string): string | undefined {
	const code = shortCode(text) ?? text.toLowerCase();
	const isCode = languageCodes.includes(code) || isTwoLetters(code);
	return languagesByName.get(plainName(text)) ?? (isCode ? code : undefined);
}
