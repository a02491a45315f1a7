import type { IDataObject } from 'n8n-workflow';
import { linkReuse } from '../../../../nodes/Link/fields/reuseExisting';
import { linkLike, rowOf } from '../../../support/operationRun.ts';

it.each<[url: string, texts: string[]]>([
	['https://example.com/', ['https://example.com/']],
	['HTTPS://Example.com', ['HTTPS://Example.com', 'https://example.com/']],
	['none', ['none']],
])('searches for %s by %j', (url, texts) => {
	expect(linkReuse.searchTexts(url)).toEqual(texts);
});

it.each<[link: IDataObject, isActive: boolean]>([
	[{}, true],
	[{ disabled: 1 }, false],
	[{ ends_at: '2020-01-01T00:00:00.000000Z' }, false],
])('knows whether the link %j is active', (link, isActive) => {
	expect(linkReuse.isActive(linkLike(link))).toBe(isActive);
});

it.each<[fields: object, own: Record<string, string>, isRecognized: boolean]>([
	[{}, {}, true],
	[{ disabled: false }, {}, true],
	[{ disabled: true }, {}, false],
	[{ password: 'x' }, {}, false],
	[{}, { allowPastExpiration: '1' }, false],
])('knows whether a row with %j and %j finds its link again', (fields, own, isRecognized) => {
	const row = rowOf(
		'create',
		{ url: 'https://example.com/', additionalFields: fields },
		{ resourceOptions: own },
	);
	expect(linkReuse.isFoundAgain(row)).toBe(isRecognized);
});
