import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { request } from 'undici';
import location from '../../testkit/n8n/location.cjs';
import { startService, type RunningService } from '../../testkit/service/index.ts';
import { freePorts } from '../../testkit/ports.ts';
import { projectRoot, start, type Program } from '../support/process.ts';

const apiKey = 'demo-key-0123456789';
const byN8n = `by n8n ${location.current.version.replaceAll('.', '\\.')}`;
const demoFolder = join(projectRoot, '.n8n-demo');
const readCsv = (file: string): Record<string, string>[] =>
	parse(readFileSync(join(projectRoot, file)), { columns: true, bom: true });

/** The sheet as the demo edits it before its second run. */
const edited = (sheet: Record<string, string>[]) =>
	sheet
		.filter(({ market }) => market !== 'Antarctica')
		.map((row) =>
			['Germany', 'France', 'Japan'].includes(row.market ?? '')
				? { ...row, url: row.url?.replace('/spring?', '/spring-sale?') }
				: row,
		);

// The editor, the task broker beside it, and the service; the short URLs of both runs name the service's port.
let [port, servicePort] = [0, 0];
const running: Program[] = [];
const demo = (...args: string[]) => {
	const ports = ['--port', String(port), '--service-port', String(servicePort)];
	const program = start('demo/main.ts', [...ports, ...args]);
	running.push(program);
	return program;
};

beforeAll(async () => {
	[port = 0, , servicePort = 0] = await freePorts(3);
});
afterEach(() => {
	for (const { child } of running.splice(0)) child.kill('SIGINT');
});

const isListening = async (at: number) =>
	await request(`http://127.0.0.1:${at}/`).then(
		async ({ body }) => {
			await body.dump();
			return true;
		},
		() => false,
	);

/** Whether each port of the demo is listened on. */
const listening = async () => await Promise.all([port, port + 1, servicePort].map(isListening));

jest.setTimeout(400_000);

describe('npm run demo -- --once', () => {
	let service: RunningService | undefined;
	afterEach(async () => await service?.stop());

	it('makes a link of each of the 249 rows, and then writes only what was edited in the sheet', async () => {
		rmSync(demoFolder, { recursive: true, force: true });
		const program = demo('--once');
		expect(await program.ended()).toBe(0);
		const output = program.output();
		expect(output).toMatch(
			new RegExp(`\n249 rows: 249 created, ${byN8n} in [\\d.]+ s, with 25\\d requests\n`),
		);
		expect(output).toMatch(/\d+ of 249 links at the service\n/);
		expect(output).toMatch(/waiting: the service takes 120 requests in 20 seconds\n/);
		expect(output).toMatch(
			new RegExp(
				`\n248 rows: 3 updated, 245 unchanged, 1 in no row and disabled, ${byN8n} in [\\d.]+ s, with \\d requests\n`,
			),
		);

		// The demo has ended; what it left in its database is asked for on the same port.
		const database = join(demoFolder, 'service.sqlite');
		service = await startService({ port: servicePort, database, apiKeys: [apiKey] });
		const rows = readCsv('campaign-links.csv');
		const sheet = readCsv('examples/data/campaign.csv');
		expect(rows.map(({ short_url: _, ...row }) => row)).toEqual(edited(sheet));
		expect(new Set(rows.map((row) => row.short_url)).size).toBe(248);
		for (const { short_url: shortUrl = '', url } of rows) {
			const { statusCode, headers, body } = await request(shortUrl);
			await body.dump();
			expect({ shortUrl, statusCode, location: headers.location }).toEqual({
				shortUrl,
				statusCode: 302,
				location: new URL(url ?? '').href,
			});
		}

		const { body } = await request(`${service.url}/api/v1/links?per_page=100&sort=asc`, {
			headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
		});
		const { data } = (await body.json()) as { data: Record<string, unknown>[] };
		expect(data).toHaveLength(100);
		const byAlias = new Map([...sheet, ...rows].map((row) => [row.alias, row]));
		for (const link of data) {
			const row = byAlias.get(String(link.alias));
			const [, key, value] = row?.country_rules?.match(/^(\w+)=(.*)$/) ?? [];
			expect(link).toMatchObject({
				url: row?.url,
				disabled: row?.market === 'Antarctica' ? 1 : 0,
				country_target: [{ key, value }],
				space: { id: Number(row?.space_id) },
				pixels: row?.pixel_ids?.split(',').map((id) => ({ id: Number(id) })),
				ends_at: expect.stringMatching(/^2031-06-30.23:59/),
			});
		}
	});

	it('writes the API key into no log and stores it only encrypted', () => {
		for (const file of ['n8n/n8n.log', 'n8n/.n8n/database.sqlite']) {
			const text = readFileSync(join(demoFolder, file), 'latin1');
			expect(text.length).toBeGreaterThan(0);
			expect(text.includes(apiKey)).toBe(false);
		}
	});
});

describe('npm run demo', () => {
	it('takes the edits back the second time, and makes them again; keeps the editor open until Ctrl-C, which ends every process', async () => {
		const program = demo();
		await program.printed(/Press Ctrl-C/);
		expect(program.output()).toMatch(
			/\n249 rows: 4 updated, 1 of them switched on again, 245 unchanged, by n8n/,
		);
		expect(program.output()).toMatch(
			/\n248 rows: 3 updated, 245 unchanged, 1 in no row and disabled, by n8n/,
		);
		expect(program.output()).toMatch(`Editor:      http://127.0.0.1:${port}/workflow/`);
		expect(program.output()).toMatch(/Login: {7}demo@example\.com \/ \S+/);
		expect(await listening()).toEqual([true, true, true]);
		program.child.kill('SIGINT');
		expect(await program.ended()).toBe(0);
		expect(await listening()).toEqual([false, false, false]);
	});

	it('says which port is taken and how to choose another', async () => {
		const blocker = createServer();
		await once(blocker.listen(servicePort, '127.0.0.1'), 'listening');
		const program = demo('--once');
		expect(await program.ended()).toBe(1);
		expect(program.output()).toMatch(
			`Port ${servicePort} for the reference service is taken. Stop the program that uses it, or choose another: npm run demo -- --service-port`,
		);
		await once(blocker.close(), 'close');
	});
});
