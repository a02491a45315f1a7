// Prints the figures of the simulated limits as JSON. A test reads them: in Jest, the simulation takes several times as long.
import { simulateLimits } from './simulation.ts';

process.stdout.write(JSON.stringify(await simulateLimits()));
