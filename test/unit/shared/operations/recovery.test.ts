import { linkContract } from '../../../../nodes/Link/link.contract';
import type { OperationName } from '../../../../nodes/shared/contract/types';
import * as handlers from '../../../../nodes/shared/operations/handlers';
import { rowOf } from '../../../support/operationRun.ts';
import { runSettings, type SettingValues } from '../../../support/runSettings.ts';

const repeat =
	'Fix the failures and run the node again with all items: items that are done do not change.';
const reading = 'Fix the failures and run the node again: reading changes nothing.';

const recoveryOf = (operation: OperationName, values: SettingValues = {}) =>
	handlers[operation]({
		...{ contract: linkContract, settings: runSettings(values) },
		...{
			isComplete: true,
			isDryRun: false,
			hasStray: false,
			completedIds: new Set<string>(),
		},
		rows: [
			rowOf(operation, {
				...{ url: 'https://example.com/', alias: 'a', linkId: '1', syncScope: { domainId: 1 } },
				updateFields: { disabled: true },
			} as never),
		],
	}).recovery;

const sentences: Record<OperationName, string> = {
	create:
		'Fix the failures, remove the items that are done or unknown, and run the node again. If Alias is set in each item, you can switch Operation to Create or Update and keep all items instead.',
	delete:
		'Fix the failures and run the node again with all items and Ignore Missing under Options: items that are done do not change.',
	disable: repeat,
	enable: repeat,
	get: reading,
	getAll: reading,
	getQrCode: reading,
	sync: repeat,
	update: repeat,
	upsert: repeat,
};

it.each(Object.keys(sentences) as OperationName[])(
	'%s says how to continue after a run that failed for some items',
	(operation) => {
		expect(recoveryOf(operation)).toBe(sentences[operation]);
	},
);

it('all rows can run again if missing links are ignored', () => {
	expect(recoveryOf('delete', { ignoreMissing: true })).toBe(repeat);
});
