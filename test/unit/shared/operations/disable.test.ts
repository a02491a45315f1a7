import type { IDataObject } from 'n8n-workflow';
import type { Switching } from '../../../support/operationNames.ts';
import {
	linkAccount,
	linkLike,
	rowOf,
	runRows,
	type RunResult,
} from '../../../support/operationRun.ts';

const row = (operation: Switching, linkId: unknown) => rowOf(operation, { linkId } as never);

const matched = (operation: Switching, alias: string) =>
	rowOf(operation, { alias, domainId: 1 }, { matchBy: 'alias', takesColumns: true });

const plan = { isDryRun: true };

const failureOf = ({ results }: RunResult) =>
	results.flatMap((result) => ('failure' in result ? [result.failure] : []))[0];

const writesOf = ({ sent }: RunResult) => sent.filter((text) => !text.startsWith('GET'));

describe.each([
	{ operation: 'disable', outcome: 'disabled', before: 0, after: 1 },
	{ operation: 'enable', outcome: 'enabled', before: 1, after: 0 },
] as const)('$operation', ({ operation, outcome, before, after }) => {
	const shown = (value: number) => `Disabled: ${value === 1 ? 'true' : 'false'}`;

	it('sends only the field, and reads the link of a short URL only', async () => {
		const links = [
			linkLike({ id: 1, disabled: before }),
			linkLike({ id: 2, alias: 'b', disabled: before }),
		];
		const byUrl = { mode: 'url', value: 'https://short.example/b' };
		const run = await runRows([row(operation, '1'), row(operation, byUrl)], linkAccount(links));
		expect(run.outcomes).toEqual([outcome, outcome]);
		expect(run.results).toMatchObject([{ reportOutcome: true }, { reportOutcome: true }]);
		expect(run.expected).toEqual([1, 2]);
		expect(run.sent).toEqual([
			`PUT /links/1 disabled=${after}`,
			'GET /links search=b search_by=alias',
			`PUT /links/2 disabled=${after}`,
		]);
	});

	it.each([after, String(after), after === 1])(
		'writes nothing if the link of a short URL has %j',
		async (disabled) => {
			const byUrl = { mode: 'url', value: 'https://short.example/a' };
			const run = await runRows([row(operation, byUrl)], linkAccount([linkLike({ disabled })]));
			expect(run).toMatchObject({
				outcomes: ['unchanged'],
				sent: ['GET /links search=a search_by=alias'],
			});
			expect(run.results).toMatchObject([{ resources: [{ id: 1 }], reportOutcome: true }]);
		},
	);

	it('writes if the service does not show the state', async () => {
		const { disabled: _, ...link } = linkLike();
		const byUrl = { mode: 'url', value: 'https://short.example/a' };
		const run = await runRows([row(operation, byUrl)], linkAccount([link]));
		expect(run.outcomes).toEqual([outcome]);
	});

	it.each<[string, IDataObject, string]>([
		[
			'the opposite',
			{ disabled: before },
			'The service reported success, but did not store Disabled',
		],
		[
			'the opposite as text',
			{ disabled: String(before) },
			'The service reported success, but did not store Disabled',
		],
		['another link', { id: 9, disabled: after }, 'The service returned a different link (ID 9'],
	])('fails if the service answers with %s', async (_, answer, message) => {
		const run = await runRows([row(operation, '1')], () => ({ body: { data: linkLike(answer) } }));
		const failure = failureOf(run);
		expect(failure?.message.startsWith(message)).toBe(true);
		expect(failure?.outcome).toBe('unknown');
	});

	it.each([{}, { disabled: null }, { disabled: 'perhaps' }])(
		'accepts an answer with %j, which contradicts nothing',
		async (answered) => {
			const { disabled: _, ...link } = linkLike();
			const run = await runRows([row(operation, '1')], () => ({
				body: { data: { ...link, ...answered } },
			}));
			expect(run.outcomes).toEqual([outcome]);
			expect(run.results).toMatchObject([{ resources: [{ disabled: after }] }]);
		},
	);

	it('fails for a link that does not exist', async () => {
		const run = await runRows([row(operation, '9')], linkAccount([]));
		expect(run.outcomes).toEqual(['failed: No link has the ID 9']);
		expect(run.sent).toEqual([`PUT /links/9 disabled=${after}`]);
	});

	it('finds mapped rows before the first write, and takes the state from the list', async () => {
		const links = ['a', 'b', 'c'].map((alias, index) =>
			linkLike({ id: index + 1, alias, disabled: alias === 'b' ? after : before }),
		);
		const rows = ['a', 'b', 'c'].map((alias) => matched(operation, alias));
		const run = await runRows(rows, linkAccount(links));
		expect(run.outcomes).toEqual([outcome, 'unchanged', outcome]);
		expect(run.expected).toEqual([1, 0, 1]);
		expect(writesOf(run)).toEqual([
			`PUT /links/1 disabled=${after}`,
			`PUT /links/3 disabled=${after}`,
		]);
		expect(run.sent.slice(-2)).toEqual(writesOf(run));
	});

	it('has a problem for a mapped row without a link, and for one without an alias', async () => {
		const run = await runRows([matched(operation, 'z')], linkAccount([linkLike()]));
		expect(run.problems).toEqual(['Alias "z" matches no link; correct it, or remove the item']);
		expect(() => matched(operation, '')).toThrow('is missing; fill in its cell');
	});

	it('shows in a dry run what would change', async () => {
		const links = [
			linkLike({ disabled: before }),
			linkLike({ id: 2, alias: 'b', disabled: after }),
		];
		const expected = [
			{
				...{ outcome, id: 1, alias: 'a', before: shown(before), after: shown(after) },
				note: 'Changes 1 field',
			},
			{
				...{ outcome: 'unchanged', id: 2, alias: 'b', before: '–', after: '–' },
				note: 'Nothing to change',
			},
		];
		const byId = [row(operation, '1'), row(operation, '2')];
		const byAlias = [matched(operation, 'a'), matched(operation, 'b')];
		for (const rows of [byId, byAlias]) {
			const run = await runRows(rows, linkAccount(links), plan);
			expect(run.results).toMatchObject(expected.map((item) => ({ resources: [item] })));
			expect(writesOf(run)).toEqual([]);
		}
		const missing = await runRows([row(operation, '9')], linkAccount([]), plan);
		expect(missing.outcomes).toEqual(['failed: No link has the ID 9']);
	});
});
