import { NodeOperationError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';
import type { SessionOptions } from '../client/session';
import { choice, flag as flagCodec, text as textCodec, textOf } from '../contract/codecs/scalar';
import { nodeOptions, optionsCollection } from '../contract/nodeOptions';
import { Invalid, type Codec, type Reading } from '../contract/types';
import { isRecord, isTextual, orDefault, quote } from '../contract/values';

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

/**
 * Reads the Options collection. What was not set, or holds nothing, has its default.
 *
 * @throws NodeOperationError for a value that an option cannot have, since a run that ignored it might do harm
 */
export function readOptions(context: IExecuteFunctions): RunOptions {
	const given: unknown = context.getNodeParameter(optionsCollection.name, 0, {});
	const set = isRecord(given) ? given : {};
	const refuse = ({ displayName }: INodeProperties, reason: string) => {
		const description = 'Nothing was sent.';
		return new NodeOperationError(context.getNode(), `${displayName} ${reason}`, { description });
	};
	const text = (property: INodeProperties, codec: Codec) => {
		const read = textOf(codec, set[property.name], property);
		if (read instanceof Invalid) throw refuse(property, read.reasons.join('. '));
		return read;
	};
	const flag = (property: INodeProperties) => text(property, flagCodec) === '1';
	const number = (property: INodeProperties) => {
		const value = orDefault(set[property.name], property);
		const { minValue = 0 } = property.typeOptions ?? {};
		if (isTextual(value) && Number(value) >= minValue) return Number(value);
		throw refuse(property, `${quote(value, property)} is not a number of at least ${minValue}`);
	};
	const timeZone = text(nodeOptions.expirationTimeZone, textCodec).trim();
	const emptyValues = text(nodeOptions.emptyValues, choice);
	return {
		concurrency: Math.floor(number(nodeOptions.concurrency)),
		requestsPerMinute: number(nodeOptions.requestsPerMinute),
		maxWait: number(nodeOptions.maxWait) * 1000,
		timeout: number(nodeOptions.timeout),
		...('generateAlias' in set ? { generateAlias: number(nodeOptions.generateAlias) } : {}),
		ignoreMissing: flag(nodeOptions.ignoreMissing),
		includeInput: flag(nodeOptions.includeInput),
		dryRun: flag(nodeOptions.dryRun),
		reading: {
			timeZone: timeZone || context.getTimezone(),
			now: Date.now(),
			allowPast: flag(nodeOptions.allowPastExpiration),
			emptyValues: (['clear', 'fail'] as const).find((way) => way === emptyValues) ?? 'skip',
		},
	};
}
