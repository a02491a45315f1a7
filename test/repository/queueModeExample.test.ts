import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import location from '../../testkit/n8n/location.cjs';
import { composeEnvironment } from '../../testkit/n8n/compose.ts';
import { projectRoot } from '../support/process.ts';

interface Service {
	image: string;
	command?: string | string[];
	entrypoint?: string[];
	environment?: Record<string, string>;
	ports?: string[];
	volumes: string[];
	stop_grace_period?: string;
}

const folder = join(projectRoot, 'examples', 'queue-mode');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
	services: Record<'main' | 'package' | 'redis' | 'worker', Service>;
	volumes: Record<string, null>;
};

it('runs the n8n that the tests run, the same on all processes, and installs the package where they look for it', () => {
	const { main, worker, package: installer } = services;
	const image = `n8nio/n8n:${location.current.version}`;
	expect([main.image, worker.image, installer.image]).toEqual([image, image, image]);
	expect(worker.environment).toEqual(main.environment);
	for (const { volumes: used } of [main, worker]) expect(used).toEqual(['n8n:/home/node/.n8n']);
	expect(installer.volumes).toEqual(['n8n:/home/node/.n8n', './packages:/packages:ro']);
	expect(installer.entrypoint).toContain('/home/node/.n8n/nodes');
	const { name, version } = JSON.parse(
		readFileSync(join(projectRoot, 'package.json'), 'utf8'),
	) as Record<'name' | 'version', string>;
	expect(installer.command?.[0]).toMatch(/^\$\{LINK_MANAGEMENT_PACKAGE:\?[^}]+\}$/);
	// npm names a tarball after the package and its version.
	for (const line of [
		`LINK_MANAGEMENT_VERSION=${version}`,
		`LINK_MANAGEMENT_PACKAGE=/packages/${name}-\${LINK_MANAGEMENT_VERSION}.tgz`,
	])
		expect(read('example.env').split('\n')).toContain(line);
});

it('loads the package in n8n 3.0, and lets a worker end rows that wait for Max Wait before it is killed', async () => {
	const environment = await composeEnvironment(projectRoot);
	// n8n 3.0 loads unverified packages only on request.
	expect(environment).toMatchObject({ N8N_UNVERIFIED_PACKAGES_ENABLED: 'true' });
	const { N8N_GRACEFUL_SHUTDOWN_TIMEOUT: seconds } = environment;
	expect(Number(seconds)).toBeGreaterThan(300);
	const minutes = Number.parseInt(services.worker.stop_grace_period ?? '', 10);
	expect(minutes * 60).toBeGreaterThan(Number(seconds));
});

it('takes no variable that example.env does not have, and has no secret of its own', () => {
	const files = `${read('compose.yaml')}${read('example.env').replaceAll(/^#.*/gm, '')}`;
	const variables = [...files.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
	const assignments = [...read('example.env').matchAll(/^(\w+)=(.*)$/gm)];
	expect([...new Set(variables)].sort()).toEqual(assignments.map(([, name]) => name).sort());
	const values = Object.fromEntries(assignments.map(([, name, value]) => [name, value]));
	expect(values).toMatchObject({ N8N_ENCRYPTION_KEY: '', POSTGRES_PASSWORD: '' });
});

it('keeps everything that a restart must not lose in volumes that it names', () => {
	const used = Object.values(services).flatMap((service) => service.volumes);
	const names = used.flatMap((volume) => (volume.startsWith('./') ? [] : volume.split(':', 1)));
	expect([...new Set(names)].sort()).toEqual(Object.keys(volumes).sort());
	expect(services.redis.command).toContain('--appendonly yes');
});

it('opens no port but that of the editor, and that one for this machine only', () => {
	const opened = Object.values(services).flatMap(({ ports = [] }) => ports);
	expect(opened).toEqual(['127.0.0.1:5678:5678']);
});
