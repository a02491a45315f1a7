import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'flatted';
import { bulkWorkflow, connected, finished, linkNodeOf } from '../../testkit/n8n/bulk.ts';
import { startN8n, type RunningN8n } from '../../testkit/n8n/instance.ts';
import { pack } from '../../testkit/n8n/package.ts';
import { Rest } from '../../testkit/n8n/rest.ts';
import { startService, type RunningService } from '../../testkit/service/index.ts';
import { freePorts } from '../../testkit/ports.ts';
import { readPng, readSvg, textIn } from '../support/pictures.ts';
import { projectRoot } from '../support/process.ts';

const apiKey = 'qr-code-key-0123456789';
const login = { email: 'qr@example.com', password: 'Qr-password-1' };
const folder = mkdtempSync(join(tmpdir(), 'qr-code-'));

let service: RunningService | undefined;
let n8n: RunningN8n | undefined;

beforeAll(async () => {
	const [port = 0] = await freePorts(2);
	const files = join(folder, 'files');
	await mkdir(files);
	service = await startService({ apiKeys: [apiKey] });
	const tarball = await pack(projectRoot, folder);
	n8n = await startN8n({ folder: join(folder, 'n8n'), tarball, port, files });
});
afterAll(async () => {
	await n8n?.stop();
	await service?.stop();
	await rm(folder, { recursive: true, force: true });
});

/** The part of an execution that this test reads. */
interface RunData {
	resultData: {
		runData: Record<string, { data: { main: { json: object; binary: Binary }[][] } }[]>;
	};
}
type Binary = Record<string, { data: string; id?: string; mimeType: string; fileName: string }>;

it('n8n stores the codes of created links as PNG and as SVG, and a decoder reads them', async () => {
	if (!n8n || !service) throw new Error('nothing runs');
	const rest = new Rest(n8n.url);
	await rest.setUpOwner(login);
	const data = { baseUrl: service.url, apiKey };
	const credential = await rest.addCredential('linkManagementApi', 'QR', data);
	const workflow = bulkWorkflow('create', 3, {
		alias: '={{ $json.alias }}',
	});
	const linkId = { __rl: true, mode: 'url', value: '={{ $json.shortUrl }}' };
	const draw = { operation: 'getQrCode', linkId };
	const drawPng = linkNodeOf('Draw PNG', { ...draw, size: 400 });
	const drawSvg = linkNodeOf('Draw SVG', {
		...{ ...draw, format: 'svg', size: 500 },
		options: { binaryPropertyName: 'svg' },
	});
	const { id } = await rest.addWorkflow(
		{
			...workflow,
			nodes: [...workflow.nodes, drawPng, drawSvg],
			connections: connected('Start', 'Seed', 'Rows', 'Links', 'Draw PNG', 'Draw SVG'),
		},
		credential,
	);
	const execution = await finished(rest, await rest.start(id, 'Start'));
	expect(execution.status).toBe('success');

	const { resultData } = parse(execution.data) as RunData;
	const items = resultData.runData['Draw SVG']?.[0]?.data.main[0] ?? [];
	const urls = [0, 1, 2].map((at) => `${service?.url}/s/bulk-${at}`);
	expect(items.map(({ json }) => json)).toEqual(urls.map((shortUrl) => ({ shortUrl })));
	/** The content of a file, wherever n8n stores it. */
	const contentOf = async (file: Binary[string] | undefined) =>
		file?.id === undefined ? Buffer.from(file?.data ?? '', 'base64') : await rest.file(file.id);
	for (const [at, { binary }] of items.entries()) {
		expect(textIn(readPng(await contentOf(binary.qrCode)))).toBe(urls[at]);
		expect(textIn(readSvg(String(await contentOf(binary.svg))))).toBe(urls[at]);
		expect(binary.qrCode?.fileName).toBe(`bulk-${at}.png`);
	}
	// Three creates. The codes take no requests.
	expect(service.counts().links).toBe(3);
});
