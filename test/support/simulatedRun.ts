import { linkContract } from '../../nodes/Link/link.contract';
import { encodeRow } from './encodeRow.ts';
import type { OperationName, Parameters } from '../../nodes/shared/contract/types';
import type { EncodedRow } from '../../nodes/shared/contract/encodedRow';
import { rawOutput } from '../../nodes/shared/execute/options';
import { isFailed, type RowOutcome } from '../../nodes/shared/execute/outcome';
import type { Row } from '../../nodes/shared/execute/outcome';
import { mergeDuplicates } from '../../nodes/shared/execute/duplicateRows';
import { RowNumbers } from '../../nodes/shared/execute/sheet';
import type { Execution } from '../../nodes/shared/execute/rowExecutor';
import { executeRows } from '../../nodes/shared/execute/rowExecutor';
import * as handlers from '../../nodes/shared/operations/handlers';
import type { OperationRun, OperationHandler } from '../../nodes/shared/operations/types';
import { ApiClient } from '../../nodes/shared/transport/client';
import { RateLimiter, type ClientOptions } from '../../nodes/shared/transport/limiter';
import { encodeOptions } from './encodeOptions.ts';
import { defaultOptions } from './simulatedLoad.ts';
import { runSettings, type SettingValues } from './runSettings.ts';
import { SimulatedService, type SimulationOptions } from './simulatedService.ts';
import { VirtualClock, type Bounds } from '../../testkit/clock/virtualClock.ts';

/** One row of a sheet of links. */
export interface SheetRow {
	readonly operation: OperationName;
	readonly parameters: Parameters;
}

/** Rows as a run has read them: checked, and marked where they repeat or contradict earlier ones. */
export const readSheet = (sheet: readonly SheetRow[], options = encodeOptions): Row[] =>
	mergeDuplicates(
		sheet.map(({ operation, parameters }, index) => ({
			index,
			encoded: encodeRow({ contract: linkContract, operation, options }, parameters),
		})),
		new RowNumbers([], true),
	);

/** A run whose rows have operations of their own, so that they meet each other. */
const mixed: OperationHandler = (run) => {
	const names = [...new Set(run.rows.map(({ operation }) => operation))];
	const begun = new Map(
		names.map((name) => {
			const rows = run.rows.filter(({ operation }) => operation === name);
			return [name, handlers[name]({ ...run, rows })];
		}),
	);
	const of = ({ operation }: EncodedRow): OperationRun => {
		const one = begun.get(operation);
		if (!one) throw new Error(`${operation} was not begun`);
		return one;
	};
	return {
		recovery: '',
		prepare: async (requests) => {
			for (const { prepare } of begun.values()) await prepare?.(requests);
		},
		execute: async (requests, row) => await of(row).execute(requests, row),
		problemsOf: (row) => of(row).problemsOf?.(row) ?? [],
	};
};

/** One run of the node, as far as it needs no n8n. */
export interface SimulatedRun {
	readonly rows: readonly Row[];
	readonly options?: Partial<ClientOptions>;
	readonly settings?: SettingValues;
	/** Whether the other rows go on after one has failed; they do unless told. */
	readonly continues?: boolean;
	/** Whether the run only plans. */
	readonly isDryRun?: boolean;
	/** Its name in the journal of the service. */
	readonly name?: string;
	readonly onEnd?: () => void;
}

/** What a run came to. */
export interface Outcomes {
	/** What became of each row, in their order; undefined for those that were not begun. */
	readonly rows: readonly (RowOutcome | undefined)[];
	/** What became of each resource that is in no row. */
	readonly removed: readonly RowOutcome[];
}

/** Executes rows, and gathers what becomes of them. */
async function outcomesOf(
	rows: readonly Row[],
	execution: Omit<Execution, 'contract' | 'items' | 'onEnd' | 'output'>,
	onEnd: () => void = () => undefined,
): Promise<Outcomes> {
	const items = rows.reduce((sum, { duplicates = [] }) => sum + 1 + duplicates.length, 0);
	const ended = Array.from({ length: items }, (): RowOutcome | undefined => undefined);
	await executeRows([...rows], {
		...execution,
		contract: linkContract,
		items,
		output: rawOutput,
		onEnd: (outcome) => {
			ended[outcome.index] = outcome;
			onEnd();
		},
	});
	const removed = ended.slice(items).filter((outcome) => outcome !== undefined);
	return { rows: ended.slice(0, items), removed };
}

/** Executes a run against the model of the service, and returns what became of its rows. */
export async function executeRun(
	service: SimulatedService,
	limiter: RateLimiter,
	{ continues = true, name = 'run', onEnd = () => undefined, ...run }: SimulatedRun,
): Promise<(RowOutcome | undefined)[]> {
	const options = { ...defaultOptions, ...run.options };
	const client = new ApiClient(service.as(name), limiter, options);
	const execution = {
		operation: mixed,
		settings: runSettings(run.settings),
		isDryRun: run.isDryRun ?? false,
		connect: async () => await Promise.resolve(client),
		continues,
		finalOutcomes: new Map<number, RowOutcome>(),
	};
	const outcomes = await outcomesOf(run.rows, execution, onEnd).finally(() => client.close());
	return [...outcomes.rows];
}

/** One run of Sync, as far as it needs no n8n. */
export interface SyncRun extends SimulatedRun {
	/** What earlier tries of the same run did. */
	readonly remembered?: Map<number, RowOutcome>;
}

/** Executes a run of Sync against the model of the service, and returns all that it came to. */
export async function executeSync(
	service: SimulatedService,
	limiter: RateLimiter,
	{ rows, options, continues = true, name = 'run', remembered = new Map(), ...run }: SyncRun,
): Promise<Outcomes> {
	const client = new ApiClient(service.as(name), limiter, { ...defaultOptions, ...options });
	return await outcomesOf(rows, {
		operation: handlers.sync,
		settings: runSettings(run.settings),
		isDryRun: run.isDryRun ?? false,
		connect: async () => await Promise.resolve(client),
		continues,
		finalOutcomes: remembered,
	}).finally(() => client.close());
}

/** A service, and a process that uses it, on a virtual clock. */
export function simulatedWorld(options: SimulationOptions = {}, bounds: Partial<Bounds> = {}) {
	const clock = new VirtualClock(options.seed, bounds);
	const service = new SimulatedService(clock, options);
	const limiter = new RateLimiter(clock);
	/** Executes a run, and lets pass what may still happen after it. */
	const execute = async (
		run: Omit<SimulatedRun, 'rows'> & { readonly sheet: readonly SheetRow[] },
	) => {
		const { sheet, ...rest } = run;
		const outcomes = await clock.run(
			async () => await executeRun(service, limiter, { rows: readSheet(sheet), ...rest }),
		);
		const endedAt = clock.now();
		await clock.pass(600_000);
		return { outcomes, endedAt };
	};
	return { clock, service, limiter, execute };
}

/** What is told of a row: its outcome, or how it failed. A row that was not begun was not sent. */
export function toldOf(outcome: RowOutcome | undefined): string {
	if (!outcome) return 'not sent';
	if (!isFailed(outcome)) return outcome.result.outcome;
	const { cause, outcome: became = 'failed' } = outcome.failure;
	return cause === 'ended' && became === 'failed' ? 'not sent' : became;
}
