import type { IExecuteFunctions } from 'n8n-workflow';
import { rememberedBy } from '../../../../nodes/shared/execute/remember';

const context = (run: object, node: object = {}) =>
	({
		getNode: () => ({ type: 'link', retryOnFail: true, ...node }),
		getExecuteData: () => run,
	}) as unknown as IExecuteFunctions;

it('remembers the outcomes of a run between its tries', () => {
	const run = {};
	expect(rememberedBy(context(run))).toBe(rememberedBy(context(run)));
	expect(rememberedBy(context(run))).not.toBe(rememberedBy(context({})));
});

it.each([{ retryOnFail: false }, { retryOnFail: undefined }, { type: 'linkTool' }])(
	'remembers nothing for the node %j',
	(node) => {
		const run = {};
		expect(rememberedBy(context(run, node))).not.toBe(rememberedBy(context(run, node)));
	},
);
