import { digest, newSalt } from '../../../../nodes/shared/transport/digest';

it('makes a salt of 128 bits, another one each time', () => {
	expect(newSalt()).toMatch(/^[\w+/]{22}$/);
	expect(newSalt()).not.toBe(newSalt());
});

it('is the SHA-256 of the salt and the texts', async () => {
	expect(await digest('salt', ['a', 'b'])).toMatch(/^[\w+/]{43}$/);
	expect(await digest('salt', ['a', 'b'])).toBe(await digest('salt', ['a', 'b']));
	const others = [
		...[digest('salt', ['ab']), digest('other', ['a', 'b']), digest('salt', ['b', 'a'])],
		digest('salt', ['a', 'b', '']),
	];
	expect(new Set([...(await Promise.all(others)), await digest('salt', ['a', 'b'])]).size).toBe(5);
});
