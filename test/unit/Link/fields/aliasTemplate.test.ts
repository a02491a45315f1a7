import { templateAlias } from '../../../../nodes/Link/fields/aliasTemplate';
import type { Columns } from '../../../../nodes/shared/contract/types';
import { encodeOptions } from '../../../support/encodeOptions.ts';

function aliasOf(template: string, columns: Columns = {}) {
	const reported: string[] = [];
	const alias = templateAlias({
		...{ operation: 'create', parameters: {}, columns },
		options: { ...encodeOptions, resourceOptions: { aliasTemplate: template } },
		report: (_property, reasons) => reasons.forEach((reason) => reported.push(reason)),
	});
	return { alias, reported };
}

it.each<[template: string, columns: Columns, alias: string | undefined]>([
	['', {}, undefined],
	['  ', {}, undefined],
	['fixed', {}, 'fixed'],
	[
		'{country}-{campaign}',
		{ country: 'DE', campaign: 'Spring Sale!' },
		'DE-spring-sale'.toLowerCase(),
	],
	['{Country Name}', { countryName: 'Österreich' }, 'osterreich'],
	['{a}', { a: "Rock'n’Roll" }, 'rocknroll'],
	['{a} / {b}', { a: 1, b: true }, '1-true'],
	['-{a}-', { a: '--x--' }, 'x'],
	['{a}', { a: 'exact', A: 'other' }, 'exact'],
	['{a b}', { a_b: 'first', 'A B': 'second' }, 'first'],
	['{a}', { a: 'x'.repeat(300) }, 'x'.repeat(255)],
])('makes of %j and %j the alias %j', (template, columns, alias) => {
	expect(aliasOf(template, columns)).toEqual({ alias, reported: [] });
});

it.each<[template: string, columns: Columns, reasons: string[]]>([
	['{a}', {}, ['needs the column "a", which is missing or empty; fill it in']],
	['{a}', { a: '!' }, ['needs the column "a", which has no letter or digit; fill it in']],
	['{a}', { a: [] }, ['needs the column "a", which is not a text; fill it in']],
	[
		'{a}',
		{ a: 2 ** 60 },
		['needs the column "a", which has a number that n8n rounded; fill it in'],
	],
	[
		'{a}',
		{ a: '#REF!' },
		['needs the column "a", whose value is a formula error; correct it in the sheet'],
	],
	['{a', { a: 1 }, ['has an unmatched brace; write columns as {country}']],
	['!', {}, ['results in an empty alias; add the name of a column']],
	['x'.repeat(1001), {}, ['is longer than 1000 characters; shorten it']],
])('reports what is wrong with %j and %j', (template, columns, reasons) => {
	expect(aliasOf(template, columns).reported).toEqual(reasons);
});
