import { linkContract } from '../../nodes/Link/link.contract';
import { encodeOptions, encodeRow } from './encodeRow.ts';
import type { OperationName, Parameters } from '../../nodes/shared/contract/types';
import { isEncoded, type EncodedRow } from '../../nodes/shared/contract/encodedRow';
import { rawOutput } from '../../nodes/shared/execute/options';
import {
	EarlierTries,
	isFailed,
	type RowOutcome,
	type Row,
} from '../../nodes/shared/execute/outcome';
import { mergeDuplicates } from '../../nodes/shared/execute/readRows';
import { RowNumbers } from '../../nodes/shared/execute/sheet';
import { executeRows } from '../../nodes/shared/execute/rowExecutor';
import { startOperation } from '../../nodes/shared/operations/handlers';
import type { OperationRun, Run } from '../../nodes/shared/operations/types';
import { ApiClient } from '../../nodes/shared/transport/client';
import type { RateLimiter, ClientOptions } from '../../nodes/shared/transport/limiter';
import { runSettings, type SettingValues } from './runSettings.ts';
import type { SimulatedService } from './simulatedService.ts';

/** The defaults of the node. */
export const defaultOptions: ClientOptions = {
	concurrency: 5,
	pace: 0,
	maxWait: 300_000,
	timeout: 30_000,
};

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

/** Operations of a run whose rows have several, so that the rows of each meet those of the others. */
const mixed = (run: Run): OperationRun => {
	const begun = new Map<string, OperationRun>();
	const of = ({ operation }: EncodedRow): OperationRun => {
		const one = begun.get(operation);
		if (!one) throw new Error(`${operation} was not begun`);
		return one;
	};
	return {
		recovery: '',
		prepare: async (requests, rows) => {
			for (const name of new Set(rows.map(({ operation }) => operation))) {
				const own = rows.filter(({ operation }) => operation === name);
				const one = startOperation(name, { ...run, first: own[0] });
				begun.set(name, one);
				await one.prepare?.(requests, own);
			}
		},
		execute: async (requests, row) => await of(row).execute(requests, row),
		problemsOf: (row) => of(row).problemsOf?.(row) ?? [],
	};
};

/** The operation of all rows. */
function operationOf(rows: readonly Row[]): (run: Run) => OperationRun {
	const names = rows.flatMap(({ encoded }) => (isEncoded(encoded) ? [encoded.operation] : []));
	const [name = 'sync', ...others] = new Set(names);
	return others.length === 0 ? (run) => startOperation(name, run) : mixed;
}

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
	/** What earlier tries of the same run did. */
	readonly earlier?: EarlierTries;
}

/** What a run came to. */
export interface Outcomes {
	/** What became of each row, in their order; undefined for those that were not begun. */
	readonly rows: readonly (RowOutcome | undefined)[];
	/** What became of each resource that is in no row. */
	readonly removed: readonly RowOutcome[];
}

/** Executes a run against the simulated service. */
export async function executeRun(
	service: SimulatedService,
	limiter: RateLimiter,
	{ rows, options, settings, name = 'run', ...run }: SimulatedRun,
): Promise<Outcomes> {
	const client = new ApiClient(service.as(name), limiter, { ...defaultOptions, ...options });
	const items = rows.reduce((sum, { duplicates = [] }) => sum + 1 + duplicates.length, 0);
	const ended = Array.from({ length: items }, (): RowOutcome | undefined => undefined);
	await executeRows([...rows], {
		...{ contract: linkContract, operation: operationOf(rows), items },
		...{ continues: true, isDryRun: false, earlier: new EarlierTries() },
		...run,
		settings: runSettings(settings),
		connect: async () => await Promise.resolve(client),
		output: rawOutput,
		onEnd: (outcome) => {
			ended[outcome.index] = outcome;
		},
	}).finally(() => client.close());
	const removed = ended.slice(items).filter((outcome) => outcome !== undefined);
	return { rows: ended.slice(0, items), removed };
}

/** Returns what the node reports about a row: its outcome, or how it failed. A row that did not start was not sent. */
export function toldOf(outcome: RowOutcome | undefined): string {
	if (!outcome) return 'not sent';
	if (!isFailed(outcome)) return outcome.result.outcome;
	const { cause, outcome: became = 'failed' } = outcome.failure;
	return cause === 'ended' && became === 'failed' ? 'not sent' : became;
}
