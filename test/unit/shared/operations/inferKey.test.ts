import { inferKey } from '../../../../nodes/shared/operations/inferKey';
import { paramsOf } from '../../../../nodes/shared/contract/encodedRow';
import {
	clientFor,
	linkAccount,
	linkLike,
	rowOf,
	type Answers,
} from '../../../support/operationRun.ts';

const row = (more: object = {}, options: object = {}) =>
	rowOf('upsert', { alias: 'a', url: 'https://example.com/', ...more }, options);

async function completing(answers: Answers, given = row()) {
	const { sent, requests, client } = clientFor(answers);
	const own = requests();
	const result = await inferKey(own, given).catch((error: unknown) => error);
	own.end();
	client.close();
	const params =
		result instanceof Error ? result : paramsOf((result as typeof given).fields).flat();
	return { result, params, sent };
}

const inDomains = (...ids: number[]) =>
	ids.map((id, index) => linkLike({ id: index + 1, alias: `l${index}`, domain: { id } }));

it('adds the only domain of the account', async () => {
	const { params, sent } = await completing(linkAccount(inDomains(4, 4)));
	expect(params).toEqual(expect.arrayContaining(['domain_id', '4']));
	expect(sent).toEqual(['GET /links']);
});

it.each([
	['has its domain', row({ domainId: 3 }), inDomains(1, 2)],
	['is matched by another field', row({}, { matchBy: 'url' }), inDomains(1, 2)],
])('leaves a row as it is that %s', async (_what, given, links) => {
	const { result, sent } = await completing(linkAccount(links), given);
	expect(result).toBe(given);
	expect(sent).toEqual([]);
});

it('leaves a row as it is in an account without links', async () => {
	const given = row();
	expect((await completing(linkAccount([]), given)).result).toBe(given);
});

it.each<[what: string, answers: Answers]>([
	['several domains', linkAccount(inDomains(1, 2))],
	['a link without a domain', linkAccount([...inDomains(1), linkLike({ id: 9, domain: null })])],
	['more than a page of links', linkAccount(inDomains(...Array.from({ length: 101 }, () => 1)))],
])('fails for an account with %s', async (_what, answers) => {
	const { result } = await completing(answers);
	expect(result).toMatchObject({
		failure: {
			cause: 'rejected',
			advice:
				'Nothing was sent. Several links may have the same alias, and the node cannot tell from the links of the account which one you mean.',
			fieldErrors: { domain_id: [expect.any(String)] },
		},
	});
});

it.each([
	['upsert', 'Domain is required. Choose one, or enter its ID under By ID'],
	['update', 'Domain is required. Fill in its column, such as domainId'],
	['disable', 'Domain is required. Fill in its column, such as domainId'],
] as const)('names a place for the domain that %s has', async (operation, message) => {
	const parameters = { alias: 'a', updateFields: { alias: 'a', disabled: true } };
	const options = { matchBy: 'alias', takesColumns: true };
	const given = rowOf(operation, { ...parameters, url: 'https://example.com/' }, options);
	const { result } = await completing(linkAccount(inDomains(1, 2)), given);
	expect(result).toMatchObject({
		failure: { message, fieldErrors: { domain_id: [message] } },
	});
});
