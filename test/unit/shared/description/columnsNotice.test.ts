import { linkContract } from '../../../../nodes/Link/link.contract';
import { columnsNotice } from '../../../../nodes/shared/description/columnsNotice';
import type { OperationName } from '../../../../nodes/shared/contract/types';

const linesOf = (operation: OperationName) =>
	[...columnsNotice(linkContract, operation).displayName.matchAll(/<li>(.*?)<\/li>/g)].map(
		([, line]) => line ?? '',
	);

it('lists fields with synonyms first, and each group on a line', () => {
	const lines = linesOf('upsert');
	expect(lines).toContain('Alias (slug, back-half, short code, custom alias)');
	expect(lines[0]).toMatch(/^Destination URL \(/);
	expect(lines).toContain('Password, Statistics Password, with Map Passwords under Options');
	expect(lines.at(-1)).toBe('ID if Match By is ID');
	expect(
		lines.some((line) =>
			line.startsWith('Expiration Date, Expiration Time, UTM Source, UTM Medium'),
		),
	).toBe(true);
});

it('lists identifiers only if rows are matched', () => {
	expect(linesOf('create').join()).not.toContain('Match By');
});
