import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Simulated } from './simulation.ts';
import type { Sources } from './tables.ts';

export const projectRoot = dirname(import.meta.dirname);

const require = createRequire(join(projectRoot, 'dist', 'index.js'));

const modules = [
	'./nodes/Link/link.contract.js',
	'./nodes/LinkTrigger/linkTrigger.events.js',
	'./nodes/Pixel/pixel.contract.js',
	'./nodes/shared/contract/encodeRow.js',
	'./nodes/shared/contract/endpoints.js',
	'./nodes/shared/description/nodeOptions.js',
	'./nodes/shared/description/properties.js',
	'./nodes/shared/execute/rowExecutor.js',
	'./nodes/shared/operations/operations.js',
	'./nodes/shared/transport/client.js',
	'./nodes/shared/transport/rateLimiter.js',
];

/** What the documentation is made of, out of the build. */
export const built = Object.assign({}, ...modules.map((path) => require(path))) as Simulated &
	Sources;
