import { linkContract } from '../../../../nodes/Link/link.contract';
import { AnswerChecks } from '../../../../nodes/shared/operations/answerChecks';
import { checkComplete, reconcile, stepFor } from '../../../../nodes/shared/operations/reconcile';
import type { EncodedRow } from '../../../../nodes/shared/contract/encodedRow';
import { rejection } from '../../../../nodes/shared/transport/failures';
import {
	clientFor,
	linkAccount,
	linkLike,
	rowOf,
	type Answers,
} from '../../../support/operationRun.ts';

const row = (more: object = {}) =>
	rowOf('upsert', {
		...{ alias: 'a', url: 'https://example.com/', domainId: 1 },
		...{ additionalFields: more as never },
	});

type Known = Parameters<typeof reconcile>[2];

type Checks = Parameters<typeof reconcile>[3];

async function making(
	answers: Answers,
	of: EncodedRow = row(),
	known: Known = undefined,
	checks: Partial<Checks> = {},
) {
	const { sent, requests, client } = clientFor(answers);
	const own = requests();
	const all = { answers: new AnswerChecks(linkContract, false), ...checks };
	const result = await reconcile(own, of, known, all).catch((error: unknown) => error);
	own.end();
	client.close();
	return { result, sent };
}

const look = 'GET /links search=a search_by=alias';
const create = 'POST /links url=https://example.com/ domain_id=1 alias=a';

describe('the step of a row', () => {
	it('is a create, an update or nothing', () => {
		expect(stepFor(row(), [])).toEqual({ changes: [] });
		expect(stepFor(row(), [linkLike()])).toEqual({ existing: linkLike(), changes: [] });
		const step = stepFor(row({ disabled: true }), [linkLike()]);
		expect(step.changes.map(({ field }) => field.name)).toEqual(['disabled']);
	});

	it('is refused if several links are the row’s', () => {
		expect(() => stepFor(row(), [linkLike(), linkLike({ id: 2 })])).toThrow(
			expect.objectContaining({
				failure: expect.objectContaining({
					message: expect.stringMatching(/^Alias "a" matches 2 links /),
					advice: 'Nothing was written for this item.',
					fieldErrors: { alias: [expect.stringMatching(/^"a" matches 2 links/)] },
				}),
			}),
		);
	});
});

describe('a row with half of what a new link needs', () => {
	const half = {
		...row(),
		incompleteFields: [{ field: 'Privacy', key: 'privacy', reason: 'needs a password' }],
	};

	it('is refused', () => {
		expect(() => checkComplete(row())).not.toThrow();
		expect(() => checkComplete(half)).toThrow(
			expect.objectContaining({
				failure: {
					cause: 'rejected',
					message: 'Privacy needs a password',
					advice:
						'Nothing was sent. The link does not exist, so it would be created without the field that belongs to it.',
					fieldErrors: { privacy: ['needs a password'] },
				},
			}),
		);
	});

	it('is written to a link that exists', async () => {
		expect((await making(linkAccount([linkLike()]), half)).result).toMatchObject({
			outcome: 'unchanged',
		});
		expect((await making(linkAccount([]), half)).result).toMatchObject({
			message: 'Privacy needs a password',
		});
	});
});

it('creates a link that is not there', async () => {
	const { result, sent } = await making(linkAccount([]));
	expect(result).toMatchObject({ outcome: 'created', reportOutcome: true, resources: [{ id: 1 }] });
	expect(sent).toEqual([look, create]);
});

it('writes what differs, and only that', async () => {
	const { result, sent } = await making(linkAccount([linkLike()]), row({ disabled: true }));
	expect(result).toEqual({
		...{ outcome: 'updated', reportOutcome: true },
		resources: [linkLike({ disabled: '1' })],
	});
	expect(sent).toEqual([look, 'PUT /links/1 disabled=1']);
});

it('says that a link is enabled again', async () => {
	const off = linkLike({ disabled: 1 });
	const { result } = await making(linkAccount([off]), row({ disabled: false }));
	expect(result).toMatchObject({ outcome: 'updated', isReenabled: true });
});

it('takes what a list has shown, unless it shows several', async () => {
	expect((await making(linkAccount([]), row(), [linkLike()])).sent).toEqual([]);
	const twice = [linkLike(), linkLike({ id: 2 })];
	const { sent, result } = await making(linkAccount([linkLike()]), row(), twice);
	expect(sent).toEqual([look]);
	expect(result).toMatchObject({ outcome: 'unchanged', resources: [{ id: 1 }] });
});

describe('what a list has shown too early', () => {
	it('is looked up again if the link is gone', async () => {
		const { result, sent } = await making(linkAccount([]), row({ disabled: true }), [linkLike()]);
		expect(sent).toEqual(['PUT /links/1 disabled=1', look, `${create} disabled=1`]);
		expect(result).toMatchObject({ outcome: 'created' });
	});

	it('is looked up again if the alias is taken', async () => {
		const { result, sent } = await making(linkAccount([linkLike()]), row({ disabled: true }), []);
		expect(sent).toEqual([`${create} disabled=1`, look, 'PUT /links/1 disabled=1']);
		expect(result).toMatchObject({ outcome: 'updated' });
	});

	it('fails if the alias is refused, and no link has it', async () => {
		const refused: Answers = ({ method }) =>
			method === 'GET'
				? { body: { data: [] } }
				: { status: 422, body: { message: { alias: ['Bad.'] } } };
		const { result, sent } = await making(refused, row(), []);
		expect(sent).toEqual([create, look]);
		expect(result).toMatchObject({ failure: { statusCode: 422 } });
	});

	it.each([
		[422, { message: { url: ['Bad.'] } }],
		[400, { message: 'Bad.' }],
	])('is not looked up after another refusal: %d %j', async (status, body) => {
		const { sent } = await making(() => ({ status, body }), row(), []);
		expect(sent).toEqual([create]);
	});

	it('is unchanged if the alias is taken in another case by a link with all of it', async () => {
		const twin = linkLike({ alias: 'A' });
		const answers: Answers = ({ method }) =>
			method === 'GET'
				? { body: { data: [twin] } }
				: { status: 422, body: { message: { alias: ['Taken.'] } } };
		const found: unknown[] = [];
		const { result } = await making(answers, row(), [], { checkFound: (one) => found.push(one) });
		expect(result).toEqual({ resources: [twin], outcome: 'unchanged', reportOutcome: true });
		expect(found).toEqual([twin]);
		const { result: other } = await making(answers, row({ disabled: true }), []);
		expect(other).toMatchObject({ failure: { statusCode: 422 } });
	});

	it('is refused if another row of the run has created it', async () => {
		const answers = new AnswerChecks(linkContract, false);
		answers.checkCreate(row(), linkLike());
		const { result } = await making(linkAccount([linkLike()]), row({ disabled: true }), [], {
			answers,
		});
		expect(result).toMatchObject({
			failure: {
				message:
					'Another item of this run created a (ID 1), and the service treats this item as the same link',
				advice: 'Nothing was written for this item. Keep only one of the two.',
			},
		});
	});
});

describe('the checks', () => {
	const refuse = () => {
		throw rejection('Refused', 'Look.');
	};

	it('may refuse a link that was found', async () => {
		const { result, sent } = await making(
			linkAccount([linkLike()]),
			row({ disabled: true }),
			undefined,
			{ checkFound: refuse },
		);
		expect(result).toMatchObject({ message: 'Refused' });
		expect(sent).toEqual([look]);
	});

	it('may refuse a link that was written', async () => {
		const { result } = await making(linkAccount([]), row(), undefined, { checkWritten: refuse });
		expect(result).toMatchObject({ message: 'Refused' });
	});
});
