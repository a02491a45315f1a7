import { linkContract } from '../../../../nodes/Link/link.contract';
import { AnswerChecks } from '../../../../nodes/shared/operations/answerChecks';
import { updateOne } from '../../../../nodes/shared/operations/update';
import { clientFor, linkAccount, linkLike, rowOf } from '../../../support/operationRun.ts';

const row = (updateFields: object) => rowOf('update', { linkId: '1', updateFields } as never);

async function updating(
	given: ReturnType<typeof row>,
	links: ReturnType<typeof linkLike>[],
	known?: ReturnType<typeof linkLike>,
) {
	const { sent, requests, client } = clientFor(linkAccount(links));
	const own = requests();
	const result = await updateOne(own, given, new AnswerChecks(linkContract, false), known).catch(
		(error: unknown) => error,
	);
	own.end();
	client.close();
	return { result, sent };
}

it('writes the fields of the row', async () => {
	const { result, sent } = await updating(row({ disabled: true }), [linkLike()]);
	expect(result).toMatchObject({ outcome: 'updated', resources: [{ id: 1, disabled: '1' }] });
	expect(sent).toEqual(['PUT /links/1 disabled=1']);
});

it('writes nothing if the known link does not differ', async () => {
	const known = linkLike({ disabled: 1 });
	const { result, sent } = await updating(row({ disabled: true }), [], known);
	expect(result).toEqual({ resources: [known], outcome: 'unchanged' });
	expect(sent).toEqual([]);
});

it('reads the link first if its list changes', async () => {
	const links = [linkLike({ pixels: [{ id: 5 }] })];
	const remove = row({ pixelIds: '6', pixelMode: 'remove' });
	const { result, sent } = await updating(remove, links);
	expect(result).toMatchObject({ outcome: 'unchanged', resources: [{ id: 1 }] });
	expect(sent).toEqual(['GET /links/1']);
});

it('checks the answer', async () => {
	const { client, requests } = clientFor(() => ({ body: { data: linkLike({ id: 2 }) } }));
	const own = requests();
	await expect(
		updateOne(own, row({ disabled: true }), new AnswerChecks(linkContract, false)),
	).rejects.toThrow('The service returned a different link');
	own.end();
	client.close();
});
