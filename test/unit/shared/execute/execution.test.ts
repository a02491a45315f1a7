import { linkContract } from '../../../../nodes/Link/link.contract';
import { removalTaskOf, taskOf, type Execution } from '../../../../nodes/shared/execute/execution';
import { rawOutput } from '../../../../nodes/shared/execute/options';
import * as handlers from '../../../../nodes/shared/operations/handlers';
import type { OperationRun, Removal, Result } from '../../../../nodes/shared/operations/types';
import { clientFor, linkLike, rowOf } from '../../../support/operationRun.ts';
import { runSettings } from '../../../support/runSettings.ts';

const executionOf = (more: Partial<Execution> = {}): Execution => ({
	...{ contract: linkContract, operation: handlers.update, settings: runSettings(), items: 1 },
	connect: async () => await Promise.reject(new Error('No task connects')),
	...{ isDryRun: false, continues: true, output: rawOutput, finalOutcomes: new Map() },
	onEnd: () => undefined,
	...more,
});

const row = rowOf('update', { linkId: '7', updateFields: { disabled: true } });

/** The plan of an update of link 7. */
const planned: Result = {
	resources: [{ id: 7 }],
	outcome: 'updated',
};

const run = (more: Partial<OperationRun> = {}): OperationRun => ({
	recovery: '',
	requestsFor: () => 1,
	execute: async () => await Promise.resolve({ resources: [linkLike()], outcome: 'updated' }),
	...more,
});

/** Runs a task. Returns its result, and the requests that it sent. */
async function resultOf(task: ReturnType<typeof taskOf>) {
	const { client, requests, sent } = clientFor(() => ({ body: { data: linkLike() } }));
	const own = requests();
	const result = await task(own);
	own.end();
	client.close();
	return { result, sent };
}

describe('the task of a row', () => {
	it('is the operation', async () => {
		const { result } = await resultOf(taskOf(run(), executionOf(), row, 4));
		expect(result).toEqual({ resources: [linkLike()], outcome: 'updated' });
	});

	it('adds the QR code as n8n stores it', async () => {
		const attachmentOf: Execution['attachmentOf'] = async (index, qrCode) =>
			await Promise.resolve({ json: { code: `${index} ${String(qrCode)}` } });
		const drawing = run({
			execute: async () =>
				await Promise.resolve({ resources: [linkLike()], outcome: 'read', qrCode: '<svg/>' }),
		});
		const { result } = await resultOf(taskOf(drawing, executionOf({ attachmentOf }), row, 4));
		expect(result).toMatchObject({ outcome: 'read', attachment: { json: { code: '4 <svg/>' } } });
	});

	it('is the plan in a dry run', async () => {
		const plan = async () => await Promise.resolve(planned);
		const { result } = await resultOf(
			taskOf(run({ plan }), executionOf({ isDryRun: true }), row, 4),
		);
		expect(result).toEqual(planned);
	});
});

describe('the task of a removal', () => {
	const removal: Removal = {
		resource: { name: 'a (ID 7)', data: {} },
		execute: async () => await Promise.resolve({ resources: [{ id: 7 }], outcome: 'deleted' }),
		plan: async () => await Promise.resolve(planned),
	};

	it('is the removal, or its plan in a dry run', async () => {
		const resultWith = async (more: Partial<Execution>) =>
			(await resultOf(removalTaskOf(removal, executionOf(more)))).result;
		expect(await resultWith({})).toEqual({ resources: [{ id: 7 }], outcome: 'deleted' });
		expect(await resultWith({ isDryRun: true })).toEqual(planned);
	});
});
