import {
	addressText,
	utmNames,
	wallTime,
	type Address,
	type CanonicalRow,
	type Rules,
	type TimeZone,
} from './canonicalSheet.ts';

/** Returns the text of an address with parameters at the end of its query. Addresses of apps have none. */
function tagged(one: Address, tags: CanonicalRow['utm'] = {}): string {
	const pairs = utmNames.flatMap((name) =>
		tags[name] === undefined ? [] : [`${name}=${encodeURIComponent(tags[name])}`],
	);
	const isWeb = /^https?:/.test(one.base);
	if (!isWeb || pairs.length === 0) return addressText(one);
	return addressText({ ...one, query: [...(one.query ? [one.query] : []), ...pairs].join('&') });
}

const targetTypes = { country: 1, platform: 2, language: 3, rotation: 4 } as const;

/** The stored link by the parameters that write it. Keys of rules are sorted, because their order means nothing. */
export type Stored = Record<string, unknown>;

const sorted = (list: unknown[]) => [...list].sort((one, other) => Number(one) - Number(other));

const byKey = (rules: readonly (readonly [string, string])[]) =>
	[...rules].sort(([one], [other]) => (one < other ? -1 : 1));

/**
 * Returns what the service has to store for a row.
 *
 * @param pixelIds IDs of the pixels, in the order of `pixelNames`
 */
export function expectedOf(
	row: CanonicalRow,
	timeZone: TimeZone,
	pixelIds: readonly number[],
): Stored {
	const { rules, expiration, utm: tags } = row;
	const entries = (kind: Rules['kind']) => {
		if (rules?.kind !== kind) return null;
		const texts = rules.entries.map(([key, one]) => [key, tagged(one, tags)] as const);
		return kind === 'rotation' ? texts.map(([, text]) => text) : byKey(texts);
	};
	const wall = expiration === undefined ? undefined : wallTime(expiration, timeZone);
	return {
		alias: row.alias,
		domain_id: row.domain,
		url: tagged(row.url, tags),
		space_id: row.space ?? null,
		pixel_ids: sorted((row.pixels ?? []).map((at) => pixelIds[at])),
		disabled: Number(row.disabled ?? false),
		privacy: row.privacy ?? 0,
		target_type: rules ? targetTypes[rules.kind] : 0,
		country: entries('country'),
		language: entries('language'),
		platform: entries('platform'),
		rotation: entries('rotation'),
		expiration: wall ? `${wall.date} ${wall.time}` : null,
		expiration_clicks: row.expirationClicks ?? null,
		expiration_url: row.expirationUrl ? addressText(row.expirationUrl) : null,
	};
}

interface Rule {
	readonly key?: string;
	readonly value: string;
}

/** A link as the service answers it. */
export interface Answered {
	readonly id: number;
	readonly alias: string;
	readonly url: string;
	readonly short_url: string;
	readonly domain: { readonly id: number };
	readonly space: { readonly id: number } | null;
	readonly pixels: readonly { readonly id: number }[];
	readonly [key: string]: unknown;
}

/** Returns what the service stores, in the form of `expectedOf`. */
export function storedOf(link: Answered): Stored {
	const entries = (kind: string) => {
		const list = link[`${kind}_target`] as readonly Rule[] | null;
		if (!list) return null;
		if (kind === 'rotation') return list.map(({ value }) => value);
		return byKey(list.map(({ key = '', value }) => [key, value]));
	};
	const endsAt = link.ends_at as string | null;
	return {
		alias: link.alias,
		domain_id: link.domain.id,
		url: link.url,
		space_id: link.space?.id ?? null,
		pixel_ids: sorted(link.pixels.map(({ id }) => id)),
		disabled: link.disabled,
		privacy: link.privacy,
		target_type: link.target_type,
		country: entries('country'),
		language: entries('language'),
		platform: entries('platform'),
		rotation: entries('rotation'),
		expiration: endsAt && endsAt.replace('T', ' ').slice(0, 16),
		expiration_clicks: link.expiration_clicks,
		expiration_url: link.expiration_url,
	};
}

/** Returns the parameters that change one stored link into another; date and time of an expiry go together. */
export const changedParameters = (before: Stored, after: Stored): string[] =>
	Object.keys(after)
		.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
		.flatMap((key) => (key === 'expiration' ? ['expiration_date', 'expiration_time'] : [key]))
		.sort();
