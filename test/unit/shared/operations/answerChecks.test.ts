import type { IDataObject } from 'n8n-workflow';
import { AnswerChecks } from '../../../../nodes/shared/operations/answerChecks';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { linkLike, rowOf } from '../../../support/operationRun.ts';

const row = (more: object = {}, options = {}) =>
	rowOf('upsert', { alias: 'a', url: 'https://example.com/', ...more } as never, options);

const create = (checks: AnswerChecks, answer: IDataObject, of = row()) => {
	checks.checkCreate(of, answer);
};

const stopsCreates = (checks: AnswerChecks) => checks.createHooks.beforeSend?.();

const stopped = {
	cause: 'rejected',
	message: 'Not created, because the service returned another link for an earlier create',
	advice: 'The node did not send the create.',
};

it('stops creates after a stray one, also one of an earlier try', () => {
	expect(stopsCreates(new AnswerChecks(linkContract, false))).toBeUndefined();
	expect(stopsCreates(new AnswerChecks(linkContract, true))).toEqual(stopped);
});

describe('the answer to a create', () => {
	it('is taken if it is the link of the row', () => {
		const checks = new AnswerChecks(linkContract, false);
		create(checks, linkLike({ id: 7 }));
		expect(checks.hasCreated({ id: 7 })).toBe(true);
		expect(checks.hasCreated({ id: 8 })).toBe(false);
		expect(checks.hasCreated({})).toBe(false);
		expect(stopsCreates(checks)).toBeUndefined();
	});

	it('is taken again for an identical row', () => {
		const checks = new AnswerChecks(linkContract, false);
		create(checks, linkLike({ id: 7 }));
		expect(() => create(checks, linkLike({ id: 7 }))).not.toThrow();
	});

	it.each<[what: string, answer: IDataObject, message: string]>([
		['has another alias', linkLike({ alias: 'b' }), 'Alias (sent "a", returned "b")'],
		[
			'has the ID of a link that was there',
			linkLike({ id: 5 }),
			'another link for the create (ID 5',
		],
		[
			'has the ID of another row, and its values',
			linkLike({ id: 7, url: 'https://example.com/other' }),
			'another link for the create (ID 7',
		],
		['is a second one in another case', linkLike({ id: 9, alias: 'A' }), 'with this alias already'],
	])('is refused if it %s', (_what, answer, message) => {
		const checks = new AnswerChecks(linkContract, false);
		checks.noteExisting(row(), [
			linkLike({ id: 5, alias: 'other' }),
			linkLike({ id: 6, alias: 'A' }),
		]);
		create(checks, linkLike({ id: 7, alias: 'z' }), row({ alias: 'z' }));
		expect(() => create(checks, answer)).toThrow(message);
		expect(stopsCreates(checks)).toEqual(stopped);
	});

	it('may be in another case if there is none of it', () => {
		const checks = new AnswerChecks(linkContract, false);
		expect(() => create(checks, linkLike({ id: 9, alias: 'A' }))).not.toThrow();
		// Then a second one of that case is refused.
		expect(() => create(checks, linkLike({ id: 10, alias: 'A' }))).toThrow('already');
	});

	it('may have the key of a link that is gone', () => {
		const checks = new AnswerChecks(linkContract, false);
		const old = linkLike({ id: 6, alias: 'A' });
		checks.noteExisting(row(), [old]);
		checks.forgetExisting(row(), old);
		expect(() => create(checks, linkLike({ id: 6, alias: 'A' }))).not.toThrow();
	});

	it('must show what Match By finds the link by', () => {
		const checks = new AnswerChecks(linkContract, false);
		const of = row({ url: 'https://example.com/x' }, { matchBy: 'url' });
		expect(() => create(checks, linkLike(), of)).toThrow('its Destination URL differs');
		expect(stopsCreates(checks)).toEqual(stopped);
	});

	it('must have the fields without which the row is not done', () => {
		const checks = new AnswerChecks(linkContract, false);
		expect(() => create(checks, linkLike(), row({ additionalFields: { disabled: true } }))).toThrow(
			'did not store Disabled (sent "1", returned 0)',
		);
		expect(stopsCreates(checks)).toBeUndefined();
		expect(checks.hasCreated({ id: 1 })).toBe(true);
	});

	it('may lack other fields, which the notes count', () => {
		const checks = new AnswerChecks(linkContract, false);
		for (const id of [1, 2]) {
			create(
				checks,
				linkLike({ id, alias: `a${id}`, space: { id: 4 } }),
				row({ alias: `a${id}`, additionalFields: { spaceId: '3' } }),
			);
		}
		create(
			checks,
			linkLike({ id: 3, alias: 'c' }),
			row({ alias: 'c', additionalFields: { pixelIds: '3' } }),
		);
		expect(checks.notes()).toEqual([
			'The service did not store these values as sent: Space in 2 items, Pixels in 1 item',
		]);
	});
});

it('notes nothing if all was stored', () => {
	const checks = new AnswerChecks(linkContract, false);
	create(checks, linkLike());
	expect(checks.notes()).toEqual([]);
});

it('fails a create in whose place the service has something new', () => {
	const checks = new AnswerChecks(linkContract, false);
	const error = checks.renamedCreate(row(), linkLike({ alias: 'a-1' }));
	expect(error.message).toBe(
		'The service returned another link for the create (ID 1, https://short.example/a-1): Alias (sent "a", returned "a-1")',
	);
	expect(stopsCreates(checks)).toEqual(stopped);
});

describe('the answer to an update', () => {
	const sent = (name: string, of = row()) => of.fields.filter(({ field }) => field.name === name);

	it('is taken if it is the link that was updated', () => {
		const checks = new AnswerChecks(linkContract, false);
		expect(() => checks.checkUpdate(row(), linkLike(), { id: '1', sent: [] })).not.toThrow();
	});

	it.each<[what: string, answer: IDataObject, id: string]>([
		['ID', linkLike({ id: 2 }), '1'],
		['alias', linkLike({ alias: 'b' }), '1'],
	])('is refused if it has another %s', (_what, answer, id) => {
		const checks = new AnswerChecks(linkContract, false);
		expect(() => checks.checkUpdate(row(), answer, { id, sent: [] })).toThrow(
			'The service returned a different link',
		);
	});

	it('may have another alias if the alias was written, which then was not stored', () => {
		const checks = new AnswerChecks(linkContract, false);
		const of = rowOf('update', { linkId: '1', updateFields: { alias: 'b' } });
		expect(() => checks.checkUpdate(of, linkLike(), { id: '1', sent: of.fields })).toThrow(
			'did not store Alias (sent "b", returned "a")',
		);
	});

	it('must have the fields that the row did not have to write', () => {
		const checks = new AnswerChecks(linkContract, false);
		const of = row({ additionalFields: { disabled: true } });
		expect(() => checks.checkUpdate(of, linkLike(), { id: '1', sent: sent('url', of) })).toThrow(
			'did not store Disabled',
		);
	});
});
