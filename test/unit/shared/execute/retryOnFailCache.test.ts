import type { IExecuteFunctions } from 'n8n-workflow';
import { retryOnFailCache } from '../../../../nodes/shared/execute/retryOnFailCache';

const context = (run: object, node: object = {}) =>
	({
		getNode: () => ({ type: 'link', retryOnFail: true, ...node }),
		getExecuteData: () => run,
	}) as unknown as IExecuteFunctions;

it('remembers the outcomes of a run between its tries', () => {
	const run = {};
	expect(retryOnFailCache(context(run))).toBe(retryOnFailCache(context(run)));
	expect(retryOnFailCache(context(run))).not.toBe(retryOnFailCache(context({})));
});

it.each([{ retryOnFail: false }, { retryOnFail: undefined }, { type: 'linkTool' }])(
	'remembers nothing for the node %j',
	(node) => {
		const run = {};
		expect(retryOnFailCache(context(run, node))).not.toBe(retryOnFailCache(context(run, node)));
	},
);
