import type { CanonicalRow } from './canonicalSheet.ts';
import type { Cells } from './columns.ts';
import { CellSpelling, type SpellingSpec } from './spelledCells.ts';

/** Names of the fields, their synonyms, and the keys of the API. */
const headings: Readonly<Record<string, readonly string[]>> = {
	alias: ['alias', 'Alias', 'ALIAS', 'slug', 'Back-half', 'short_code', 'Custom alias'],
	url: [
		'url',
		'URL',
		'Destination URL',
		'destination_url',
		'long_url',
		'Original URL',
		'Destination',
	],
	domainId: ['domain', 'Domain', 'domain_id', 'domainId'],
	spaceId: ['space', 'Space', 'space_id', 'spaceId'],
	pixelIds: ['pixels', 'Pixels', 'pixel_ids', 'pixelIds', 'Pixel Names or IDs', 'Pixel'],
	disabled: ['disabled', 'Disabled', 'DISABLED'],
	privacy: ['privacy', 'Privacy', 'Statistics Privacy', 'statistics_privacy'],
	country: ['Country Rules', 'country_rules', 'countryRules'],
	language: ['Language Rules', 'language_rules'],
	platform: ['Platform Rules', 'platform_rules'],
	rotation: ['Rotation Rules', 'rotation_rules'],
	targetType: ['target_type', 'Target Type', 'targetType'],
	expiration: [
		'expiration',
		'Expiration',
		'expires',
		'Expiry',
		'valid_until',
		'Valid until',
		'expires_at',
	],
	expirationDate: ['expiration_date', 'Expiration Date', 'expirationDate'],
	expirationTime: ['expiration_time', 'Expiration Time', 'EXPIRATION TIME'],
	expirationClicks: ['expiration_clicks', 'Expiration Clicks', 'expirationClicks'],
	expirationUrl: ['expiration_url', 'Expiration Redirect URL', 'expirationUrl'],
	utm: ['utm', 'UTM Parameters', 'utm_parameters'],
	utm_source: ['utm_source', 'UTM Source', 'utm source'],
	utm_medium: ['utm_medium', 'UTM Medium', 'utmMedium'],
	utm_campaign: ['utm_campaign', 'UTM Campaign'],
	utm_term: ['utm_term', 'UTM Term'],
	utm_content: ['utm_content', 'UTM Content'],
	utm_id: ['utm_id', 'UTM ID'],
	id: ['id', 'ID', 'Id'],
};

/** Columns that fill nothing, as sheets have them; some look like fields that each row fills. */
const extras = [
	...['Notes', 'Owner', 'Clicks', 'Date', 'Type', 'Description', 'Created At', 'Medium'],
	...['Country', 'Language', 'Alias (old)', 'Custom slug', 'Landing Page URL', 'Title'],
];

/** Writes sheets as a source gives them. */
export class Spelling {
	private readonly cells: CellSpelling;

	constructor(spec: SpellingSpec) {
		this.cells = new CellSpelling(spec);
	}

	/** The headings of fields: their names, labels, keys and synonyms. */
	private headingsOf(fields: readonly string[]): ReadonlyMap<string, string> {
		const { source } = this.cells.spec;
		const headingOf = (field: string): string => {
			const all = headings[field] ?? [field];
			const names = source === 'database' ? all.filter((name) => /^[a-z_]+$/.test(name)) : all;
			const name = this.cells.pick(`${field}.heading`, ...names);
			return source === 'googleSheets'
				? this.cells.pick(`${field}.blanks`, name, name.replaceAll(' ', '\u00a0'), `${name} `)
				: name;
		};
		return new Map(fields.map((field) => [field, headingOf(field)]));
	}

	/** A value of a column that fills nothing. */
	private extraCell(index: number, column: string): unknown {
		return this.cells.pickCell(
			`${index}.${column}`,
			['x', '5', 'https://example.com', ''],
			[5, null, ['a']],
		);
	}

	/** Returns a sheet as the source gives it. */
	write(rows: readonly CanonicalRow[]): Cells[] {
		const { source } = this.cells.spec;
		const cells = rows.map((row, index) => this.cells.cellsOf(row, index));
		const filled = new Set(cells.flatMap((one) => Object.keys(one)));
		const fields = Object.keys(headings).filter((field) => filled.has(field));
		const own = this.headingsOf(fields);
		const isAliasNamed = own.get('alias')?.toLowerCase().trim() === 'alias';
		const taken = new Set([...own.values()].map((name) => name.toLowerCase().trim()));
		// A synonym fills nothing if another column has the name of the field.
		const more = [...extras, ...(isAliasNamed ? ['Slug'] : [])].filter(
			(name) =>
				!taken.has(name.toLowerCase()) && this.cells.pick(`extra.${name}`, true, false, false),
		);
		const empty = source === 'database' ? null : '';
		const [first] = fields;
		const rowOf = (one: Cells, index: number): Cells => {
			const row: Cells = source === 'googleSheets' ? { row_number: index + 2 } : {};
			for (const field of fields) {
				const heading = own.get(field) ?? field;
				const isMarked =
					field === first && this.cells.pick('mark', true, false) && this.cells.isTextOnly;
				const written = isMarked ? `\ufeff${heading}` : heading;
				if (Object.hasOwn(one, field)) row[written] = one[field];
				else if (source !== 'airtable') row[written] = empty;
			}
			const isBlank = index >= rows.length;
			for (const name of more) row[name] = isBlank ? empty : this.extraCell(index, name);
			return row;
		};
		const blanks = this.cells.isTextOnly ? this.cells.pick('blank rows', 0, 1, 3) : 0;
		const all = [...cells, ...Array.from({ length: blanks }, (): Cells => ({}))];
		return all.map(rowOf);
	}
}
