import type { IDataObject } from 'n8n-workflow';
import {
	mismatchError,
	wrongResourceError,
	fieldLabel,
	strayCreateError,
	unmatchedCreateError,
} from '../../../../nodes/shared/operations/answerErrors';
import type { EncodedRow } from '../../../../nodes/shared/contract/encodedRow';
import { linkLike, rowOf } from '../../../support/operationRun.ts';

const row = (more: object = {}) =>
	rowOf('upsert', { alias: 'a', url: 'https://example.com/', ...more } as never);

const field = (of: EncodedRow, name: string) => {
	const found = of.fields.find((one) => one.field.name === name);
	if (!found) throw new Error(`The row has no ${name}`);
	return found;
};

const denied = (of: EncodedRow, names: string[], answer = linkLike()) =>
	mismatchError(
		of,
		names.map((name) => ({ sent: field(of, name), fails: true }) as never),
		answer,
	).failure;

it('labels a field as the user knows it', () => {
	expect(fieldLabel(field(row(), 'url'))).toBe('Destination URL');
});

it('shows what was sent and answered of fields that were not stored', () => {
	const of = row({ additionalFields: { disabled: true } });
	expect(denied(of, ['disabled'])).toEqual({
		cause: 'rejected',
		message: 'The service reported success, but did not store Disabled (sent "1", returned 0)',
		advice:
			'Check the link (ID 1, https://short.example/a) in the service before you run the item again. The plan of the account may not include this.',
		outcome: 'unknown',
		fieldErrors: { disabled: ['differs in the response from the value that was sent'] },
	});
	expect(denied(of, ['disabled', 'url']).message).toContain(
		'Disabled (sent "1", returned 0); Destination URL (sent "https://example.com/", returned "https://example.com/")',
	);
});

it('shows no password, whether it was set or cleared', () => {
	const of = row({ additionalFields: { password: 'secret' } });
	expect(denied(of, ['password']).message).toMatch(
		/did not store Password \(not set in the response\)$/,
	);
	const cleared = { ...field(of, 'password'), cleared: true };
	const text = mismatchError(of, [{ sent: cleared, fails: true } as never], linkLike()).message;
	expect(text).toMatch(/Password \(still set in the response\)$/);
});

it('shows a field that was cleared', () => {
	const of = row({ additionalFields: { spaceId: '3' } });
	const cleared = { ...field(of, 'spaceId'), cleared: true };
	const answer = linkLike({ space: { id: 3 } });
	const error = mismatchError(of, [{ sent: cleared, fails: true } as never], answer);
	expect(error.message).toMatch(/did not store Space \(cleared, returned 3\)$/);
});

it('hides an answer that repeats a password of the row', () => {
	const of = row({ additionalFields: { password: 'hunter2-hunter2' } });
	const answer = linkLike({
		url: 'https://example.com/hunter2-hunter2',
		short_url: 'https://short.example/hunter2-hunter2',
	});
	const { message, advice } = denied(of, ['url'], answer);
	expect(message).toMatch(/returned \(hidden\)\)$/);
	expect(advice).toMatch(/^Check the link \(ID 1\) in the service/);
});

it.each<[answer: IDataObject, identity: string]>([
	[{}, 'ID 1, https://short.example/a'],
	[{ short_url: '' }, 'ID 1'],
	[{ short_url: { href: 'x' } }, 'ID 1'],
	[{ id: null }, 'ID unknown, https://short.example/a'],
])('names the link of the answer %j', (answer, identity) => {
	const { message, stray } = strayCreateError(row(), linkLike(answer), { differing: [] }).failure;
	expect(message).toBe(`The service returned another link for the create (${identity})`);
	expect(stray).toBe(identity);
});

describe('the answer to a create with another link', () => {
	const advice = (reasons: object) =>
		strayCreateError(row(), linkLike(), { differing: [], ...reasons }).failure.advice;

	it('says how it differs', () => {
		const of = row();
		const { failure } = strayCreateError(of, linkLike({ alias: 'b' }), {
			differing: [field(of, 'alias')],
		});
		expect(failure).toMatchObject({
			message:
				'The service returned another link for the create (ID 1, https://short.example/b): Alias (sent "a", returned "b")',
			fieldErrors: { alias: ['differs in the response from the value that was sent'] },
			outcome: 'unknown',
		});
	});

	it('says that there is one with the alias already', () => {
		const { failure } = strayCreateError(row(), linkLike(), { differing: [], isSecond: true });
		expect(failure.message).toMatch(/\): a link with this alias already exists$/);
		expect(failure).not.toHaveProperty('fieldErrors');
	});

	it('says what to do', () => {
		expect(advice({})).toBe(
			'Check this link in the service. Delete it, unless it existed before the run. The run sends no more creates.',
		);
		expect(advice({ isOfOther: true })).toBe(
			'The link with this ID existed before, or belongs to another item. Check it in the service. The run sends no more creates.',
		);
	});
});

it('says by what the answer to an update differs, apart from what was written', () => {
	const of = rowOf('upsert', { alias: 'a', url: 'https://example.com/' });
	const answer = linkLike({ alias: 'b' });
	expect(wrongResourceError(of, answer, []).failure).toMatchObject({
		message:
			'The service returned a different link (ID 1, https://short.example/b): Alias (sent "a", returned "b")',
		advice:
			'Its alias may have changed at the same time. Check the link in the service, and run the item again.',
		fieldErrors: { alias: ['differs in the response from the value that was sent'] },
	});
	expect(wrongResourceError(of, answer, [field(of, 'alias')]).failure.message).toBe(
		'The service returned a different link (ID 1, https://short.example/b)',
	);
});

it('says that the next run would not find what was created', () => {
	const of = rowOf('upsert', { alias: 'a', url: 'https://example.com/x' }, { matchBy: 'url' });
	const { failure } = unmatchedCreateError(of, linkLike());
	expect(failure).toMatchObject({
		message:
			'The service created the link, but its Destination URL differs from the value that was sent, so another run would not find it: Destination URL (sent "https://example.com/x", returned "https://example.com/")',
		advice:
			'Delete it (ID 1, https://short.example/a), and match the items by another field. The run sends no more creates.',
		stray: 'ID 1, https://short.example/a',
		fieldErrors: { url: ['differs in the response from the value that was sent'] },
	});
});

it('explains an expiry that the service stores in another time zone', () => {
	const of = row({ additionalFields: { expiration: '2027-01-01T12:00' } });
	const stored = linkLike({ ends_at: '2027-01-01T10:00:00.000000Z' });
	const ambiguous = of.contract.ambiguous;
	const own = of.fields.filter(({ field: { wire } }) => ambiguous?.keys.includes(wire.key));
	const failing = own.map((sent) => ({ sent, fails: true }) as never);
	const { advice } = mismatchError(of, failing, stored).failure;
	const offset = ambiguous?.offsetOf({ ...of, fields: own }, stored);
	expect(own).toHaveLength(1);
	expect(offset).toBeDefined();
	const explained = ambiguous?.adviceFor(offset ?? 0);
	expect(explained).toBeDefined();
	expect(advice.endsWith(String(explained))).toBe(true);
	expect(advice).not.toContain('Perhaps the plan of the account');
});
