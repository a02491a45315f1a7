import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { perform } from '../client/perform';
import { preview } from '../client/preview';
import { ServiceError } from '../client/serviceError';
import { Session } from '../client/session';
import { clockOf } from '../connect/clock';
import { connect } from '../connect/connect';
import type { PlannedRequest } from '../contract/plan';
import { parameterNames } from '../contract/properties';
import type { Operation, ResourceContract } from '../contract/types';
import { refuseRepeats } from './duplicates';
import { failedItem, itemsOf } from './items';
import { readOptions, type RunOptions } from './options';
import type { FailedRow, Outcome } from './outcome';
import { inOrder } from './pool';
import { progressOf } from './progress';
import { remembered } from './remember';
import { invalidRow, invalidRowsError, rowError, standOf } from './report';
import { isPlanned, planRow, type Planning, type Row } from './row';
import { summaryOf } from './summary';
import { isTool, nothingFound } from './tool';
import { raw, readView } from './view';

/** Any error as a failed row. What is not our own comes from n8n itself, such as a credential that cannot be read. */
function failedRow(index: number, error: unknown): FailedRow {
	if (error instanceof ServiceError) return { index, failure: error.failure };
	const message = error instanceof Error ? error.message : String(error);
	const advice = 'Check the credential and the settings of the node.';
	return { index, failure: { cause: 'refused', message, advice } };
}

function operationOf(context: IExecuteFunctions, contract: ResourceContract): Operation {
	const value = context.getNodeParameter('operation', 0);
	const operation = contract.operations.find((candidate) => candidate.value === value);
	if (operation) return operation;
	throw new NodeOperationError(
		context.getNode(),
		`The operation "${String(value)}" does not exist; choose one from the Operation list`,
	);
}

/** What the rows of one run share. */
class Run {
	/** Made at the first row that needs it. */
	session?: Session;

	private readonly context: IExecuteFunctions;

	private readonly options: RunOptions;

	private readonly earlier: Map<number, Outcome>;

	private readonly tell: () => void;

	private connecting?: Promise<Session>;

	constructor(context: IExecuteFunctions, options: RunOptions, rows: number) {
		this.context = context;
		this.options = options;
		this.earlier = remembered(context);
		this.tell = progressOf(context, rows);
	}

	/** Carries out one row. Never rejects: whether a failure stops the run is not the row's to decide. */
	async settle({ index, planned }: Row): Promise<Outcome> {
		const known = this.earlier.get(index);
		if (known) return known;
		if (!isPlanned(planned)) return invalidRow(index, planned);
		try {
			const outcome = { index, ...(await this.carryOut(planned)) };
			this.earlier.set(index, outcome);
			return outcome;
		} catch (error) {
			return failedRow(index, error);
		} finally {
			this.tell();
		}
	}

	private async carryOut(plan: PlannedRequest) {
		const session = await (this.connecting ??= this.connect());
		return this.options.dryRun
			? { found: [preview(session.root, plan)], deed: 'read' as const }
			: await perform(session.forRow(), plan);
	}

	private async connect(): Promise<Session> {
		const service = await connect(this.context, this.options.timeout);
		this.session = new Session(
			service,
			clockOf(() => this.context.getExecutionCancelSignal()),
			this.options,
		);
		return this.session;
	}
}

/** All rows as requests or problems, before anything is sent. */
function planRows(
	context: IExecuteFunctions,
	contract: ResourceContract,
	operation: Operation,
	options: RunOptions,
): Row[] {
	const planning: Planning = {
		contract,
		operation,
		reading: options.reading,
		aliasLength: operation.value === 'create' ? options.generateAlias : undefined,
		names: parameterNames(contract, operation),
	};
	const items = context.getInputData();
	return refuseRepeats(items.map((_, index) => planRow(context, planning, index)));
}

/**
 * Runs a node: every row is read and checked before the first request leaves, then the rows are carried out side by side
 * and put back into their order. What becomes of a failing row is decided by the node's On Error setting.
 *
 * @throws NodeOperationError naming all rows that cannot be sent; NodeApiError of the first row that failed
 */
export async function run(
	context: IExecuteFunctions,
	contract: ResourceContract,
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const continues = context.continueOnFail();
	const options = readOptions(context);
	const operation = operationOf(context, contract);
	const view = readView(context, contract, operation);
	const rows = planRows(context, contract, operation, options);

	const invalid = rows.flatMap(({ index, planned }) =>
		isPlanned(planned) ? [] : [invalidRow(index, planned)],
	);
	if (invalid.length > 0 && !continues) throw invalidRowsError(node, invalid, rows.length);

	const current = new Run(context, options, rows.length);
	const cancelled = () => context.getExecutionCancelSignal()?.aborted === true;
	const outcomes = await inOrder(
		rows,
		options.concurrency,
		async (row) => await current.settle(row),
		(latest) => !cancelled() && (continues || !latest || !('failure' in latest)),
	);
	const settled = outcomes.filter((outcome) => outcome !== undefined);
	const failed = settled.find((outcome) => 'failure' in outcome);
	if (failed && !continues) throw rowError(node, contract, failed, standOf(outcomes));

	const hint = summaryOf(settled, current.session);
	if (hint) context.addExecutionHints(hint);
	const items = context.getInputData();
	const output = settled.flatMap((outcome) => {
		const input = items[outcome.index]?.json ?? {};
		return 'failure' in outcome
			? [failedItem(node, contract, outcome, input)]
			: itemsOf(
					contract,
					outcome,
					options.dryRun ? raw : view,
					options.includeInput ? input : undefined,
				);
	});
	return [output.length === 0 && isTool(node) ? [{ json: nothingFound(contract) }] : output];
}
