import { linkContract } from '../../../../nodes/Link/link.contract';
import { domainNames, spaceNames } from '../../../../nodes/Link/link.locators';
import { withUnreadNames } from '../../../../nodes/shared/execute/unreadNames';
import type { Failure } from '../../../../nodes/shared/transport/serviceError';
import { rowOf } from '../../../support/operationRun.ts';

const failure: Failure = { cause: 'connectFailed', message: 'No answer', advice: 'Wait.' };
const valid = { index: 0, encoded: rowOf('get', { linkId: 7 }) };
const invalid = (...keys: string[]) => ({
	index: 0,
	encoded: keys.map((key) => ({ field: key, key, reason: 'is wrong' })),
});

it.each<[what: string, row: ReturnType<typeof invalid> | typeof valid, isUnread: boolean]>([
	['valid', valid, false],
	['invalid because of an unread name', invalid('domain_id'), true],
	['invalid because of another field', invalid('url'), false],
	['invalid because of both', invalid('domain_id', 'url'), false],
	['invalid because of a name of another list', invalid('space_id'), false],
])('gives a row that is %s the reason only if names are all', (_what, row, isUnread) => {
	const result = withUnreadNames(linkContract, valid, row, new Map([[domainNames, failure]]));
	expect(result).toEqual(isUnread ? { ...row, unreadNames: failure } : row);
});

it('gives no reason to a row that was invalid before', () => {
	const row = invalid('space_id');
	expect(withUnreadNames(linkContract, row, row, new Map([[spaceNames, failure]]))).toBe(row);
});
