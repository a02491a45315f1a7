// Settings of the random tests. CI plays the same cases each time; a failure prints its seed and path.
import { configureGlobal, type Arbitrary } from 'fast-check';

const { FUZZ_RUNS, FUZZ_SEED } = process.env;

/** The values that an arbitrary makes. */
export type Made<A> = A extends Arbitrary<infer T> ? T : never;

/** Returns the number of random cases: `FUZZ_RUNS` if it is set, otherwise the usual number of the test. */
export const casesOf = (usual: number): number => Number(FUZZ_RUNS ?? usual);

// With FUZZ_RUNS, each run plays other cases, unless FUZZ_SEED names the seed of a failure.
const seed = FUZZ_SEED ?? (FUZZ_RUNS === undefined ? '1' : undefined);
configureGlobal(seed === undefined ? {} : { seed: Number(seed) });
