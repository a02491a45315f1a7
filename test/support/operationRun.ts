import { linkContract } from '../../nodes/Link/link.contract';
import { encodeOptions, encodeRow } from './encodeRow.ts';
import type { EncodeOptions, OperationName, Parameters } from '../../nodes/shared/contract/types';
import type { ResourceContract } from '../../nodes/shared/contract/resourceTypes';
import { isEncoded, type EncodedRow } from '../../nodes/shared/contract/encodedRow';
import { reasonText } from '../../nodes/shared/contract/values';
import type { Result, Run } from '../../nodes/shared/operations/types';
import { startOperation } from '../../nodes/shared/operations/handlers';
import { RowRequests } from '../../nodes/shared/transport/rowRequests';
import type { HttpRequest, Send } from '../../nodes/shared/transport/exchange';
import { type ClientOptions, RateLimiter } from '../../nodes/shared/transport/limiter';
import { ServiceError } from '../../nodes/shared/transport/failures';
import { clientOn, noMask } from './client.ts';
import { runSettings, type SettingValues } from './runSettings.ts';

/** A row of an operation, which must be valid. */
export function rowOf(
	operation: OperationName,
	parameters: Parameters,
	options: Partial<EncodeOptions> = {},
	contract: ResourceContract = linkContract,
): EncodedRow {
	const encoded = encodeRow(
		{ contract, operation, options: { ...encodeOptions, ...options } },
		parameters,
	);
	if (isEncoded(encoded)) return encoded;
	throw new Error(JSON.stringify(encoded));
}

/** A request as it left. */
export interface Sent {
	readonly method: string;
	/** Under the address of the API. */
	readonly path: string;
	readonly params: Record<string, string>;
	readonly request: HttpRequest;
}

export interface Answer {
	readonly status?: number;
	readonly body?: unknown;
}

/** Answers a request, given the number of requests before it. An error is thrown in place of an answer. */
export type Answers = (sent: Sent, earlier: number) => Answer | Error;

/** A connection that breaks, so that it is not known what became of the request. */
export const reset = (): Error => Object.assign(new Error('reset'), { code: 'ECONNRESET' });

/** A request as a test reads it: `PUT /links/7 alias=b`. The size of a page, and the first page, are left out. */
export const labelOf = ({ method, path, params }: Sent): string => {
	const shown = Object.entries(params).filter(
		([name, text]) => name !== 'per_page' && !(name === 'page' && text === '1'),
	);
	return [`${method} ${path}`, ...shown.map(([name, text]) => `${name}=${text}`)].join(' ');
};

/** A clock on which each sleep ends at once, as a macrotask. A pause of several minutes is a deadline, and never ends. */
const fastClock = () => {
	let now = 0;
	return {
		now: () => now,
		sleep: async (milliseconds: number) => {
			if (milliseconds >= 30_000) return await new Promise<void>(() => undefined);
			await new Promise((resolve) => setImmediate(resolve));
			now += milliseconds;
		},
		random: () => 0.5,
	};
};

/** A client whose requests are answered by a function. */
export function clientFor(answers: Answers, options: Partial<ClientOptions> = {}) {
	const sent: string[] = [];
	const send: Send = async (request) => {
		const { pathname, searchParams } = new URL(request.url);
		const params = Object.fromEntries(request.form ?? searchParams);
		const path = pathname.replace('/api/v1', '');
		const one = { method: request.method, path, params, request };
		const answer = answers(one, sent.length);
		sent.push(labelOf(one));
		await new Promise((resolve) => setImmediate(resolve));
		if (answer instanceof Error) throw answer;
		const { status = 200, body = null } = answer;
		return { status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) };
	};
	const service = { root: 'https://links.example/api/v1', send, mask: noMask };
	const client = clientOn(service, { maxWait: 10_000, ...options }, new RateLimiter(fastClock()));
	return { client, sent, requests: () => new RowRequests(client) };
}

/** What a run of an operation comes to. */
export interface RunResult {
	/** The result of each row, or its failure; then those of what is in no row. */
	readonly results: (Result | ServiceError)[];
	/** In short: the outcome of each, or `failed: ` and the message. */
	readonly outcomes: string[];
	readonly sent: string[];
	readonly notes: readonly string[];
	readonly problems: string[];
}

const outcomeOf = (result: Result | ServiceError): string =>
	result instanceof ServiceError ? `failed: ${result.message}` : result.outcome;

const caught = async (work: Promise<Result>): Promise<Result | ServiceError> =>
	await work.catch((error: unknown) => {
		if (error instanceof ServiceError) return error;
		throw error;
	});

/** Parts of a run that differ from the defaults. */
type RunParts = Partial<Omit<Run, 'settings'>> & { readonly settings?: SettingValues };

/** Starts the operation of a row. */
export const startRun = (first?: EncodedRow, { settings, ...run }: RunParts = {}) =>
	startOperation(first?.operation ?? 'sync', {
		...{ contract: first?.contract ?? linkContract, first, isComplete: true, isDryRun: false },
		memory: { completedIds: new Set() },
		settings: runSettings({ maxRemovalPercentage: 100, ...settings }),
		...run,
	});

/** Runs the rows of an operation, one after the other. */
export async function runRows(
	rows: readonly EncodedRow[],
	answers: Answers,
	{ client: options, ...run }: RunParts & { readonly client?: Partial<ClientOptions> } = {},
): Promise<RunResult> {
	const { client, sent, requests } = clientFor(answers, options);
	const begun = startRun(rows[0], run);
	const first = requests();
	await begun.prepare?.(first, rows);
	first.end();
	const problems = rows.flatMap((row) => begun.problemsOf?.(row) ?? []);
	const results: (Result | ServiceError)[] = [];
	for (const row of rows) {
		const own = requests();
		results.push(await caught(begun.execute(own, row)));
		own.end();
	}
	for (const removal of begun.removals?.() ?? []) {
		const own = requests();
		results.push(await caught(removal.execute(own)));
		own.end();
	}
	client.close();
	return {
		...{ results, sent, outcomes: results.map(outcomeOf), notes: begun.notes?.() ?? [] },
		problems: problems.map((problem) => `${problem.field} ${reasonText(problem)}`),
	};
}
