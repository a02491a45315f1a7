import * as n8n from 'n8n-workflow';
import { text } from '../../shared/contract/codecs/scalar';
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

export const aliasTemplate: ResourceOption = {
	displayName: 'Alias Template',
	name: 'aliasTemplate',
	type: 'string',
	default: '',
	placeholder: 'e.g. {country}-{campaign}',
	description:
		'The template for the alias of each row without one. Put names of columns in braces. The node converts their values to lowercase ASCII letters, digits and hyphens.',
	displayOptions: { show: { '/operation': ['create', 'sync', 'upsert'] } },
	codec: text,
};

/** Services commonly take no longer alias (assumption: limits). */
const maxLength = 255;

/** Max number of characters of a template, and of a value that an alias is made of. */
const maxTemplateLength = 1000;
const maxValueLength = 1000;

/** Added in a later n8n; without it, accents are dropped all the same. */
const { ExpressionExtensions: extensions = [] }: Partial<typeof n8n> = n8n;
const plainLetters = extensions.find(({ typeName }) => typeName === 'String')?.functions
	.replaceSpecialChars;

/** A text in letters that an alias takes, where there are such for it. */
function transliterated(written: string): string {
	// Composed, since an accent that stands alone is no letter; lower-case, since ẞ is known as ß only.
	const composed = normalize(written, 'NFKC').toLowerCase();
	const plain: unknown = plainLetters?.(composed, []);
	return normalize(isTextual(plain) ? String(plain) : composed, 'NFD').replace(/\p{M}/gu, '');
}

/** What an alias may hold of a text: lower-case letters and digits, joined by hyphens. */
const slugOf = (written: string): string =>
	transliterated(written.trim().slice(0, maxValueLength))
		.toLowerCase()
		.replace(/['’]/g, '')
		.replace(/[^a-z\d]+/g, '-')
		.replace(/^-|-$/g, '');

const placeholders = /\{([^{}]*)\}/g;

/** The names of the columns that a template is made of. */
export const columnsOf = (template: string): string[] =>
	[...template.slice(0, maxTemplateLength).matchAll(placeholders)].map(([, name = '']) => name);

/** Returns what finds the value of a column by its name as people write it. */
function columnFinder(columns: Columns): (name: string) => unknown {
	let byName: ReadonlyMap<string, unknown> | undefined;
	return (name) => {
		if (Object.hasOwn(columns, name)) return columns[name];
		// Of columns whose names are the same, the first one counts.
		const entries = () => Object.entries(columns).reverse();
		byName ??= new Map(entries().map(([column, value]) => [columnName(column), value]));
		return byName.get(columnName(name));
	};
}

/** The alias that the template gives a row, where there is one. A column that holds nothing is reported. */
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
		const held = isRounded(value) ? 'has a number that n8n rounded' : unreadable;
		const wrong = isUnset(value) ? 'is missing or empty' : held;
		if (slug === '')
			reasons.push(`needs the column ${quoteText(name)}, which ${wrong}; fill it in`);
		return slug;
	});
	if (/[{}]/.test(template.replace(placeholders, ''))) {
		reasons.push('has an unmatched brace; write columns as {country}');
	}
	const alias = filled
		.replace(/[^\w-]+/g, '-')
		.slice(0, maxLength)
		.replace(/^-+|-+$/g, '');
	if (alias === '' && reasons.length === 0)
		reasons.push('results in an empty alias; add the name of a column');
	report(aliasTemplate, reasons);
	return alias;
}
