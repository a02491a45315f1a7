import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { linkContract } from '../../nodes/Link/link.contract';
import { pixelContract } from '../../nodes/Pixel/pixel.contract';
import { outputSchema } from '../../nodes/shared/description/output';
import { startN8n, type RunningN8n } from '../../testkit/n8n/instance.ts';
import { pack } from '../../testkit/n8n/package.ts';
import { freePorts } from '../../testkit/ports.ts';
import { projectRoot } from '../support/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'output-'));
let n8n: RunningN8n | undefined;

beforeAll(async () => {
	const [port = 0] = await freePorts(2);
	const files = join(folder, 'files');
	await mkdir(files);
	const tarball = await pack(projectRoot, folder);
	n8n = await startN8n({ folder: join(folder, 'n8n'), tarball, port, files });
});
afterAll(async () => {
	await n8n?.stop();
	await rm(folder, { recursive: true, force: true });
});

const resources = [
	['link', linkContract, 10],
	['pixel', pixelContract, 7],
] as const;

it.each(resources)(
	'n8n serves the schema of every operation of the %s node',
	async (name, of, count) => {
		expect(of.operations).toHaveLength(count);
		for (const { value } of of.operations) {
			// The address that the editor asks for: package and node, version in full, resource, operation.
			const address = `${n8n?.url}/schemas/n8n-nodes-link-management.${name}/1.0.0/${name}/${value}.json`;
			const { statusCode, body } = await request(address);
			expect({ statusCode, schema: await body.json() }).toEqual({
				statusCode: 200,
				schema: JSON.parse(JSON.stringify(outputSchema(of, value))),
			});
		}
	},
);
