import { inferKeys } from '../../../../nodes/shared/operations/inferKey';
import { paramsOf } from '../../../../nodes/shared/contract/encodedRow';
import { clientFor, linkAccount, linkLike, rowOf } from '../../../support/operationRun.ts';

const row = (more: object = {}, options: object = {}) =>
	rowOf('upsert', { alias: 'a', url: 'https://example.com/', ...more }, options);

const inDomains = (...ids: number[]) =>
	ids.map((id, index) => linkLike({ id: index + 1, alias: `l${index}`, domain: { id } }));

type Links = ReturnType<typeof inDomains>;

/** Infers the key of a row from the links of a list, or from those of the account. */
async function inferring(listed: Links, links = listed, given = row()) {
	const { sent, requests, client } = clientFor(linkAccount(links));
	const own = requests();
	const rows = await inferKeys(own, [given], listed);
	own.end();
	client.close();
	return { sent, keyed: rows.get(given) };
}

const domainIn = ({ keyed }: Awaited<ReturnType<typeof inferring>>) =>
	keyed && paramsOf(keyed.row.fields).find(([name]) => name === 'domain_id')?.[1];

it('adds the only domain of the list that was read', async () => {
	const result = await inferring(inDomains(4, 4), inDomains(1, 2));
	expect([domainIn(result), result.keyed?.problems, result.sent]).toEqual(['4', [], []]);
});

it('adds the only domain of the newest links if the list has none', async () => {
	const result = await inferring([], inDomains(...Array.from({ length: 101 }, () => 4)));
	expect([domainIn(result), result.sent]).toEqual(['4', ['GET /links']]);
});

it.each([
	['has its domain', row({ domainId: 3 })],
	['is matched by another field', row({}, { matchBy: 'url' })],
])('leaves a row as it is that %s', async (_what, given) => {
	expect(await inferring(inDomains(1, 2), [], given)).toEqual({ sent: [], keyed: undefined });
});

it('leaves a row as it is in an account without links', async () => {
	expect((await inferring([])).keyed).toBeUndefined();
});

it.each([
	['several domains', inDomains(1, 2)],
	['a link without a domain', [...inDomains(1), linkLike({ id: 9, domain: null })]],
])('requires the domain in a list with %s', async (_what, listed) => {
	const { keyed } = await inferring(listed);
	expect(keyed?.problems).toEqual([
		{
			field: 'Domain',
			key: 'domain_id',
			what: 'is required, because your links do not all have the same one; set it for each item',
		},
	]);
});
