import type { Method } from '../contract/endpoints';
import type { Cause } from './serviceError';

/** How long a request is repeated: until the row's Max Wait is over, a limited number of times, or not at all. */
export type Retry = 'limited' | 'never' | 'untilDeadline';

/**
 * So often a request is repeated with `limited`: with growing pauses a minute and a half, and enough for a service that
 * fails every third request at random to lose none of many thousand rows.
 */
export const maxRepeats = 15;

/** So often where nothing ever answered: the address is probably wrong, and a person should learn that soon. */
export const maxRepeatsUnanswered = 3;

/**
 * Which failures are repeated. Reads, updates and deletes give the same result when they are carried out twice, so they
 * may always be repeated. A create makes a second link, so it is repeated only where the service surely did not process
 * it; where nobody knows, `operations/create.ts` looks before it repeats (assumption: error statuses).
 */
const policy: Readonly<Record<Cause, { repeatable: Retry; create: Retry }>> = {
	rateLimited: { repeatable: 'untilDeadline', create: 'untilDeadline' },
	maintenance: { repeatable: 'untilDeadline', create: 'untilDeadline' },
	connectFailed: { repeatable: 'untilDeadline', create: 'untilDeadline' },
	ambiguous: { repeatable: 'limited', create: 'never' },
	rejected: { repeatable: 'never', create: 'never' },
	ended: { repeatable: 'never', create: 'never' },
};

/** How a failure of a request with this verb is repeated. */
export const retryFor = (method: Method, cause: Cause): Retry =>
	policy[cause][method === 'POST' ? 'create' : 'repeatable'];
