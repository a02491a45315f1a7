import { id, idList, pathId } from '../../../../../nodes/shared/contract/codecs/id';
import { encodedBy, propertyLike } from '../../../../support/codecs.ts';

const noId = 'is not an ID; enter the ID that the service shows, such as 42';

describe('an ID in a path', () => {
	it.each<[value: unknown, sent: string]>([
		[42, '42'],
		['42', '42'],
		[' spc_8f3k2j ', 'spc_8f3k2j'],
		['007', '007'],
		[{ __rl: true, mode: 'list', value: 42 }, '42'],
	])('is sent as text: %j', (value, sent) => {
		expect(encodedBy(pathId, value)).toEqual([`=${sent}`]);
	});

	it.each<[value: unknown, reason: string]>([
		['', `"" ${noId}`],
		['..', `".." ${noId}`],
		[true, `true ${noId}`],
		[{ id: 42 }, `{"id":42} ${noId}`],
		['Invalid Date', `"Invalid Date" ${noId}`],
		['\ud83d', `"\\ud83d" ${noId}`],
		['#REF!', '"#REF!" is a formula error; correct it in the sheet'],
		[
			'https://short.example/a',
			'"https://short.example/a" is a URL, not an ID; enter the ID that the service shows, such as 42',
		],
		[
			2 ** 60,
			'1152921504606847000 is a number above 9007199254740991, which n8n has rounded; enter it as text instead',
		],
	])('refuses %j', (value, reason) => {
		expect(encodedBy(pathId, value)).toEqual([`!${reason}`]);
	});
});

describe('an ID of another resource', () => {
	it.each<[value: unknown, sent: string]>([
		['Shop', '=name Shop'],
		['007', '=7'],
		['7F3A2C7E-0D7F-4B52-9C57-2F6A35A0A001', '=7F3A2C7E-0D7F-4B52-9C57-2F6A35A0A001'],
		['https://short.example', '=name https://short.example'],
		[{ id: 5, name: 'Shop' }, '=5'],
		[{ name: 'Shop' }, '=name Shop'],
		[{ __rl: true, mode: 'list', value: 'Shop' }, '=Shop'],
		[true, `!true ${noId}`],
		['#REF!', '!"#REF!" is a formula error; correct it in the sheet'],
	])('may be a name: %j', (value, sent) => {
		expect(encodedBy(id, value)).toEqual([sent]);
	});

	it('in an answer loses leading zeros', () => {
		const answer = { isAnswer: true } as const;
		expect(encodedBy(id, '007', propertyLike(), answer)).toEqual(['=7']);
		expect(encodedBy(id, 'spc_8', propertyLike(), answer)).toEqual(['=spc_8']);
	});
});

describe('a list of IDs', () => {
	it.each<[value: unknown, ids: string[]]>([
		[3, ['3']],
		['3,8', ['3', '8']],
		['3; 8\n9', ['3', '8', '9']],
		['[3, "8"]', ['3', '8']],
		[
			[{ id: 3 }, 8],
			['3', '8'],
		],
		['8,3,8', ['8', '3']],
	])('accepts %j', (value, ids) => {
		expect(encodedBy(idList, value)).toEqual(ids.map((id) => `[]=${id}`));
	});

	it.each<[value: unknown, reasons: string[]]>([
		[{ id: 3 }, ['{"id":3} is not a list of IDs; write it as 3,8 or as [3, 8]']],
		[
			[true, true, ''],
			[`true ${noId}`, `"" ${noId}`],
		],
		[Array.from({ length: 10_001 }, () => 1), ['contains more than 10,000 IDs; enter fewer']],
	])('refuses some values', (value, reasons) => {
		expect(encodedBy(idList, value)).toEqual(reasons.map((reason) => `!${reason}`));
	});

	it.each<[value: unknown, sent: string[]]>([
		['Shop, 007', ['[]=name Shop', '[]=7']],
		['3,8,', ['[]=3', '[]=8']],
		['["a, b"]', ['[]=name a, b']],
		['[EU]\r\nShop', ['[]=name [EU]', '[]=name Shop']],
		['Shop, Shop', ['[]=name Shop']],
	])('may contain names: %j', (value, sent) => {
		expect(encodedBy(idList, value)).toEqual(sent);
	});

	it('of the service contains IDs only', () => {
		const answer = { isAnswer: true } as const;
		const read = (value: unknown) => encodedBy(idList, value, propertyLike(), answer);
		expect(read([{ id: 3 }, 'x8'])).toEqual(['[]=3', '[]=x8']);
		expect(read(['3 8'])).toEqual([`!"3 8" ${noId}`]);
	});
});
