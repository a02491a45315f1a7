import fc from 'fast-check';
import { simulate, type Shape } from '../support/simulatedLoad.ts';
import type { Fault } from '../support/simulatedService.ts';
import { casesOf, type Made } from '../support/randomTests.ts';

/** So many random loads are simulated. */
const cases = casesOf(60);

jest.setTimeout(30 * 60_000);

const anyLoad = fc.record({
	seed: fc.nat(),
	processes: fc.integer({ min: 1, max: 8 }),
	shape: fc.constantFrom<Shape>('burst', 'bulk', 1, 3, 10),
	concurrency: fc.integer({ min: 1, max: 10 }),
	limit: fc.integer({ min: 1, max: 60 }),
	/** Rows of so many windows. */
	windows: fc.double({ min: 0.1, max: 4, noNaN: true }),
	windowSeconds: fc.constantFrom(1, 2.5, 6, 60),
	slides: fc.boolean(),
	headers: fc.constantFrom('none', 'retryAfter', 'x'),
	/** Part of the limit that others use. */
	foreign: fc.constantFrom(0, 0, 0.3, 0.7),
	/** Milliseconds: at least, and so many more by chance. */
	latency: fc.constantFrom(
		{ least: 5, chance: 0 },
		{ least: 30, chance: 100 },
		{ least: 1_000, chance: 1_000 },
	),
	/** Refusals that come out of nowhere and tell nothing, by the number of the request. */
	faults: fc.uniqueArray(fc.integer({ min: 1, max: 80 }), { maxLength: 10 }),
});

const refusal: Fault = { kind: 'status', status: 429 };

/** So many of the growing pauses that follow refusals without a time fit in a minute at most. */
const mostPauses = 16;

async function tryOut(given: Made<typeof anyLoad>): Promise<void> {
	const { seed, processes, shape, concurrency, limit, windowSeconds, slides, headers } = given;
	const { foreign, faults } = given;
	const { least, chance } = given.latency;
	const { lost, doubled, requests, refused, time } = await simulate({
		...{ seed, processes, shape },
		rows: Math.ceil(limit * given.windows),
		options: { concurrency, maxWait: 24 * 60 * 60_000 },
		service: {
			latency: (random) => least + chance * random(),
			throttle: {
				limit,
				windowSeconds,
				slides,
				headers,
				foreignPerSecond: (foreign * limit) / windowSeconds,
			},
			fault: ({ number }) => (faults.includes(number) ? refusal : undefined),
		},
	});
	expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
	// In each window and after each fault, a process meets the limit with what is under way, and then asks in growing pauses.
	const begins = (Math.ceil(time / (windowSeconds * 1000)) + 1 + faults.length) * processes;
	expect(requests * refused).toBeLessThanOrEqual(begins * (mostPauses + concurrency));
}

it('loses no row, writes none twice and comes to an end behind any limit, in any number of processes', async () => {
	await fc.assert(fc.asyncProperty(anyLoad, tryOut), { numRuns: cases });
});
