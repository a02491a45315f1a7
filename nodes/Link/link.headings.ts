import type { Field, Headings } from '../shared/contract/resourceTypes';

const list = (text: string): readonly string[] => text.split(', ');

/**
 * The headings of columns that belong to a field of a link, besides its name, its key and its label: synonyms fill the field, and
 * columns with a stem stop the run if nothing fills the field.
 */
const headings: Readonly<Record<string, Headings>> = {
	url: {
		synonyms: list('long url, original url, destination'),
		stems: list(
			'destination, final url, full url, landing page, long link, long url, original link, original url, redirect url, target link, target url',
		),
		wholeStems: ['target'],
	},
	alias: {
		synonyms: list('slug, back-half, short code, custom alias'),
		stems: list(
			'alias, back half, custom bitlink, custom bitlinks, custom link, custom path, custom short link, custom url, short code, short name, slashtag, slug, vanity, vanity url',
		),
		wholeStems: list('key, keyword, path'),
	},
	disabled: { stems: ['disabled'] },
	expiration: {
		synonyms: list('expires, expires at, expiry, valid until'),
		stems: list(
			'active period end, active until, end date, ending date, ends at, ends on, expiration, expire, expires, expiry, stop date, valid through, valid till, valid to, valid until',
		),
	},
	expirationClicks: { stems: list('click limit, clicks limit, max clicks, max visits') },
	expirationUrl: {
		stems: list('expiration redirect, expired redirect, expiration url, expired url, expiry url'),
	},
	domainId: { stems: list('branded domain, custom domain, domain name, short domain') },
	password: { stems: list('passcode, passphrase, password, passwords, pw, pwd') },
	pixelIds: {
		synonyms: ['pixel'],
		stems: list('facebook pixel, pixel name, pixel names, pixels, tracking pixel'),
	},
	spaceId: { stems: ['space name'] },
	privacyPassword: { stems: list('privacy password, statistics password, stats password') },
};

/** Returns a field with its headings. */
export const withHeadings = (field: Field): Field => ({
	...field,
	wire: { ...headings[field.name], ...field.wire },
});
