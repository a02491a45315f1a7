import { descriptionOf, messageOf, useColumns } from '../../support/columns.ts';
import { reconciliations } from '../../support/operationNames.ts';
import { jsonOf } from '../../support/service.ts';

const { arrived, held, link, madeLink, mapped, current } = useColumns();

const url = 'https://example.com/a';

const protectedRow = (alias: string) => ({ alias, url, privacy: 2 });

describe.each(reconciliations)('half of what a link needs, with %s', (operation) => {
	it('is enough for a link that is there', async () => {
		const id = await madeLink('there');
		const result = await mapped(operation, [protectedRow('there')]);
		expect(messageOf(result)).toBe('undefined');
		expect(await held(id)).toMatchObject({ privacy: 2, url });
	});

	it('is refused where the link would be created, and the other rows are done', async () => {
		const id = await madeLink('there');
		const rows = [protectedRow('there'), protectedRow('new'), { alias: 'whole', url }];
		const run = { onError: 'continueRegularOutput' } as const;
		const planned = await mapped(operation, rows, { options: { dryRun: true } }, run);
		const told = [
			null,
			expect.stringMatching(/Statistics Privacy needs Statistics Password/),
			null,
		];
		expect(jsonOf(planned).map(({ error }) => error ?? null)).toEqual(told);
		expect(arrived()).toEqual([]);
		const result = await mapped(operation, rows, {}, run);
		expect(jsonOf(result).map(({ error }) => error ?? null)).toEqual(told);
		expect(jsonOf(result)[1]?.errorDetails).toMatchObject({
			outcome: 'failed',
			fieldErrors: { privacy: [expect.stringMatching(/^needs Statistics Password; /)] },
		});
		expect(arrived().map((text) => text.slice(0, 12))).toEqual(
			expect.arrayContaining([`PUT /links/${id}`.slice(0, 12), 'POST /links ']),
		);
		expect(arrived()).toHaveLength(2);
		expect(current().counts().links).toBe(2);
	});
});

it('what the service refuses is quoted with the value that was sent, and no secret is', async () => {
	await madeLink('taken');
	const result = await link('create', {
		items: [{}],
		parameters: {
			url,
			domainId: { __rl: true, mode: 'list', value: 1 },
			alias: 'taken',
			additionalFields: { password: 'x'.repeat(200), pixelIds: '99999' } as never,
		},
	});
	const message = messageOf(result);
	expect(message).toMatch(/Alias: The alias has already been taken\. Sent: "taken"/);
	expect(message).toMatch(/ Password: [^;]+ Sent: \(hidden\)/);
	expect(message).toMatch(/ Pixels: [^;]+ Sent: "99999"/);
	expect(message + descriptionOf(result)).not.toContain('xxx');
});
