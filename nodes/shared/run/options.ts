import type { IExecuteFunctions } from 'n8n-workflow';
import type { SessionOptions } from '../client/session';
import { nodeOptions, optionsCollection, type NodeOption } from '../contract/nodeOptions';
import type { Reading } from '../contract/types';
import { isRecord, isUnset } from '../contract/values';

/** The options of a run: what was set, read once from the first row, and the defaults of the others. */
export interface RunOptions extends SessionOptions {
	/** Milliseconds for one answer. */
	readonly timeout: number;
	/** Length of a random alias; undefined where none is wanted. */
	readonly generateAlias?: number;
	readonly includeInput: boolean;
	/** How the values of the rows are read. */
	readonly reading: Reading;
	readonly dryRun: boolean;
}

/** Reads the Options collection. A value that is no number, or less than the option's least, falls back to the default. */
export function readOptions(context: IExecuteFunctions): RunOptions {
	const given: unknown = context.getNodeParameter(optionsCollection.name, 0, {});
	const set = isRecord(given) ? given : {};
	const number = (name: NodeOption, fallback: number) => {
		const { typeOptions } = nodeOptions[name] as { typeOptions?: { minValue?: number } };
		const value = Number(set[name] ?? NaN);
		return value >= (typeOptions?.minValue ?? 0) ? value : fallback;
	};
	const flag = (name: NodeOption) => String(set[name]) === 'true';
	const emptyValues = (['clear', 'fail'] as const).find((way) => way === set.emptyValues);
	const timeZone = isUnset(set.expirationTimeZone) ? undefined : String(set.expirationTimeZone);
	const { concurrency, maxWait, requestsPerMinute, timeout, generateAlias } = nodeOptions;
	return {
		concurrency: Math.floor(number('concurrency', concurrency.default)),
		requestsPerMinute: number('requestsPerMinute', requestsPerMinute.default),
		maxWait: number('maxWait', maxWait.default) * 1000,
		timeout: number('timeout', timeout.default),
		...('generateAlias' in set
			? { generateAlias: number('generateAlias', generateAlias.default) }
			: {}),
		ignoreMissing: flag('ignoreMissing'),
		includeInput: flag('includeInput'),
		dryRun: flag('dryRun'),
		reading: {
			timeZone: timeZone ?? context.getTimezone(),
			now: Date.now(),
			allowPast: flag('allowPastExpiration'),
			emptyValues: emptyValues ?? 'skip',
		},
	};
}
