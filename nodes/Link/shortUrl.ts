import type { INodeProperties } from 'n8n-workflow';
import { Invalid, type Address } from '../shared/contract/types';
import { isRecord, plain, quote } from '../shared/contract/values';
import type { Resource } from '../shared/contract/view';

const hasScheme = /^https?:\/\//i;

function decoded(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

/** The part of an address that names a link: host in lower case and path, without scheme, query and slashes at the end. */
function nameIn(address: string): string | undefined {
	const [, host, path = ''] =
		address
			.trim()
			.replace(hasScheme, '')
			.match(/^([^\s/?#]+)\/+([^\s?#]*[^\s/?#])\/*(?:[?#]\S*)?$/) ?? [];
	return host === undefined ? undefined : `${host.toLowerCase()}/${decoded(path)}`;
}

/** The names by which a link can be called: its short URL, and its domain with its alias (assumption: one resource). */
function namesOf({ short_url: shortUrl, domain, alias }: Resource): Array<string | undefined> {
	const domainName = isRecord(domain) ? String(domain.name) : '';
	return [nameIn(String(shortUrl)), nameIn(`${domainName}/${String(alias)}`)];
}

/**
 * Reads a short URL, or a domain and alias such as `short.example/spring-sale`, as the address of a link. In a parameter
 * that is meant to hold an ID, a whole URL is taken for one too: no ID has a scheme, and AI agents mix them up.
 */
export function shortUrl(
	value: unknown,
	property: INodeProperties,
	isMeant: boolean,
): Address | Invalid | undefined {
	const written = plain(value);
	const text = typeof written === 'string' ? written.trim() : '';
	if (!isMeant && !hasScheme.test(text)) return undefined;
	const name = nameIn(text);
	if (name === undefined) {
		return new Invalid([
			`${quote(written, property)} is not a short URL; enter one like https://short.example/spring-sale, or short.example/spring-sale`,
		]);
	}
	const search = name.slice(name.lastIndexOf('/') + 1);
	return {
		text,
		search,
		fits: (link) => namesOf(link).includes(name),
	};
}
