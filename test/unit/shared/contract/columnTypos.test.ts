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
	])('%j and %j: %j', (first, second, expected) => {
		expect(isOneEdit(first, second)).toBe(expected);
		expect(isOneEdit(second, first)).toBe(expected);
	});
});

describe('likely typos', () => {
	const typosIn = (unknown: string[], isUsed = false) =>
		likelyTypos(linkContract, 'create', { unknown }, { isInExpression: () => isUsed }).map(
			({ column }) => column,
		);

	it('are similar to names of at least five letters', () => {
		expect(typosIn(['urll', 'slugg', 'alia', 'expiri', 'utmid2', 'expirys'])).toEqual([
			'alia',
			'expiri',
			'expirys',
		]);
	});

	it('exclude output names, similar names, and columns in an expression', () => {
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
