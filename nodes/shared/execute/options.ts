import { NodeOperationError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';
import { bounded, choice, flag as flagCodec, textOf } from '../contract/codecs/scalar';
import { Invalid, type Codec, type EncodeOptions, type ResourceContract } from '../contract/types';
import { isRecord } from '../contract/values';
import { nodeOptions, optionsCollection } from '../description/nodeOptions';
import type { ClientOptions } from '../transport/client';

/** The options of a run: what was set, read once from the first row, and the defaults of the others. */
export interface RunOptions {
	readonly client: ClientOptions;
	/** How the values of the rows are read. */
	readonly encode: EncodeOptions;
	readonly includeInput: boolean;
	readonly dryRun: boolean;
}

/**
 * Reads the Options collection. What was not set, or holds nothing, has its default; of the options that only this
 * resource has, those count that were added.
 *
 * @throws NodeOperationError for a value that an option cannot have, since a run that ignored it might do harm
 */
export function readOptions(context: IExecuteFunctions, contract: ResourceContract): RunOptions {
	const given: unknown = context.getNodeParameter(optionsCollection(contract).name, 0, {});
	const set = isRecord(given) ? given : {};
	const text = (property: INodeProperties, codec: Codec) => {
		const read = textOf(codec, set[property.name], property);
		if (!(read instanceof Invalid)) return read;
		const message = `${property.displayName} ${read.reasons.join('. ')}`;
		throw new NodeOperationError(context.getNode(), message, { description: 'Nothing was sent.' });
	};
	const flag = (property: INodeProperties) => text(property, flagCodec) === '1';
	const number = (property: INodeProperties) => Number(text(property, bounded));
	const emptyValues = text(nodeOptions.emptyValues, choice);
	const own = (contract.options ?? []).filter(({ name }) => name in set);
	return {
		client: {
			concurrency: Math.floor(number(nodeOptions.concurrency)),
			requestsPerMinute: number(nodeOptions.requestsPerMinute),
			maxWait: number(nodeOptions.maxWait) * 1000,
			timeout: number(nodeOptions.timeout),
			ignoreMissing: flag(nodeOptions.ignoreMissing),
			signal: context.getExecutionCancelSignal(),
		},
		encode: {
			timeZone: context.getTimezone(),
			now: Date.now(),
			emptyValues: (['clear', 'fail'] as const).find((way) => way === emptyValues) ?? 'skip',
			own: Object.fromEntries(own.map((option) => [option.name, text(option, option.codec)])),
		},
		includeInput: flag(nodeOptions.includeInput),
		dryRun: flag(nodeOptions.dryRun),
	};
}
