import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../../nodes/Link/link.contract';
import { ResponseChecks } from '../../../nodes/shared/operations/responses';
import { createOnce } from '../../../nodes/shared/operations/create';
import { ServiceError } from '../../../nodes/shared/transport/failures';
import type { Columns } from '../../../testkit/service/linkFields.ts';
import { linkAccount } from '../../support/linkAccount.ts';
import { clientFor, reset, rowOf, type Answers } from '../../support/operationRun.ts';
import { linkAs } from '../../support/scriptedAnswers.ts';

const keyed = rowOf('create', { url: 'https://example.com/', alias: 'a' });

const create = 'POST /links url=https://example.com/ alias=a';
const look = 'GET /links search=a search_by=alias';
const newest = 'GET /links sort_by=id sort=desc';

/** Creates a link, and returns it or the failure. */
async function creating(answers: Answers, created: IDataObject[] = [], locked: string[] = []) {
	const { client, sent, requests } = clientFor(answers);
	const checks = new ResponseChecks(linkContract);
	for (const link of created) checks.checkCreate(keyed, link);
	await requests().locks.acquireTexts(locked);
	const own = requests();
	const result = await createOnce(own, keyed, checks).catch((error: unknown) => error);
	own.end();
	client.close();
	const failure = result instanceof ServiceError ? result.failure : undefined;
	const order = (text: string) =>
		text.startsWith('POST') ? (text.includes('alias=') ? create : text) : text;
	return { result, failure, sent: sent.map(order), retries: client.retries };
}

/** An account whose first requests are answered otherwise; those that are lost do not arrive. */
const spoiled = (
	links: Columns[],
	...first: readonly ('lost' | Error | number | undefined)[]
): Answers => {
	const { answers } = linkAccount(links);
	return (sent, earlier) => {
		const spoil = first[earlier];
		if (spoil === undefined) return answers(sent, earlier);
		if (typeof spoil === 'number') return { status: spoil, body: { message: 'No.' } };
		return spoil instanceof Error ? spoil : reset();
	};
};

/** A link as `keyed` creates it. */
const own = { id: 5, alias: 'a', url: 'https://example.com/' };

it('finds its own link where the repeat is refused', async () => {
	const { add, answers } = linkAccount();
	const { result, sent, retries } = await creating((request, earlier) => {
		if (earlier === 0) return reset();
		// The first try arrives late.
		if (earlier === 2) add(own);
		return answers(request, earlier);
	});
	expect(result).toMatchObject({ id: 5 });
	expect(sent).toEqual([create, look, create, look]);
	expect(retries).toBe(1);
});

it('is unknown if the repeat is refused for another reason', async () => {
	const { failure, sent } = await creating(spoiled([], 'lost', undefined, 403));
	expect(failure).toMatchObject({ outcome: 'unknown', isUnknownCreate: true, cause: 'rejected' });
	expect(sent).toEqual([create, look, create]);
});

it.each<[string, Error | number, RegExp]>([
	['fails', 403, /^The search for it failed, too: .+\.$/],
	['ends with the run', Object.assign(new Error(), { code: 'canceled' }), /^$/],
])('is unknown if the search %s', async (_what, spoil, advice) => {
	const { failure } = await creating(spoiled([], 'lost', spoil));
	expect(failure).toMatchObject({ outcome: 'unknown', mayBeDone: true, isUnknownCreate: true });
	expect(failure?.advice).toMatch(advice);
});

it.each([
	[
		'a second link of the alias',
		[own, { ...own, id: 6, domain_id: 2 }],
		/^The service has 2 links with the same alias\.$/,
	],
	[
		'other values',
		[{ ...own, url: 'https://other.example/' }],
		/^The service has a link with the same alias, but with other values\.$/,
	],
])('is unknown if there is %s', async (_what, links, advice) => {
	const { failure, sent } = await creating(spoiled(links, 'lost'));
	expect(failure).toMatchObject({ outcome: 'unknown', isUnknownCreate: true });
	expect(failure?.advice).toMatch(advice);
	expect(sent).toEqual([create, look]);
});

it('has failed if an earlier row has created the link', async () => {
	const { failure } = await creating(spoiled([own], 'lost'), [linkAs(own)]);
	expect(failure).toMatchObject({
		outcome: 'failed',
		advice:
			'The node searched for it. Nothing was created for this item. An earlier item created the link with the same alias.',
	});
	expect(failure).not.toHaveProperty('isUnknownCreate');
});

it('finds its own link among the newest if the service ignores the search', async () => {
	const created = linkAs(own);
	const others = [linkAs({ id: 3, alias: 'x' })];
	const { result, sent } = await creating((request, earlier) => {
		if (earlier === 0 || earlier === 2) return reset();
		return { body: { data: request.params.sort_by ? [created, ...others] : others } };
	});
	expect(result).toMatchObject({ id: 5 });
	expect(sent).toEqual([create, look, create, look, newest]);
});

it.each([
	[201, ''],
	[202, '{"message":"Queued"}'],
	[200, '<html></html>'],
])('is unknown after a response with status %d and no link', async (status, body) => {
	const { answers } = linkAccount();
	const { failure, sent } = await creating((request, earlier) =>
		earlier === 0 ? { status, body } : answers(request, earlier),
	);
	expect(failure).toMatchObject({ outcome: 'unknown', isUnknownCreate: true });
	expect(failure?.advice).toContain('The node searched for it and did not find it.');
	expect(sent).toEqual([create, look]);
});

it.each([
	[
		'but other fields differ',
		linkAs({ id: 9, alias: 'a-1', url: 'https://other.example/' }),
		[],
		[],
	],
	['of another row', linkAs({ id: 9, alias: 'a-1' }), [linkAs({ id: 9, alias: 'a' })], []],
	['that another row creates', linkAs({ id: 9, alias: 'A-1' }), [], ['/links?alias=a-1']],
])('does not take a new link %s for its own', async (_what, other, created, locked) => {
	const { answers } = linkAccount();
	const { result } = await creating(
		(request, earlier) => {
			if (earlier === 0 || earlier === 2) return reset();
			if (request.params.sort_by) return { body: { data: [other] } };
			return answers(request, earlier);
		},
		created,
		locked,
	);
	expect(result).toMatchObject({ id: 1, alias: 'a' });
});
