import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../contract/operations';
import { isRecord } from '../contract/values';
import type { HttpExchange } from './exchange';
import { openWrite, type Failure } from './failures';

/** The list whose entries show which names of fields a service uses. */
const path = '/links';

/** The name of one field in the supported versions, and in later ones. */
const [supportedName, laterName] = ['target_type', 'targets_type'];

export const unsupportedMessage =
	'This service is phpShort 46 or newer, which renamed its fields. This package supports versions 5.0 to 45.';

type Target = Pick<ApiRequest, 'method' | 'path'>;

const isBelowPath = (target: Target): boolean => `${target.path}/`.startsWith(`${path}/`);

/** Returns whether a request writes values whose names the service may not know, and would then ignore. */
export const mayLoseValues = (target?: Target): boolean =>
	(target?.method === 'POST' || target?.method === 'PUT') && isBelowPath(target);

const unsupported: Failure = {
	cause: 'unsupported',
	message: unsupportedMessage,
	advice: "n8n's HTTP Request node works with such a service and the same credential.",
};

/**
 * What the responses of an account have shown about the version of its service. Until a response has shown a resource, only
 * one request that writes renamed fields is in flight, so that a later version stores at most one of them without its values.
 */
export class Generation {
	/** Whether a response has shown a resource. */
	isKnown = false;

	/** The failure of a request that is not sent, because the service has a later version. */
	refusal?: Failure;

	/**
	 * Learns from the resources of a response, in any envelope (assumption: list envelopes). Returns a failure instead of the
	 * response if the service has a later version (assumption: renamed fields).
	 */
	check(target: Target, exchange: HttpExchange): HttpExchange {
		const { body } = exchange;
		// The response to a delete has an ID, but no other field of the resource.
		if (!isBelowPath(target) || target.method === 'DELETE') return exchange;
		const resources = [isRecord(body) && 'data' in body ? body.data : body].flat();
		const shown = resources.filter((value): value is IDataObject => isRecord(value));
		this.isKnown ||= shown.some((resource) => 'id' in resource);
		const written = shown.find((resource) => laterName in resource && !(supportedName in resource));
		if (!written) return exchange;
		this.refusal = { ...unsupported, claim: 'Nothing was sent.' };
		const open = target.method === 'GET' ? {} : { ...openWrite, written };
		return { ...exchange, failure: { ...unsupported, ...open } };
	}
}
