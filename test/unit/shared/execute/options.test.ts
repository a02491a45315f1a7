import type { INodeParameters } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import type { OperationName } from '../../../../nodes/shared/contract/types';
import { readOptions } from '../../../../nodes/shared/execute/options';
import { executionLike } from '../../../support/execution.ts';
import { RowNumbers } from '../../../../nodes/shared/execute/sheet';
import { runSettings } from '../../../support/runSettings.ts';

const read = (
	options: INodeParameters = {},
	parameters: INodeParameters = {},
	operation: OperationName = 'upsert',
) =>
	readOptions(runLike({ ...parameters, options }), operation, {
		isMapped: parameters.mappingColumnMode !== undefined,
		timeZone: 'Asia/Tokyo',
	});

const runLike = (parameters: INodeParameters) => {
	const context = executionLike(parameters);
	const items = context.getInputData();
	return {
		...{ context, node: context.getNode(), contract: linkContract, items },
		...{ rows: [0], empty: [], numbers: new RowNumbers(items, false) },
	};
};

const requests = (settings: INodeParameters) => ({ requests: { settings } });
const empty = { ...requests({ concurrency: '' }), emptyValues: null };

it.each<INodeParameters>([{}, empty])('has defaults: %j', (options) => {
	expect(read(options)).toMatchObject({
		client: { concurrency: 5, pace: 0, timeout: 30_000 },
		encode: {
			...{ emptyValues: 'skip', resourceOptions: {} },
			...{ takesColumns: false, timeZone: 'Asia/Tokyo' },
		},
		...{ includeInput: false, dryRun: false, mapPasswords: false },
		settings: runSettings(),
	});
});

it.each<[options: INodeParameters, part: object]>([
	[requests({ concurrency: 3.7 }), { client: { concurrency: 3 } }],
	[requests({ maxWait: 0.25, timeout: 1.1 }), { client: { maxWait: 250, timeout: 1100 } }],
	[requests({ requestsPerMinute: '60' }), { client: { pace: 1000 } }],
	[requests({ requestsPerMinute: 0.001 }), { client: { pace: 60_000 } }],
	[{ dryRun: '' }, { dryRun: true }],
	[{ emptyValues: 'clear' }, { encode: { emptyValues: 'clear' } }],
	[{ mapPasswords: 'yes' }, { mapPasswords: true }],
])('reads %j', (options, part) => {
	expect(read(options)).toMatchObject(part);
});

it('reads the options of a resource, and those of Sync', () => {
	const options = { maxRemovals: 7, generateAlias: '8' };
	expect(read(options, {}, 'create').encode.resourceOptions).toEqual({ generateAlias: '8' });
	const parameters = { unmatchedLinks: 'keep' };
	expect(read(options, parameters, 'sync').settings).toEqual(runSettings({ maxRemovals: 7 }));
});

const mapped = { mappingColumnMode: 'autoMapInputData' };

it.each<[operation: OperationName, parameters: INodeParameters, encode: object]>([
	['upsert', {}, { matchBy: 'alias', takesColumns: false, unmatchedAction: undefined }],
	['upsert', { ...mapped, matchBy: 'url' }, { matchBy: 'url', takesColumns: true }],
	['update', {}, { matchBy: undefined }],
	['update', mapped, { matchBy: 'alias', takesColumns: true }],
	['update', { ...mapped, linkId: '7' }, { matchBy: undefined, takesColumns: true }],
	['create', mapped, { matchBy: undefined, takesColumns: true }],
	['sync', {}, { unmatchedAction: 'disable' }],
	['sync', { unmatchedLinks: 'delete' }, { unmatchedAction: 'delete' }],
])('reads how %s finds resources: %j', (operation, parameters, encode) => {
	expect(read({}, parameters, operation).encode).toMatchObject(encode);
});
