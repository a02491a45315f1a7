import { linkContract } from '../../../../nodes/Link/link.contract';
import { domainNames, spaceNames } from '../../../../nodes/Link/link.locators';
import { unreadNamesOf } from '../../../../nodes/shared/execute/unreadNames';
import type { Failure } from '../../../../nodes/shared/transport/serviceError';
import { rowOf } from '../../../support/operationRun.ts';

const failure: Failure = { cause: 'connectFailed', message: 'No answer', advice: 'Wait.' };
const valid = rowOf('get', { linkId: 7 });
const invalid = (...keys: string[]) =>
	keys.map((key) => ({ field: key, key, reason: 'cannot be looked up; use the ID: No answer' }));

it.each<[what: string, row: ReturnType<typeof invalid> | typeof valid, isUnread: boolean]>([
	['valid', valid, false],
	['invalid because of an unread name', invalid('domain_id'), true],
	['invalid because of another field', invalid('url'), false],
	['invalid because of both', invalid('domain_id', 'url'), false],
	['invalid because of a name of another list', invalid('space_id'), false],
])('gives a row that is %s the reason only if names are all', (_what, row, isUnread) => {
	const result = unreadNamesOf(linkContract, row, new Map([[domainNames, failure]]));
	expect(result).toBe(isUnread ? failure : undefined);
});

it('gives no reason to another problem of a field with names', () => {
	const problem = { field: 'Space', key: 'space_id', reason: 'is not an ID' };
	const result = unreadNamesOf(linkContract, [problem], new Map([[spaceNames, failure]]));
	expect(result).toBeUndefined();
});
