import * as n8n from 'n8n-workflow';
import { text as textCodec } from '../../shared/contract/codecs/scalar';
import { normalize } from '../../shared/contract/textLimits';
import { isRounded } from '../../shared/contract/readers';
import { columnName } from '../../shared/contract/columns';
import type { Columns } from '../../shared/contract/types';
import type { RawRow, ResourceOption } from '../../shared/contract/resourceTypes';
import {
	formulaError,
	isFormulaError,
	isTextual,
	isUnset,
	quoteText,
} from '../../shared/contract/values';
import { shownFor } from '../../shared/description/parameters';

export const aliasTemplate: ResourceOption = {
	displayName: 'Alias Template',
	name: 'aliasTemplate',
	type: 'string',
	default: '',
	placeholder: 'e.g. {country}-{campaign}',
	description: 'The alias of items without one, with names of columns in braces',
	displayOptions: shownFor(({ creates }) => creates),
	codec: textCodec,
};

/** The max length of an alias at most services (assumption: limits). */
const maxAliasLength = 255;

/** The max length of a template, and of a value in it. */
const maxTemplateLength = 1000;
const maxValueLength = 1000;

/** Older versions of n8n lack it. Then the node only removes accents. */
const { ExpressionExtensions: extensions = [] }: Partial<typeof n8n> = n8n;
const plainLetters = extensions.find(({ typeName }) => typeName === 'String')?.functions
	.replaceSpecialChars;

/** Returns a text in lowercase ASCII letters, as far as possible. */
function transliterate(text: string): string {
	// n8n replaces composed lowercase letters only, such as ß but not ẞ.
	const composed = normalize(text, 'NFKC').toLowerCase();
	const plain: unknown = plainLetters?.(composed, []);
	return normalize(isTextual(plain) ? String(plain) : composed, 'NFD').replace(/\p{M}/gu, '');
}

/** Returns the lowercase letters and digits of a text, joined by hyphens. */
const slugOf = (text: string): string =>
	transliterate(text.trim().slice(0, maxValueLength))
		.toLowerCase()
		.replace(/['’]/g, '')
		.replace(/[^a-z\d]+/g, '-')
		.replace(/^-|-$/g, '');

const placeholders = /\{([^{}]*)\}/g;

/** Returns a function that finds the value of a column by name. Case, spaces and punctuation are ignored. */
function columnFinder(columns: Columns): (name: string) => unknown {
	let byName: ReadonlyMap<string, unknown> | undefined;
	return (name) => {
		if (Object.hasOwn(columns, name)) return columns[name];
		// If two columns have the same name, the first column counts.
		const entries = () => Object.entries(columns).reverse();
		byName ??= new Map(entries().map(([column, value]) => [columnName(column), value]));
		return byName.get(columnName(name));
	};
}

/** Returns the alias of a row from the template; undefined without a template. Reports columns without a value. */
export function templateAlias({ columns, options, report }: RawRow): string | undefined {
	const template = options.resourceOptions[aliasTemplate.name] ?? '';
	if (template.trim() === '') return undefined;
	if (template.length > maxTemplateLength) {
		report(aliasTemplate, [`is longer than ${maxTemplateLength} characters; shorten it`]);
		return '';
	}
	const reasons: string[] = [];
	const columnIn = columnFinder(columns);
	const filled = template.replace(placeholders, (_, name: string) => {
		const value = columnIn(name);
		const isExact = isTextual(value) && !isRounded(value);
		if (isFormulaError(value)) {
			reasons.push(`needs the column ${quoteText(name)}, whose value ${formulaError}`);
			return '';
		}
		const slug = isExact ? slugOf(String(value)) : '';
		const unreadable = isTextual(value) ? 'has no letter or digit' : 'is not a text';
		const invalid = isRounded(value) ? 'has a number that n8n rounded' : unreadable;
		const problem = isUnset(value) ? 'is missing or empty' : invalid;
		if (slug === '')
			reasons.push(`needs the column ${quoteText(name)}, which ${problem}; fill it in`);
		return slug;
	});
	if (/[{}]/.test(template.replace(placeholders, ''))) {
		reasons.push('has an unmatched brace; write columns as {country}');
	}
	const alias = filled
		.replace(/[^\w-]+/g, '-')
		.slice(0, maxAliasLength)
		.replace(/^-+|-+$/g, '');
	if (alias === '' && reasons.length === 0)
		reasons.push('results in an empty alias; add the name of a column');
	report(aliasTemplate, reasons);
	return alias;
}
