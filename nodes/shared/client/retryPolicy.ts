import type { Method } from '../contract/types';
import type { Cause } from './serviceError';

/** How long a request is repeated: until the row's longest wait is over, a few times, or not at all. */
export type Patience = 'few' | 'never' | 'patient';

/**
 * So often a request is repeated with `few`: with growing pauses a minute and a half, and enough for a service that fails
 * every third request at random to lose none of many thousand rows.
 */
export const fewTries = 15;

/**
 * Which failures are repeated. Reads, updates and deletes give the same result when they are carried out twice, so they
 * may always be repeated. A create makes a second link, so it is repeated only where the service surely did not process
 * it; where nobody knows, `create.ts` looks before it repeats (assumption: error statuses).
 */
const policy: Readonly<Record<Cause, { repeatable: Patience; create: Patience }>> = {
	throttled: { repeatable: 'patient', create: 'patient' },
	maintenance: { repeatable: 'patient', create: 'patient' },
	notSent: { repeatable: 'patient', create: 'patient' },
	broken: { repeatable: 'few', create: 'never' },
	refused: { repeatable: 'never', create: 'never' },
};

/** The patience that a failure of a request with this verb deserves. */
export const patienceFor = (method: Method, cause: Cause): Patience =>
	policy[cause][method === 'POST' ? 'create' : 'repeatable'];
