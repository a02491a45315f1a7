import {
	encodeBound,
	readOptional,
	storedBound,
	storedNumber,
	storedObject,
	storedPage,
	storedText,
} from '../../../../nodes/LinkTrigger/polling/storedValues';

it.each([0, 1, Number.MAX_SAFE_INTEGER])('reads the stored number %d', (number) => {
	expect(storedNumber(number)).toBe(number);
	expect(readOptional(storedNumber, number)).toBe(number);
	expect(storedBound(number)).toBe(number);
});

it.each([-1, 0.5, NaN, Infinity, 2 ** 53, '5', null, true, {}])(
	'does not read %p as a stored number',
	(value) => {
		expect(() => storedNumber(value)).toThrow(new SyntaxError('Not a stored number'));
		expect(() => readOptional(storedNumber, value)).toThrow(SyntaxError);
	},
);

it('returns undefined for an optional value that was not stored', () => {
	expect(readOptional(storedNumber, undefined)).toBeUndefined();
	expect(() => storedNumber(undefined)).toThrow(SyntaxError);
});

it.each([1, 1_000_000])('reads the stored page %p', (page) => {
	expect(storedPage(page)).toBe(page);
});

it.each([0, 1_000_001, 1.5, '1', null, undefined])('does not read the stored page %p', (value) => {
	expect(() => storedPage(value)).toThrow(SyntaxError);
});

it('reads a stored object, and nothing else', () => {
	expect(storedObject({ a: 1 })).toEqual({ a: 1 });
	for (const value of [null, undefined, [], 'text', 5]) {
		expect(() => storedObject(value)).toThrow(new SyntaxError('Not a stored object'));
	}
});

it('reads a stored text, and nothing else', () => {
	expect(storedText('')).toBe('');
	for (const value of [null, undefined, [], {}, 5]) {
		expect(() => storedText(value)).toThrow(new SyntaxError('Not a stored text'));
	}
});

it.each([
	[0, 0],
	[7, 7],
	[Infinity, null],
])('stores the bound %d as %p', (bound, stored) => {
	expect(encodeBound(bound)).toBe(stored);
	expect(storedBound(stored)).toBe(bound);
});

it.each([undefined, '7', -1])('does not read the bound %p', (value) => {
	expect(() => storedBound(value)).toThrow(SyntaxError);
});
