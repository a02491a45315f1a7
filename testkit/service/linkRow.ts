import type { SQLOutputValue } from 'node:sqlite';
import type { Form } from './form.ts';
import { linkFields, shownFields } from './linkFields.ts';
import type { Representation } from './resource.ts';
import { targetLists } from './targets.ts';

type Row = Record<string, SQLOutputValue>;

/** Reads links with the names of their domain and space, and their pixels as JSON. */
export const selectLinks = `
SELECT links.*, domains.name AS domain, spaces.name AS space, (
	SELECT json_group_array(
		json_object('id', pixels.id, 'name', name, 'type', type, 'value', value) ORDER BY pixels.id)
	FROM link_pixels JOIN pixels ON pixels.id = pixel_id WHERE link_id = links.id) AS pixels
FROM links JOIN domains ON domains.id = domain_id LEFT JOIN spaces ON spaces.id = space_id`;

/** A row of {@link selectLinks} as the service answers it (assumption: one resource). */
export function representLink(row: Row, origin: string): Representation {
	const { id, title, clicks, ends_at, created_at, updated_at } = row;
	const path = row.domain_id === 1 ? row.alias : `${row.domain_id}/${row.alias}`;
	const targets = Object.keys(targetLists).map((list) => [`${list}_target`, fromJson(row[list])]);
	return {
		id,
		...shownFields(row),
		short_url: `${origin}/s/${path}`,
		title,
		...Object.fromEntries(targets),
		last_rotation: 0,
		clicks,
		space: row.space_id === null ? null : { id: row.space_id, name: row.space },
		domain: { id: row.domain_id, name: row.domain },
		pixels: fromJson(row.pixels),
		ends_at,
		created_at,
		updated_at,
	};
}

/**
 * The answer to a write, which the framework makes of what was sent instead of reading the row again: sent numbers come
 * back as text, and what a create did not send is null, defaults included (assumption: sent numbers).
 */
export function echoLink(link: Representation, form: Form, created: boolean): Representation {
	const unsent = created ? { clicks: null, last_rotation: null } : {};
	const echoed = Object.entries(linkFields)
		.filter(
			([name, field]) => field.type === 'number' && (created || typeof form[name] === 'string'),
		)
		.map(([name]) => [name, form[name] ?? null]);
	return { ...link, ...unsent, ...Object.fromEntries(echoed) };
}

function fromJson(text: SQLOutputValue | undefined): unknown {
	return typeof text === 'string' ? JSON.parse(text) : null;
}
