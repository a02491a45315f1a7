import type { IExecuteFunctions } from 'n8n-workflow';
import { perform } from '../client/perform';
import { preview } from '../client/preview';
import { ServiceError } from '../client/serviceError';
import { Session } from '../client/session';
import { clockOf } from '../connect/clock';
import { connect } from '../connect/connect';
import type { PlannedRequest } from '../contract/plan';
import type { RunOptions } from './options';
import type { FailedRow, Outcome } from './outcome';
import { progressOf } from './progress';
import { remembered } from './remember';
import { invalidRow } from './report';
import { isPlanned, type Row } from './row';

/** Any error as a failed row. What is not our own comes from n8n itself, such as a credential that cannot be read. */
function failedRow(index: number, error: unknown): FailedRow {
	if (error instanceof ServiceError) return { index, failure: error.failure };
	const message = error instanceof Error ? error.message : String(error);
	const advice = 'Check the credential and the settings of the node.';
	return { index, failure: { cause: 'refused', message, advice } };
}

/** Carries out the rows of one run, which share a session. */
export class Carrier {
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
			const failed = failedRow(index, error);
			// What may have been made already must not be made again by another try of the node.
			const isOpen = planned.task === 'creation' && failed.failure.outcome === 'unknown';
			if (isOpen) this.earlier.set(index, failed);
			return failed;
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
