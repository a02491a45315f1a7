import fc, { type Arbitrary } from 'fast-check';
import type { ThrottleSettings } from '../../testkit/service/settings.ts';
import type { Fault, Journaled } from './simulatedService.ts';

/** A value, or none as often. */
export const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> =>
	fc.option(value, { nil: undefined, freq: 1 });

/** A value in one of six cases, and none in the others. */
export const rarely = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> =>
	fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const when = fc.constantFrom('after' as const, 'before' as const);

/** Another answer than the service's own, before or after the service carries the request out. */
const answered = (
	answers: Arbitrary<{ status: number; body: unknown }>,
	whenever: Arbitrary<'after' | 'before'> = when,
): Arbitrary<Fault> =>
	fc
		.tuple(answers, whenever)
		.map(([answer, at]) => ({ kind: at === 'before' ? 'status' : 'body', ...answer }));

const statusOf = (...statuses: number[]) =>
	fc.record({ status: fc.constantFrom(...statuses), body: fc.constant({ message: 'No' }) });

/** Answers with a status of success that are none, and do not tell whether anything was done. */
const lies = fc
	.constantFrom<unknown>(
		{ message: 'Quota exceeded.', status: 422 },
		{ status: 429 },
		{ status: 500 },
		{ status: 503 },
		{ ok: false },
		{ data: null },
		{ data: { message: 'Done' } },
		[],
		7,
	)
	.map((body) => ({ status: 200, body }));

const refused: Arbitrary<Fault> = fc.record({
	kind: fc.constant('status' as const),
	status: fc.constantFrom(429, 503),
	retryAfter: fc.constantFrom('', '0', '-5', 'soon', '1e9', '99999999', '1', '3', undefined),
});

/** What goes wrong with a request that may succeed if it is repeated. */
export const passingFaults: readonly Arbitrary<Fault>[] = [
	fc.record({ kind: fc.constant('drop' as const), when }),
	fc.constant({ kind: 'hang' }),
	fc
		.tuple(fc.constantFrom('late' as const, 'slow' as const), fc.constantFrom(500, 5_000, 40_000))
		.map(([kind, milliseconds]) => ({ kind, milliseconds })),
	fc.constant({ kind: 'truncatedJson' }),
	fc.constant({ kind: 'refuse' }),
	answered(statusOf(500, 502, 504)),
	refused,
	answered(lies),
];

/** What makes a row fail for good. */
export const rejections = answered(statusOf(401, 403, 422), fc.constant('before'));

/** A limit of requests of any kind. `least` is its smallest size; others may use it, too. */
export const throttleOf = (
	least: number,
	...foreign: [number, ...number[]]
): Arbitrary<ThrottleSettings> =>
	fc.record({
		limit: fc.integer({ min: least, max: 20 }),
		windowSeconds: fc.constantFrom(1, 6.5, 60),
		slides: fc.boolean(),
		headers: fc.constantFrom('none', 'retryAfter', 'x'),
		foreignPerSecond: fc.constantFrom(...foreign),
	});

/**
 * Returns a fault that the node can notice. It cannot notice an update that the service stores after the update of the next
 * row, an empty list, or a false response to a delete (assumption: delete response).
 */
export function visibleFault(fault: Fault | undefined, { method }: Journaled): Fault | undefined {
	if (fault?.kind === 'late' && method === 'PUT') return { kind: 'drop', when: 'before' };
	const isLie = fault && 'body' in fault && fault.status === 200;
	if (!isLie) return fault;
	const isEmptyList = method === 'GET' && Array.isArray(fault.body);
	return isEmptyList || method === 'DELETE' ? undefined : fault;
}
