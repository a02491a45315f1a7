import {
	readFlag,
	flagOf,
	readId,
	relatedId,
	idOf,
	idsIn,
	readInteger,
	integerOf,
	isOtherId,
	isRounded,
	relatedName,
	relatedNames,
	readObjects,
	readText,
	webAddressOf,
} from '../../../../nodes/shared/contract/readers';

it.each<[value: unknown, integer: number | null]>([
	[7, 7],
	['7', 7],
	['-7', -7],
	['007', 7],
	[0, 0],
	[1.5, null],
	['1.0', null],
	['0x10', null],
	['', null],
	[' 7', null],
	[true, null],
	[null, null],
	[2 ** 53, null],
	['9007199254740993', null],
])('reads the whole number %p', (value, number) => {
	expect(integerOf(value)).toBe(number);
});

it.each<[value: unknown, id: number | string | null, isRoundedNumber: boolean]>([
	[7, 7, false],
	['7', 7, false],
	['007', '007', false],
	['-0', '-0', false],
	['b6f1', 'b6f1', false],
	['9007199254740993', '9007199254740993', false],
	[2 ** 53, null, true],
	[1.5, '1.5', false],
	[null, null, false],
	[{}, null, false],
])('reads the ID %p', (value, read, isRoundedNumber) => {
	expect(idOf(value)).toBe(read);
	expect(isRounded(value)).toBe(isRoundedNumber);
});

const uuid = '8b1c0d5e-4d5f-4a55-9a3c-0d5b0a9f1e11';

it.each<[answered: string | undefined, requested: string, isOther: boolean]>([
	[undefined, '7', false],
	['7', '7', false],
	['7', '007', false],
	['8', '7', true],
	['a', '7', true],
	['7', 'a', false],
	['b', 'a', true],
	['A', 'a', true],
	[uuid.toUpperCase(), uuid, false],
	[uuid.replace('8', '9'), uuid, true],
])('%p in the answer to %p is another ID: %j', (answered, requested, isOther) => {
	expect(isOtherId(answered, requested)).toBe(isOther);
});

it.each<[value: unknown, read: boolean | null]>([
	[true, true],
	[1, true],
	['1', true],
	['true', true],
	[false, false],
	[0, false],
	['0', false],
	['yes', null],
	['TRUE', null],
	[2, null],
	[null, null],
])('reads the boolean %p', (value, read) => {
	expect(flagOf(value)).toBe(read);
});

it.each([
	['https://e.com', 'https://e.com'],
	['HTTP://e.com', 'HTTP://e.com'],
	['javascript:alert(1)', null],
	['e.com', null],
	[5, null],
])('reads the web address %p', (value, address) => {
	expect(webAddressOf(value)).toBe(address);
});

it('reads fields of a resource', () => {
	const link = {
		...{ id: '7', title: 5, clicks: null, disabled: 1, domain: { id: 3, name: 'd' } },
		...{ pixels: [{ id: 1, name: 'P' }, { id: 2 }, 3, null, { name: 'Q' }], space: null },
		country: [{ key: 'DE', value: 'x', more: 1 }, 5],
	};
	const read = [
		...[readId('id'), readText('title'), readInteger('clicks'), readInteger('title')],
		...[readFlag('disabled'), readFlag('missing'), relatedName('domain')],
		...[
			relatedName('space'),
			relatedId('domain'),
			relatedId('space'),
			relatedNames('pixels'),
			relatedNames('space'),
		],
		...[idsIn('pixels'), idsIn('space'), readObjects('key', 'value', 'other')('country')],
	].map((reader) => reader.read(link));
	expect(read).toEqual([
		...[7, '5', null, 5, true, null, 'd', null, 3, null, ['P', 'Q'], [], [1, 2, 3], []],
		[{ key: 'DE', value: 'x', other: null }],
	]);
});
