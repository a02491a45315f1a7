import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { runNode } from '../support/n8n.ts';
import {
	linkAs,
	oneOf,
	pageOf,
	useScriptedService,
	type Script,
} from '../support/scriptedService.ts';
import { apiKey, byId } from '../support/service.ts';
import { seededRandom } from '../../testkit/clock/virtualClock.ts';

const { current } = useScriptedService();

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the memory in bytes that is in use, on the heap and beside it. */
async function memoryInUse(): Promise<number> {
	for (let times = 0; times < 3; times += 1) {
		await wait(50);
		collectGarbage();
	}
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
}

const blanks = Buffer.alloc(40 * 2 ** 20, ' ');

/** 40 MB of blanks in 40 kB. */
const bomb = gzipSync(blanks);

const json = { 'content-type': 'application/json' };

/** A service that answers most requests, and some in every way that costs a client memory or connections. */
function hostile(): Script {
	const random = seededRandom(20);
	return ({ method, path }) => {
		const chance = random();
		if (chance < 0.05) return 'hang';
		if (chance < 0.1) return 'drop';
		if (chance < 0.15) {
			return (response) => {
				response.writeHead(200, json);
				const timer = setInterval(() => response.write(' '), 20);
				response.on('close', () => clearInterval(timer));
			};
		}
		if (chance < 0.2) {
			return (response) => {
				response.writeHead(200, { ...json, 'content-length': '1000' });
				response.write('{"data":');
				setTimeout(() => response.destroy(), 20);
			};
		}
		if (chance < 0.205) {
			return (response) => {
				response.writeHead(200, { ...json, 'content-encoding': 'gzip' });
				response.end(bomb);
			};
		}
		if (chance < 0.21) {
			return (response) => {
				response.writeHead(200, json);
				response.end(blanks);
			};
		}
		if (chance < 0.25) return { status: 500, body: 'x'.repeat(100_000) };
		if (path === '/links' && method === 'GET') return pageOf([]);
		const id = Number(path.split('/')[2] ?? 1);
		return oneOf(linkAs({ id }));
	};
}

/** Runs an operation on 100 rows, with short waits. */
const run = async (operation: 'create' | 'get' | 'update') =>
	await runNode({
		node: 'link',
		credential: { baseUrl: current().url, apiKey },
		onError: 'continueRegularOutput',
		items: Array.from({ length: 100 }, (_, index) => ({ id: index + 1 })),
		parameters: {
			operation,
			...(operation === 'create'
				? { url: 'https://example.com/', domainId: byId(1) }
				: { linkId: byId('={{ $json.id }}') }),
			...(operation === 'update' ? { updateFields: { url: 'https://example.com/' } } : {}),
			options: { requests: { settings: { concurrency: 50, timeout: 0.2, maxWait: 2 } } },
		},
	});

it('10,000 requests to a hostile service leave no memory and no connection behind', async () => {
	current().follow(hostile());
	await run('get');
	const before = await memoryInUse();
	let requests = 0;
	for (let number = 0; requests < 10_000; number += 1) {
		const operation = (['get', 'create', 'update'] as const)[number % 3];
		if (operation) await run(operation);
		requests += current().requests.length;
		current().requests.length = 0;
	}
	await current().allClosed();
	const grown = (await memoryInUse()) - before;
	console.info(`soak: ${requests} requests, memory grew by ${Math.round(grown / 2 ** 20)} MB`);
	expect(current().open).toBe(0);
	// A kilobyte kept of each request would be 10 MB.
	expect(grown).toBeLessThan(10 * 2 ** 20);
}, 600_000);
