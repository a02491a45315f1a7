import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { execa } from 'execa';
import fc from 'fast-check';

/** Folders, and the tests of each. A later stage runs only if the earlier ones pass. */
const stagesOf: Readonly<Record<string, readonly (readonly string[])[]>> = {
	'shared/transport': [['test/unit/shared/transport']],
	LinkTrigger: [['test/property/trigger.property'], ['test/integration/trigger']],
	'shared/operations': [
		['test/unit/shared/operations'],
		['test/property/run.property', 'test/property/sync.property', 'test/property/lies.property'],
	],
};

const sampleSize = 30;

const seed = 1;

/** Random runs of each property. The property tests of the trigger always play all of theirs. */
const runsOf: Readonly<Record<string, string>> = { 'shared/operations': '30' };

interface Position {
	readonly line: number;
	readonly column: number;
}

/** A mutant as StrykerJS describes it. Lines and columns count from 0. */
interface Mutant {
	readonly fileName: string;
	readonly location: { readonly start: Position; readonly end: Position };
	readonly mutatorName: string;
	readonly replacement: string;
	readonly status?: string;
}

interface Result {
	readonly status: 'killed' | 'survived' | 'timeout';
	readonly seconds: number;
	/** The first test that failed. */
	readonly killedBy?: string;
}

/** The results of a folder. They are dropped if its source changes. */
interface Report {
	readonly source: string;
	readonly results: Record<string, Result>;
}

/** An operator needs parentheses, because it may bind more loosely than the one it replaces. */
const isOperator = ({ mutatorName }: Mutant): boolean =>
	['ArithmeticOperator', 'EqualityOperator', 'LogicalOperator'].includes(mutatorName);

function offsetOf(text: string, { line, column }: Position): number {
	const lines = text.split('\n').slice(0, line);
	return lines.reduce((offset, { length }) => offset + length + 1, column);
}

function mutate(text: string, mutant: Mutant): string {
	const { location, replacement } = mutant;
	const start = offsetOf(text, location.start);
	const end = offsetOf(text, location.end);
	const code = isOperator(mutant) ? `(${replacement})` : replacement;
	return text.slice(0, start) + code + text.slice(end);
}

const keyOf = ({
	fileName,
	location: { start, end },
	mutatorName,
	replacement,
}: Mutant): string => {
	const place = `${fileName}:${start.line + 1}:${start.column + 1}-${end.line + 1}:${end.column + 1}`;
	return `${place} ${mutatorName} ${replacement.replace(/\s+/g, ' ')}`;
};

/** Returns all mutants that StrykerJS makes of some files. */
async function mutantsOf(files: readonly string[]): Promise<Mutant[]> {
	const silent = () => undefined;
	const off = () => false;
	const logger = {
		...{ trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent },
		...{ isTraceEnabled: off, isDebugEnabled: off, isInfoEnabled: off },
		...{ isWarnEnabled: off, isErrorEnabled: off, isFatalEnabled: off },
	};
	const inputs = files.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }));
	const { mutants } = await new Instrumenter(logger).instrument(inputs, {
		...{ plugins: null, excludedMutations: [], ignorers: [], noHeader: true },
	});
	return mutants.filter(({ status }) => status !== 'Ignored');
}

/** Copies all files that Git knows or would add, and returns the folder. */
async function copyProject(): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
	const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
	const { stdout } = await execa('git', list);
	for (const name of stdout.split('\0')) {
		if (name !== '' && existsSync(name)) cpSync(name, join(folder, name));
	}
	symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
	return folder;
}

/** Runs the stages of a folder until one fails. */
async function runTests(cwd: string, folder: string, timeout?: number): Promise<Result> {
	const began = performance.now();
	const env = folder in runsOf ? { FUZZ_RUNS: runsOf[folder], FUZZ_SEED: String(seed) } : {};
	const result = (status: Result['status'], killedBy?: string): Result => {
		const seconds = Math.round((performance.now() - began) / 100) / 10;
		return { status, seconds, ...(killedBy === undefined ? {} : { killedBy }) };
	};
	for (const patterns of stagesOf[folder] ?? []) {
		const args = ['node_modules/jest/bin/jest.js', '--ci', '--bail', '--runInBand', ...patterns];
		const options = { cwd, env, timeout, reject: false, killSignal: 'SIGKILL', all: true } as const;
		const { exitCode, timedOut, all } = await execa('node', args, options);
		if (timedOut) return result('timeout');
		if (exitCode !== 0) return result('killed', /●.*/.exec(all)?.[0] ?? all.slice(-500));
	}
	return result('survived');
}

async function main(): Promise<void> {
	const { positionals, values } = parseArgs({
		allowPositionals: true,
		options: { again: { type: 'boolean' }, list: { type: 'boolean' } },
	});
	const [folder = ''] = positionals;
	if (!(folder in stagesOf)) {
		throw new Error(
			`Usage: npm run mutants -- ${Object.keys(stagesOf).join('|')} [--again] [--list]`,
		);
	}
	const files = globSync(`nodes/${folder}/**/*.ts`).sort();
	const hash = createHash('sha256');
	for (const file of files) hash.update(readFileSync(file));
	const source = hash.digest('hex');
	const all = await mutantsOf(files);
	const count = Math.min(sampleSize, all.length);
	const shuffled = fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
	const sample = (fc.sample(shuffled, { seed, numRuns: 1 })[0] ?? []).slice(0, count);
	const path = `.mutants/${folder.replace('/', '-')}.json`;
	const saved = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : undefined;
	const report: Report = saved?.source === source ? saved : { source, results: {} };
	const isOpen = (mutant: Mutant) => {
		const result = report.results[keyOf(mutant)];
		return result === undefined || (values.again === true && result.status === 'survived');
	};
	const open = values.list ? [] : sample.filter(isOpen);
	if (open.length > 0) {
		const copy = await copyProject();
		try {
			const unchanged = await runTests(copy, folder);
			if (unchanged.status !== 'survived')
				throw new Error(`A test fails without a mutant: ${unchanged.killedBy}`);
			const timeout = unchanged.seconds * 3000 + 30_000;
			for (const mutant of open) {
				const text = readFileSync(mutant.fileName, 'utf8');
				writeFileSync(join(copy, mutant.fileName), mutate(text, mutant));
				const result = await runTests(copy, folder, timeout);
				writeFileSync(join(copy, mutant.fileName), text);
				report.results[keyOf(mutant)] = result;
				mkdirSync('.mutants', { recursive: true });
				writeFileSync(path, JSON.stringify(report, undefined, '\t'));
				console.log(`${result.status} ${result.seconds} s ${keyOf(mutant)}`);
			}
		} finally {
			rmSync(copy, { recursive: true });
		}
	}
	const statuses = sample.map((mutant) => [
		report.results[keyOf(mutant)]?.status ?? 'open',
		keyOf(mutant),
	]);
	if (values.list) for (const line of statuses) console.log(line.join(' '));
	const survivors = statuses.filter(([status]) => status === 'survived');
	console.log(
		`${survivors.length} of ${count} survived (${all.length} mutants in ${files.length} files)`,
	);
	for (const [, key] of survivors) console.log(`  ${key}`);
}

await main();
