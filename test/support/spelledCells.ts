import {
	addressText,
	pixelNames,
	wallTime,
	type CanonicalRow,
	type Rules,
	type TimeZone,
} from './canonicalSheet.ts';
import type { Cells } from './columns.ts';

/** The nodes that a sheet may come from. */
export const sources = ['googleSheets', 'airtable', 'csv', 'database'] as const;
export type Source = (typeof sources)[number];

/** What decides how a sheet is written. */
export interface SpellingSpec {
	readonly seed: number;
	readonly source: Source;
	/** Time zone of expiries. */
	readonly timeZone: TimeZone;
	readonly pixelIds: readonly number[];
	/** Whether each row has a domain; otherwise, that of domain 1 may be left out. */
	readonly hasDomains: boolean;
	/** The cells of the column id; undefined if a field of the row finds the link. */
	readonly ids?: readonly string[];
}

/** Names and codes of what a rule is for. */
const ruleKeys: Readonly<Record<string, readonly string[]>> = {
	DE: ['DE', 'Germany', 'germany', 'de'],
	US: ['US', 'United States', 'usa', 'us'],
	GB: ['GB', 'United Kingdom', 'UK'],
	CI: ["Côte d'Ivoire", 'Ivory Coast', 'CI'],
	de: ['de', 'German', 'DE'],
	en: ['en', 'English', 'EN'],
	fr: ['fr', 'French'],
	iOS: ['iOS', 'ios', 'iPhone'],
	'OS X': ['OS X', 'macOS', 'osx'],
	Windows: ['Windows', 'win'],
	'Chrome OS': ['Chrome OS', 'chromeos'],
};

const targetTypes = {
	country: ['1', 'Geographic', 'geographic'],
	platform: ['2', 'Platform', 'PLATFORM'],
	language: ['3', 'Language', 'language'],
	rotation: ['4', 'Rotation', ' rotation'],
} as const;

const domainNames = ['', 'short.example', 'go.example'] as const;
const spaceNames = ['', 'Marketing', 'Support'] as const;

/** A number that a text always gives, so that a choice does not depend on the other choices. */
export function hash(text: string): number {
	let sum = 2166136261;
	for (const character of text) sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 16777619);
	sum = Math.imul(sum ^ (sum >>> 15), 2246822507);
	return (sum ^ (sum >>> 13)) >>> 0;
}

const padded = (date: Date) => date.toISOString().replace(/:\d\d\.\d{3}Z$/, '');

/** Writes the cells of rows. The choices depend on the seed and on the place of a cell alone. */
export class CellSpelling {
	readonly spec: SpellingSpec;

	constructor(spec: SpellingSpec) {
		this.spec = spec;
	}

	pick<T>(place: string, ...choices: readonly T[]): T {
		const found = choices[hash(`${this.spec.seed}:${place}`) % choices.length];
		return found as T;
	}

	/** Picks one of the texts, or of the other values if the source of the sheet has types. */
	pickCell(place: string, texts: readonly unknown[], others: readonly unknown[]): unknown {
		return this.pick(place, ...texts, ...(this.isTextOnly ? [] : others));
	}

	get isTextOnly(): boolean {
		return ['csv', 'googleSheets'].includes(this.spec.source);
	}

	/** A text with the blanks that people leave around it. */
	private blanks(place: string, text: string): string {
		return this.pick(`${place}.blanks`, text, text, text, ` ${text}`, `${text}\u00a0`, `${text} `);
	}

	private number(place: string, value: number): unknown {
		return this.pickCell(place, [String(value), ` ${value}`], [value, value]);
	}

	private related(place: string, id: number, name: string): unknown {
		const texts = [String(id), name, name.toUpperCase(), ` ${name}`, `${name}\u00a0`];
		return this.pickCell(place, texts, [id, { id, name }]);
	}

	private flag(place: string, value: boolean): unknown {
		const texts = value
			? ['TRUE', 'true', 'yes', 'Yes', 'ON', '1', ' on']
			: ['FALSE', 'false', 'no', 'No', 'OFF', '0'];
		return this.pickCell(place, texts, [value, value, Number(value)]);
	}

	private privacy(place: string, value: 0 | 1): unknown {
		const label = value === 0 ? 'Public' : 'Private';
		return this.pickCell(place, [String(value), label, label.toUpperCase(), `${label} `], [value]);
	}

	private pixels(place: string, places: readonly number[]): unknown {
		const { pixelIds } = this.spec;
		const entries = places.map((at) =>
			this.pick(`${place}.${at}`, pixelNames[at] ?? '', String(pixelIds[at])),
		);
		const separators = ['\n', '\r\n', ' \n', ';', '; ', ';\n', ',', ', ', ' ,'];
		const isPlain = entries.every((one) => !/[,;]/.test(one));
		const ids = places.map((at) => pixelIds[at]);
		const texts = [
			...(isPlain ? [entries.join(this.pick(`${place}.separator`, ...separators))] : []),
			JSON.stringify(entries),
			ids.join(),
		];
		const whole = places.map((at) => ({ id: pixelIds[at], name: pixelNames[at] }));
		const alone = ids.length === 1 ? ids : [];
		return this.pickCell(place, texts, [entries, ids, whole, ...alone]);
	}

	private rules(place: string, { kind, entries }: Rules): unknown {
		if (kind === 'rotation')
			return this.rotation(
				place,
				entries.map(([, one]) => addressText(one)),
			);
		const inOrder = this.pick(`${place}.order`, entries, [...entries].reverse());
		const pairs = inOrder.map(([key, one]) => {
			const name = this.pick(`${place}.${key}`, ...(ruleKeys[key] ?? [key]));
			return [name, addressText(one)] as const;
		});
		const equals = this.pick(`${place}.equals`, '=', ' = ', '= ');
		const lines = pairs.map((pair) => pair.join(equals));
		const object = Object.fromEntries(pairs);
		const list = pairs.map(([key, value]) => ({ key, value }));
		return this.pickCell(
			place,
			[this.joined(place, lines), this.joined(place, lines), JSON.stringify(object)],
			[object, list, lines, { rules: list }, JSON.stringify(list)],
		);
	}

	private rotation(place: string, addresses: readonly string[]): unknown {
		const list = addresses.map((value) => ({ value }));
		const texts = [this.joined(place, addresses), JSON.stringify(addresses)];
		return this.pickCell(place, texts, [addresses, list, { rules: list }]);
	}

	private joined(place: string, entries: readonly string[]): string {
		const separator = this.pick(`${place}.separator`, '\n', '\r\n', ' \n\n');
		return `${entries.join(separator)}${this.pick(`${place}.end`, '', '', ' ', '\n')}`;
	}

	private expiration(place: string, moment: number): unknown {
		const { date, time } = wallTime(moment, this.spec.timeZone);
		const texts = [
			`${date} ${time}`,
			`${date}T${time}:00`,
			new Date(moment).toISOString(),
			`${padded(new Date(moment + 5.5 * 3_600_000))}+05:30`,
			`${padded(new Date(moment - 3_600_000))}:00.000-0100`,
			...(time === '23:59' ? [date, ` ${date}`] : []),
		];
		return this.pickCell(place, texts, [new Date(moment), new Date(moment)]);
	}

	/** The cells of an expiry in two columns. */
	private splitExpiration(place: string, moment: number): Cells {
		const { date, time } = wallTime(moment, this.spec.timeZone);
		const day = this.pick(`${place}.date`, date, `${date}\u00a0`, `${date}T00:00:00.000Z`);
		const hour = this.pick(`${place}.time`, time, `${time}:00`, time.replace(/^0/, ''));
		if (time === '23:59' && this.pick(`${place}.hour`, true, false)) return { expirationDate: day };
		return { expirationDate: day, expirationTime: hour };
	}

	/** The cells of a row by the names of their fields. An empty cell is left out. */
	cellsOf(row: CanonicalRow, index: number): Cells {
		const place = (field: string) => `${index}.${field}`;
		const sheet = (choice: string, ...ways: readonly string[]) => this.pick(choice, ...ways);
		const { alias, domain, url, space, pixels, disabled, privacy, rules, utm } = row;
		const { expiration, expirationClicks, expirationUrl } = row;
		const isBlankDomain =
			!this.spec.hasDomains && domain === 1 && this.pick(place('domain?'), true, false);
		const cells: Cells = {
			alias: /^\d+$/.test(alias)
				? this.pickCell(place('alias'), [alias, `${alias}\u00a0`], [Number(alias)])
				: this.blanks(place('alias'), alias),
			url: this.blanks(place('url'), addressText(url)),
		};
		if (!isBlankDomain) cells.domainId = this.related(place('domain'), domain, domainNames[domain]);
		if (space) cells.spaceId = this.related(place('space'), space, spaceNames[space]);
		if (pixels) cells.pixelIds = this.pixels(place('pixels'), pixels);
		if (disabled !== undefined) cells.disabled = this.flag(place('disabled'), disabled);
		if (privacy !== undefined) cells.privacy = this.privacy(place('privacy'), privacy);
		if (expirationClicks !== undefined) {
			cells.expirationClicks = this.number(place('clicks'), expirationClicks);
		}
		if (expirationUrl) {
			cells.expirationUrl = this.blanks(place('expirationUrl'), addressText(expirationUrl));
		}
		if (expiration !== undefined) {
			const isSplit = sheet('expiration', 'split', 'whole') === 'split';
			if (isSplit) Object.assign(cells, this.splitExpiration(place('expiration'), expiration));
			else cells.expiration = this.expiration(place('expiration'), expiration);
		}
		if (rules) {
			const way = sheet('rules', 'kind', 'kind and type');
			const texts = targetTypes[rules.kind];
			cells[rules.kind] = this.rules(place('rules'), rules);
			if (way !== 'kind') {
				cells.targetType = this.pickCell(place('type'), texts, [Number(texts[0])]);
			}
		}
		if (utm) {
			const isSet = !this.isTextOnly && sheet('utm', 'set', 'columns') === 'set';
			if (isSet) cells.utm = utm;
			else Object.assign(cells, utm);
		}
		const { ids } = this.spec;
		if (ids) cells.id = this.number(place('id'), Number(ids[index]));
		return cells;
	}
}
