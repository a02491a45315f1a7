import { linkContract } from '../../../../nodes/Link/link.contract';
import { isOneEdit, likelyTypos } from '../../../../nodes/shared/contract/columnTypos';

describe('one edit', () => {
	it.each([
		['expirs', 'expires', true],
		['expires', 'expirs', true],
		['xexpires', 'expires', true],
		['expiresx', 'expires', true],
		['expirez', 'expires', true],
		['epxires', 'expires', true],
		['exprise', 'expires', false],
		['expires', 'expires', false],
		['expiser', 'expires', false],
		['expi', 'expires', false],
		['expres', 'expiress', false],
		['aliasa', 'alias', true],
		['ailas', 'alias', true],
		['alisa', 'alias', true],
		['alias2', 'alias', false],
		['2alias', 'alias', false],
		['al1as', 'alias', false],
		['alias1', 'alias2', false],
		['', 'a', true],
		['', '', false],
		['ab', 'ba', true],
		['abc', 'cab', false],
	])('%j and %j: %j', (one, other, expected) => {
		expect(isOneEdit(one, other)).toBe(expected);
		expect(isOneEdit(other, one)).toBe(expected);
	});
});

describe('likely typos', () => {
	const typosIn = (unknown: string[], isUsed = false) =>
		likelyTypos(linkContract, 'create', { unknown }, { isInExpression: () => isUsed }).map(
			({ column }) => column,
		);

	it('are near names of five or more letters only', () => {
		expect(typosIn(['urll', 'slugg', 'alia', 'expiri', 'utmid2', 'expirys'])).toEqual([
			'alia',
			'expiri',
			'expirys',
		]);
	});

	it('are not the names of the output, of lookalikes, or what an expression uses', () => {
		const { output } = linkContract;
		const [first] = output;
		if (!first) throw new Error('links have no output');
		const contract = {
			...linkContract,
			output: [{ ...first, name: 'aliass', displayName: 'Spaces' }],
		};
		const unknown = ['Aliass', 'spaces', 'expired', 'County', 'Domains'];
		const typos = likelyTypos(contract, 'create', { unknown }, {});
		expect(typos).toEqual([{ column: 'Domains', target: ['Domain'] }]);
		expect(typosIn(['Domains'], true)).toEqual([]);
	});
});
