import type { IDataObject } from 'n8n-workflow';
import { mismatchesIn, identityMismatches } from '../../../../nodes/shared/contract/mismatches';
import type { Parameters, Resource } from '../../../../nodes/shared/contract/types';
import { linkLike, rowOf } from '../../../support/operationRun.ts';

const row = (more: Parameters = {}) => {
	const { url = 'https://example.com/', alias = 'a', domainId = 1, ...additionalFields } = more;
	return rowOf('upsert', { url, alias, domainId, additionalFields }, { emptyValues: 'clear' });
};

/** The names of the fields that an answer contradicts. A mark shows that the row fails. */
function contradicted(values: Parameters, answer: Resource, isCreate = true, before?: Resource) {
	const sentRow = row(values);
	const write = { row: sentRow, isCreate, before, hasAgreement: false, isSharedOffset: () => true };
	return mismatchesIn(sentRow.fields, answer, write).map(
		({ sent, fails }) => `${sent.field.name}${fails ? '!' : ''}`,
	);
}

it.each<[values: Parameters, answer: IDataObject, fields: string[]]>([
	[{}, {}, []],
	[{ alias: 'a' }, { alias: ' A ' }, []],
	[{ alias: 'a' }, { alias: null }, []],
	[{ alias: 'a' }, { alias: 'b' }, ['alias!']],
	[{ disabled: true }, { disabled: 0 }, ['disabled!']],
	[{ disabled: true }, { disabled: 'unreadable' }, []],
	[{ expirationClicks: 5 }, { expiration_clicks: 6 }, ['expirationClicks']],
	[{ expirationClicks: '' }, { expiration_clicks: 0 }, []],
	[{ expirationClicks: '' }, { expiration_clicks: 6 }, ['expirationClicks']],
	[{ password: 'x' }, { password: true }, []],
	[{ password: 'x' }, { password: false }, ['password!']],
	[{ password: '' }, { password: true }, ['password!']],
	[{ pixelIds: [3, 8] }, { pixels: [8, 3, 3] }, []],
	[{ pixelIds: [3, 8] }, { pixels: [8] }, ['pixelIds']],
	[{ pixelIds: [3, 8] }, { pixels: [] }, ['pixelIds']],
	[{ spaceId: 5 }, { space: { id: 6 } }, ['spaceId']],
	[{ spaceId: 5 }, { space: 'Space' }, []],
	[{ url: 'https://a.example/' }, { url: 'https://a.example/?ref=1' }, ['url']],
	[{ url: 'https://a.example/' }, { url: 'https://a.example/x' }, ['url!']],
	[{ url: 'https://a.example/' }, { url: 'https://b.example/' }, ['url!']],
])('finds the contradictions of %j in the answer %j', (values, answer, fields) => {
	expect(contradicted(values, linkLike(answer))).toEqual(fields);
});

it('fails an update if the answer has the old destination', () => {
	const [before, values] = [
		linkLike({ url: 'https://a.example/x' }),
		{ url: 'https://a.example/y' },
	];
	expect(contradicted(values, before, false, before)).toEqual(['url!']);
	expect(contradicted(values, linkLike({ url: 'https://a.example/Y/' }), false, before)).toEqual([
		'url',
	]);
});

it.each<[answer: IDataObject, fields: string[]]>([
	[{}, []],
	[{ alias: 'A', url: 'https://other.example/' }, []],
	[{ alias: 'b' }, ['alias']],
	[{ domain: { id: 2 } }, ['domainId']],
])('recognizes an answer about another link: %j', (answer, fields) => {
	expect(identityMismatches(row(), linkLike(answer)).map(({ field }) => field.name)).toEqual(
		fields,
	);
});
