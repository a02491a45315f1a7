import type { NodeParameterValueType } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { checkFixedResource } from '../../../../nodes/shared/execute/fixedResource';
import { errorOf, executionLike } from '../../../support/execution.ts';

const chosen = (value: string) => ({ __rl: true, mode: 'id', value });

it.each<[linkId: unknown, count: number, message: string | undefined]>([
	['', 2, undefined],
	[chosen(''), 2, undefined],
	[chosen('7'), 1, undefined],
	[chosen('={{ $json.id }}'), 2, undefined],
	[
		chosen('7'),
		2,
		'Link is the same for all 2 items, so they would overwrite one link; clear Link and choose Match By, or enter an expression',
	],
])('checks the link %j of %i rows', (linkId, count, message) => {
	const execution = executionLike({ parameters: { linkId: linkId as NodeParameterValueType } });
	expect(errorOf(() => checkFixedResource(execution, linkContract, count))).toBe(message);
});
