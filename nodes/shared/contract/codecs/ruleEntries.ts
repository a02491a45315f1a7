import type { INodeProperties } from 'n8n-workflow';
import { Invalid } from '../types';
import { isRecord, parseJson, quote } from '../values';

/** One rule as it was given: its inputs by name. */
export type RuleEntry = Readonly<Record<string, unknown>>;

/** How one kind of rules is written as text. */
interface Notation {
	/** The comma that ends a rule. An address may hold others, so it is one that the beginning of a rule follows. */
	readonly comma: RegExp;
	/** What shows that an address holds the beginning of another rule, which no comma told apart. */
	readonly glued: RegExp;
	readonly entryOf: (text: string) => RuleEntry | undefined;
	readonly examples: string;
}

/** `US=https://example.com/us`: the key ends at the first equals sign. */
const keyed: Notation = {
	comma: /,(?=[^,=]+=\s*[a-z][a-z\d+.-]*:)/i,
	glued: /[^\S\r\n]|[,;|]$|[,;|][\w.-]*=/,
	entryOf: (text) => {
		const [, key, value] = text.match(/^([^=]+)=(.+)$/s) ?? [];
		return key === undefined ? undefined : { key: key.trim(), value: value?.trim() };
	},
	examples:
		'US=https://example.com/us, DE=https://example.com/de or {"US": "https://example.com/us"}',
};

/** `https://example.com/a`: an address alone. */
const plain: Notation = {
	comma: /,(?=\s*[a-z][a-z\d+.-]*:)/i,
	glued: /[^\S\r\n]|[,;|]$|[;|][a-z][a-z\d+.-]*:/i,
	entryOf: (text) => ({ value: text.trim() }),
	examples: 'https://example.com/a, https://example.com/b or ["https://example.com/a"]',
};

/** One rule in a text. */
function readText(text: string, { entryOf, glued }: Notation): RuleEntry | undefined {
	const entry = entryOf(text);
	return entry && !glued.test(String(entry.value)) ? entry : undefined;
}

/** The rules in a value, undefined for each that cannot be read. */
function read(value: unknown, notation: Notation): Array<RuleEntry | undefined> {
	if (Array.isArray(value)) {
		return Array.from<unknown>(value).map((one) =>
			typeof one === 'string' ? readText(one, notation) : isRecord(one) ? one : undefined,
		);
	}
	if (isRecord(value)) {
		if ('rules' in value) return read(value.rules ?? [], notation);
		if ('value' in value) return [value];
		return Object.entries(value).map(([key, address]) => ({ key: key.trim(), value: address }));
	}
	if (typeof value !== 'string') return [undefined];
	return /^\s*[[{]/.test(value)
		? read(parseJson(value), notation)
		: value.split(notation.comma).map((text) => readText(text, notation));
}

/**
 * The rules in a value as people have it at hand: the form's own rows, an array of rules or texts, an object from keys
 * to addresses, the JSON text of any of these, or the comma-separated text of a spreadsheet cell.
 *
 * @param isKeyed whether a rule has a key beside its value
 */
export function ruleEntriesOf(
	value: unknown,
	property: INodeProperties,
	isKeyed: boolean,
): readonly RuleEntry[] | Invalid {
	const notation = isKeyed ? keyed : plain;
	const entries = read(value, notation);
	const known = entries.filter((entry) => entry !== undefined);
	if (known.length === entries.length) return known;
	return new Invalid([
		`${quote(value, property)} cannot be read as rules; write them as ${notation.examples}`,
	]);
}
