import { linkContract } from '../../../../nodes/Link/link.contract';
import { utm } from '../../../../nodes/Link/fields/utm';
import type { EncodedField, RowRewrite, Field } from '../../../../nodes/shared/contract/fieldTypes';
import {
	rewriteFields,
	rewriteOf,
	rewritten,
	tooLongIn,
} from '../../../../nodes/shared/contract/rewrite';
import type { OperationName } from '../../../../nodes/shared/contract/types';
import { contextOf } from '../../../support/encodeContext.ts';
import { encodeOptions } from '../../../support/encodeOptions.ts';

const options = { ...encodeOptions, resourceOptions: { utmInUrlOnly: '0' } };

function rewriteBy(value: unknown, own: Record<string, string> = {}): RowRewrite {
	const rewrite = rewriteOf(linkContract, utm, value, {
		...options,
		resourceOptions: { ...options.resourceOptions, ...own },
	});
	if (!rewrite) throw new Error('No rewrite');
	return rewrite;
}

const rewrite = rewriteBy({ parameters: { utm_source: 'news', utm_term: ' ' } });

function encoded(name: string, text: string, more: Partial<EncodedField> = {}): EncodedField {
	const field = linkContract.fields.find(
		(candidate): candidate is Field => candidate.name === name,
	);
	if (!field) throw new Error(name);
	return { field, values: [['', text]], ...more };
}

const textsOf = (fields: readonly EncodedField[]) =>
	fields.map(({ values }) => values.map(([, text]) => text).join());

it('returns the inputs that have a value', () => {
	expect(rewrite.inputs).toEqual({ utm_source: 'news' });
	expect(rewriteOf(linkContract, utm, { parameters: { utm_term: '' } }, options)).toBeUndefined();
	const [plain] = (linkContract.derivedFields ?? []).filter(({ derive }) => !derive.rewrite);
	expect(plain && rewriteOf(linkContract, plain, { a: 'b' }, options)).toBeUndefined();
});

it('rewrites the main field, and others unless an option excludes them', () => {
	expect(rewrite.fields.map(({ name }) => name)).toEqual([
		...['url', 'country', 'platform', 'language', 'rotation'],
	]);
	const only = rewriteBy({ utm_source: 'news' }, { utmInUrlOnly: '1' });
	expect(only.fields.map(({ name }) => name)).toEqual(['url']);
});

it.each<[name: string, text: string, more: Partial<EncodedField>, result: string]>([
	['url', 'https://example.com/', {}, 'https://example.com/?utm_source=news'],
	['url', 'mailto:a@example.com', {}, 'mailto:a@example.com'],
	['alias', 'https://example.com/', {}, 'https://example.com/'],
	['url', '', { cleared: true }, ''],
])('rewrites %s %j', (name, text, more, result) => {
	expect(textsOf([rewritten(rewrite, encoded(name, text, more))])).toEqual([result]);
});

it.each<[before: number, after: number, reasons: string[]]>([
	[2040, 2048, []],
	[2040, 2049, [expect.stringMatching(/has 2,049 characters with UTM Parameters, and services/)]],
	[2049, 2060, []],
])('reports a text that the rewrite makes too long: %i, %i', (before, after, reasons) => {
	const url = (length: number) => encoded('url', 'a'.repeat(length));
	expect(tooLongIn(rewrite, url(before), url(after))).toEqual(reasons);
});

it('counts characters, and names the rule', () => {
	const [short, long] = ['😀'.repeat(2048), '😀'.repeat(2049)];
	expect(tooLongIn(rewrite, encoded('url', ''), encoded('url', short))).toEqual([]);
	const values = [['[1][value]', long]] as const;
	expect(tooLongIn(rewrite, encoded('country', ''), encoded('country', '', { values }))).toEqual([
		expect.stringMatching(/^rule 2: .* has 2,049 characters/),
	]);
});

function rewriteIn(operation: OperationName, fields: EncodedField[], values: object = {}) {
	const { context, reported } = contextOf({ operation });
	const row = rewriteFields(context, { rewrite, values: values as never }, fields);
	return { texts: textsOf(row.fields), isLater: row.rewrite !== undefined, reported };
}

it.each<[operation: OperationName, name: string, values: object, expected: object]>([
	['create', 'url', {}, { texts: ['https://a.example/?utm_source=news'], isLater: false }],
	['update', 'url', {}, { texts: ['https://a.example/?utm_source=news'], isLater: false }],
	['update', 'alias', {}, { texts: ['https://a.example/'], isLater: true }],
	['create', 'alias', { url: 'invalid' }, { texts: ['https://a.example/'], isLater: false }],
])('of %s rewrites %s', (operation, name, values, expected) => {
	expect(rewriteIn(operation, [encoded(name, 'https://a.example/')], values)).toEqual({
		...expected,
		reported: [],
	});
});

it('reports a row without the main field', () => {
	expect(rewriteIn('create', [encoded('alias', 'a')]).reported).toEqual([
		'UTM Parameters need Destination URL; set it as well',
	]);
	const long = encoded('url', `https://a.example/${'a'.repeat(2025)}`);
	expect(rewriteIn('create', [long]).reported).toEqual([
		expect.stringMatching(/^Destination URL "https:.* characters with UTM Parameters/),
	]);
	const fields = [encoded('url', 'a')];
	expect(rewriteFields(contextOf().context, { values: {} }, fields)).toEqual({ fields });
});
