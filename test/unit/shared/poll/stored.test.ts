import {
	boundIn,
	optionalNumber,
	pageNumber,
	storeBound,
	storedObject,
	storedPage,
	wholeNumber,
} from '../../../../nodes/shared/poll/stored';

it.each([0, 1, Number.MAX_SAFE_INTEGER])('reads the stored number %d', (number) => {
	expect(wholeNumber(number)).toBe(number);
	expect(optionalNumber(number)).toBe(number);
	expect(boundIn(number)).toBe(number);
});

it.each([-1, 0.5, NaN, Infinity, 2 ** 53, '5', null, true, {}])(
	'does not read %p as a stored number',
	(value) => {
		expect(() => wholeNumber(value)).toThrow(new SyntaxError('Not a stored number'));
		expect(() => optionalNumber(value)).toThrow(SyntaxError);
	},
);

it('takes a number that was not stored for undefined', () => {
	expect(optionalNumber(undefined)).toBeUndefined();
	expect(() => wholeNumber(undefined)).toThrow(SyntaxError);
});

it.each([
	[1, 1],
	[1_000_000, 1_000_000],
	[0, undefined],
	[1_000_001, undefined],
	[1.5, undefined],
	['1', undefined],
	[null, undefined],
	[undefined, undefined],
])('reads the stored page %p as %p', (value, page) => {
	expect(storedPage(value)).toBe(page);
	if (page === undefined) {
		expect(() => pageNumber(value)).toThrow(new SyntaxError('Not the number of a page'));
	} else expect(pageNumber(value)).toBe(page);
});

it('reads a stored object, and nothing else', () => {
	expect(storedObject({ a: 1 })).toEqual({ a: 1 });
	for (const value of [null, undefined, [], 'text', 5]) {
		expect(() => storedObject(value)).toThrow(new SyntaxError('Not a stored object'));
	}
});

it.each([
	[0, 0],
	[7, 7],
	[Infinity, null],
])('stores the bound %d as %p', (bound, stored) => {
	expect(storeBound(bound)).toBe(stored);
	expect(boundIn(stored)).toBe(bound);
});

it('takes a bound that was not stored for 0', () => {
	expect(boundIn(undefined)).toBe(0);
	expect(() => boundIn('7')).toThrow(SyntaxError);
});
