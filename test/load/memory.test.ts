import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isEncoded } from '../../nodes/shared/contract/encodedRow';
import { rawOutput } from '../../nodes/shared/execute/options';
import { EarlierTries } from '../../nodes/shared/execute/outcome';
import { executeRows } from '../../nodes/shared/execute/rowExecutor';
import { startOperation } from '../../nodes/shared/operations/handlers';
import { ListIndex } from '../../nodes/shared/operations/find';
import type { Send } from '../../nodes/shared/transport/exchange';
import { RowRequests } from '../../nodes/shared/transport/rowRequests';
import { linkContract } from '../../nodes/Link/link.contract';
import { clientOn, noMask } from '../support/client.ts';
import { encodeOptions, encodeRow } from '../support/encodeRow.ts';
import { runSettings } from '../support/runSettings.ts';
import { clientFor, rowOf } from '../support/operationRun.ts';
import { linkAs } from '../support/scriptedAnswers.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const count = 60;
const url = (number: number) => `https://example.com/${number}`;

it.each([
	['create', (number: number) => ({ url: url(number), domainId: 1, alias: `a${number}` })],
	[
		'update',
		(number: number) => ({ linkId: String(number + 1), updateFields: { url: url(number) } }),
	],
] as const)('the rows of a run are forgotten as they end (%s)', async (operation, parametersOf) => {
	let kept = Infinity;
	const { client, sent } = clientFor(({ params }, earlier) => {
		// One collection may only end another one that began before the rows were read.
		if (earlier >= count - 5) {
			collectGarbage();
			kept = Math.min(kept, references.filter((one) => one.deref()).length);
		}
		return { status: 201, body: { data: linkAs({ id: earlier + 1, ...params }) } };
	});
	const rows = Array.from({ length: count }, (_, index) => ({
		index,
		encoded: rowOf(operation, parametersOf(index)),
	}));
	const references = rows.map(({ encoded }) => new WeakRef<object>(encoded));
	await executeRows(rows, {
		contract: linkContract,
		operation: (run) => startOperation(operation, run),
		items: count,
		settings: runSettings(),
		output: rawOutput,
		connect: async () => await Promise.resolve(client),
		isDryRun: false,
		continues: true,
		earlier: new EarlierTries(),
		onEnd: () => undefined,
	}).finally(() => client.close());
	expect(sent).toHaveLength(count);
	// Those that are under way are kept, and what the engine has not let go of yet.
	expect(kept).toBeLessThan(count / 4);
});

it('memory grows with the rows, not with the account', async () => {
	const inUse = () => {
		collectGarbage();
		return process.memoryUsage().heapUsed;
	};
	const size = 6000;
	const padding = 'x'.repeat(8000);
	const linkOf = (index: number) =>
		linkAs({ id: index, alias: `row-${1000 + index}`, url: `https://example.com/${padding}` });
	let before = 0;
	let atTheEnd = 0;
	const send: Send = async ({ url }) => {
		const number = Number(new URL(url).searchParams.get('page'));
		if (before === 0) before = inUse();
		if (number === size / 100) atTheEnd = inUse();
		const data = Array.from({ length: 100 }, (_, at) => linkOf(number * 100 + at));
		const meta = { current_page: number, last_page: size / 100, total: size, per_page: 100 };
		return await Promise.resolve({
			status: 200,
			headers: {},
			body: JSON.stringify({ data, meta }),
		});
	};
	// None shares more than a letter or two with all others, so that no search narrows the list.
	const texts = ['row-1100', ...Array.from({ length: 99 }, (_, index) => `${index}-new`)];
	const rows = texts.map((alias) =>
		encodeRow(
			{ contract: linkContract, operation: 'upsert', options: encodeOptions },
			{ url: 'https://example.com/', domainId: 1, alias },
		),
	);
	const encoded = rows.filter(isEncoded);
	const client = clientOn({ root: 'https://links.example', send, mask: noMask });
	const requests = new RowRequests(client);
	const known = new ListIndex(encoded);
	await known.read(requests, false);
	const [row] = encoded;
	expect(row && known.candidatesFor(row)).toMatchObject([{ alias: 'row-1100' }]);
	const after = inUse();
	requests.end();
	client.close();
	// All of the account is 48 MB; its first page may be kept.
	expect(encoded).toHaveLength(100);
	expect(atTheEnd).toBeGreaterThan(0);
	expect(Math.max(atTheEnd, after) - before).toBeLessThan(12_000_000);
});
