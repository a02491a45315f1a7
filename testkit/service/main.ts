// Runs the reference service in a process of its own, on any free port. The arguments are its API keys.
import { startService } from './index.ts';

const service = await startService({ apiKeys: process.argv.slice(2) });
console.log(`Reference service at ${service.url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
	process.once(signal, () => void service.stop());
