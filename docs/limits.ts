// Prints what the simulation of limits comes to, as JSON. The test reads it: in Jest the same takes several times as long.
import { built } from './built.ts';
import { simulateLimits } from './simulation.ts';

process.stdout.write(JSON.stringify(await simulateLimits(built)));
