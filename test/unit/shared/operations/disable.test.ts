import type { IDataObject } from 'n8n-workflow';
import type { Switching } from '../../../support/operationNames.ts';
import {
	linkAccount,
	linkLike,
	rowOf,
	runRows,
	type Answers,
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

	it('reads the link, and sends only the field', async () => {
		const links = [
			linkLike({ id: 1, disabled: before }),
			linkLike({ id: 2, alias: 'b', disabled: before }),
		];
		const byUrl = { mode: 'url', value: 'https://short.example/b' };
		const run = await runRows([row(operation, '1'), row(operation, byUrl)], linkAccount(links));
		expect(run.outcomes).toEqual([outcome, outcome]);
		expect(run.results).toMatchObject([{ reportOutcome: true }, { reportOutcome: true }]);
		expect(run.expected).toEqual([2, 3]);
		expect(run.sent).toEqual([
			'GET /links/1',
			`PUT /links/1 disabled=${after}`,
			'GET /links search=b search_by=alias',
			'GET /links/2',
			`PUT /links/2 disabled=${after}`,
		]);
	});

	it.each([after, String(after), after === 1])(
		'writes nothing if the link has %j',
		async (disabled) => {
			const run = await runRows([row(operation, '1')], linkAccount([linkLike({ disabled })]));
			expect(run).toMatchObject({ outcomes: ['unchanged'], sent: ['GET /links/1'] });
			expect(run.results).toMatchObject([{ resources: [{ id: 1 }], reportOutcome: true }]);
		},
	);

	it('writes if the service does not show the state', async () => {
		const { disabled: _, ...link } = linkLike();
		const run = await runRows([row(operation, '1')], linkAccount([link]));
		expect(run.outcomes).toEqual([outcome]);
	});

	it.each<[string, IDataObject]>([
		['the opposite', linkLike({ disabled: before })],
		['the opposite as text', linkLike({ disabled: String(before) })],
		['another link', linkLike({ id: 9, disabled: after })],
	])('fails if the service answers with %s', async (_, answer) => {
		const answers: Answers = ({ method }) => ({
			body: { data: method === 'GET' ? linkLike({ disabled: before }) : answer },
		});
		const run = await runRows([row(operation, '1')], answers);
		expect(failureOf(run)).toMatchObject({
			message: `The service reported success, but did not ${operation} the link 1`,
			outcome: 'unknown',
			fieldErrors: { disabled: ['Disabled differs in the response from the value that was sent'] },
		});
	});

	it.each([{}, { disabled: null }, { disabled: 'perhaps' }])(
		'accepts an answer with %j, which contradicts nothing',
		async (answered) => {
			const { disabled: _, ...link } = linkLike();
			const answers: Answers = ({ method }) => ({
				body: {
					data: method === 'GET' ? linkLike({ disabled: before }) : { ...link, ...answered },
				},
			});
			expect((await runRows([row(operation, '1')], answers)).outcomes).toEqual([outcome]);
		},
	);

	it('fails for a link that does not exist', async () => {
		const run = await runRows([row(operation, '9')], linkAccount([]));
		expect(run.outcomes).toEqual(['failed: No link has the ID 9']);
		expect(run.sent).toEqual(['GET /links/9']);
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
		expect(() => matched(operation, '')).toThrow('is missing; fill in its column, such as alias');
	});

	it('shows in a dry run what would change', async () => {
		const links = [
			linkLike({ disabled: before }),
			linkLike({ id: 2, alias: 'b', disabled: after }),
		];
		const expected = [
			{
				...{ outcome, id: 1, alias: 'a', before: shown(before), after: shown(after) },
				note: 'Changes nothing else',
			},
			{
				...{ outcome: 'unchanged', id: 2, alias: 'b', before: '–', after: '–' },
				note: `Already ${outcome}`,
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
