import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { linkNodeOf } from '../../testkit/n8n/bulk.ts';
import { installFlags } from '../../testkit/n8n/installer.ts';
import location from '../../testkit/n8n/location.cjs';
import { pack } from '../../testkit/n8n/package.ts';
import type { Workflow } from '../../testkit/n8n/rest.ts';
import { pinnedWorkflow, until } from '../support/desk.ts';
import { useInstallation } from '../support/ownN8n.ts';
import { triggerWorkflow } from '../support/polling.ts';
import { projectRoot } from '../support/process.ts';

const ours = 'n8n-nodes-link-management';
/** No version was published before the current one, so the update starts from the same build under another version. */
const lastVersion = '0.0.1';
const { version: currentVersion } = JSON.parse(
	readFileSync(join(projectRoot, 'package.json'), 'utf8'),
) as { version: string };

const current = useInstallation(ours, async (folder) => [
	await pack(projectRoot, folder, lastVersion),
	await pack(projectRoot, folder),
]);
const desk = () => current().desk;

const workflows: Record<string, Workflow> = {
	create: pinnedWorkflow(
		[{ page: 'made' }],
		linkNodeOf('Create', {
			operation: 'create',
			url: '=https://example.com/{{ $json.page }}',
			alias: 'made',
			additionalFields: { privacy: 1 },
		}),
	),
	sync: pinnedWorkflow(
		['sale-1', 'sale-2'].map((alias) => ({ alias, url: `https://example.com/${alias}` })),
		linkNodeOf('Sync', {
			operation: 'sync',
			mappingColumnMode: 'autoMapInputData',
			syncScope: { domainId: { __rl: true, mode: 'id', value: '1' }, aliasStartsWith: 'sale-' },
			unmatchedLinks: 'disable',
			options: { maxRemovals: 5, maxRemovalPercentage: 100 },
		}),
	),
	trigger: triggerWorkflow('Trigger', { events: ['created'] }),
};

/** The IDs of the workflows that the earlier version has saved, by the names above. */
const ids: Record<string, string> = {};

/** Runs a saved workflow, and returns its outcomes and the writes that the service got. */
async function run(name: string) {
	const { service } = current();
	service.requests.length = 0;
	const id = ids[name] ?? '';
	const node = workflows[name]?.nodes.at(-1)?.name ?? '';
	const { status, items } = await desk().run(id, 'Rows');
	return { status, items: items(node), writes: desk().writes };
}

/** Waits until the trigger has reported a number of links, and returns their aliases. */
async function reported(count: number): Promise<unknown[]> {
	return await until(`${count} events`, async () => {
		const runs = await desk().runs(ids.trigger ?? '');
		const aliases = runs.flatMap(({ items }) => items('Done').map(({ alias }) => alias));
		return aliases.length >= count ? aliases.sort() : undefined;
	});
}

/** Returns the stored links in short. */
const stored = () =>
	desk()
		.held('links')
		.map(({ alias, url, disabled, privacy }) => ({ alias, url, disabled, privacy }));

let storedBefore: IDataObject[] = [];
let createWrites: unknown;

it('installs in the steps of n8n', () => {
	const service = 'n8n/dist/modules/community-packages/community-packages.service.js';
	const code = readFileSync(join(location.current.root, 'node_modules', service), 'utf8');
	const [, flags = ''] = /'install',\s+((?:'--[^']+',\s+)+)/.exec(code) ?? [];
	expect(flags.match(/--[^']+/g)).toEqual(installFlags);
	expect(code).toContain(
		'{ devDependencies, peerDependencies, optionalDependencies, ...packageJson }',
	);
	expect(code).toContain("['pack', `${packageName}@${packageVersion}`, '--quiet']");
	expect(code).toContain("['-xzf', tarballName, '-C', packageDirectory, '--strip-components=1']");
});

it(`runs workflows with ${lastVersion}, and offers the update`, async () => {
	const { service } = current();
	await current().startWith(lastVersion);
	expect(await current().installedPackages()).toMatchObject([
		{
			...{ packageName: ours, installedVersion: lastVersion, failedLoading: false },
			updateAvailable: currentVersion,
		},
	]);
	desk().createLink('sale-old', 'https://example.com/old');
	const credential = await desk().addCredential();
	for (const [name, workflow] of Object.entries(workflows))
		ids[name] = await desk().addWorkflow(workflow, credential);
	await desk().activate(ids.trigger ?? '');
	await until('a poll', async () => service.requests.at(-1));

	const created = await run('create');
	expect(created).toMatchObject({ status: 'success', items: [{ alias: 'made' }] });
	createWrites = created.writes;
	expect(await run('sync')).toMatchObject({
		status: 'success',
		items: ['created', 'created', 'disabled'].map((outcome) => ({ outcome })),
	});
	storedBefore = stored();
	expect(storedBefore).toMatchObject([
		{ alias: 'sale-old', disabled: 1 },
		{ alias: 'made', url: 'https://example.com/made', privacy: 1 },
		{ alias: 'sale-1', url: 'https://example.com/sale-1', disabled: 0 },
		{ alias: 'sale-2', url: 'https://example.com/sale-2', disabled: 0 },
	]);
	expect(await reported(3)).toEqual(['made', 'sale-1', 'sale-2']);
});

it(`runs the same workflows after the update to ${currentVersion}`, async () => {
	await current().stop();
	desk().createLink('while-stopped', 'https://example.com/');
	await current().startWith('latest');
	const [listed, ...more] = await current().installedPackages();
	expect(more).toEqual([]);
	expect(listed).toMatchObject({ installedVersion: currentVersion, failedLoading: false });
	expect(listed?.installedNodes.map(({ type }) => type).sort()).toEqual(
		['link', 'linkTrigger', 'pixel'].map((node) => `${ours}.${node}`),
	);
	expect(listed?.updateAvailable).toBeUndefined();

	desk().remove('while-stopped');
	expect(await run('sync')).toMatchObject({
		...{ status: 'success', writes: [] },
		items: [{ outcome: 'unchanged' }, { outcome: 'unchanged' }],
	});
	expect(stored()).toEqual(storedBefore);
	desk().remove('made');
	expect(await run('create')).toMatchObject({ status: 'success', writes: createWrites });
	expect(await reported(5)).toEqual(['made', 'made', 'sale-1', 'sale-2', 'while-stopped']);
});

it('keeps workflows and credentials when n8n uninstalls it', async () => {
	const { service } = current();
	const kept = async () => ({
		workflows: await Promise.all(
			Object.values(ids).map(
				async (id) => (await desk().rest.call<Workflow>('GET', `/workflows/${id}`)).nodes,
			),
		),
		credentials: await desk().rest.call<IDataObject[]>('GET', '/credentials'),
	});
	const before = await kept();
	await current().uninstall();
	expect(existsSync(current().folder)).toBe(false);
	await current().stop();
	service.requests.length = 0;
	await current().start();
	expect(await current().installedPackages()).toEqual([]);
	expect(await current().nodeTypes()).toEqual([]);
	await expect(run('create')).rejects.toThrow(`Unrecognized node type: ${ours}.link`);
	expect(service.requests).toEqual([]);
	expect(before.workflows).toHaveLength(3);
	expect(before.credentials).toMatchObject([{ type: 'linkManagementApi' }]);
	expect(await kept()).toEqual(before);
});
