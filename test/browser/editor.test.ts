import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/process.ts';
import { createLink } from './support/links.ts';
import { pictureFolder, takePicture, taken } from './support/pictures.ts';
import { account, apiKey, useStage } from './support/stage.ts';

const stage = useStage();

/** The pairs of a form, as they came over the wire. */
const pairsOf = (body: string) => [...new URLSearchParams(body)];

describe('a person who has never seen the nodes', () => {
	it('finds them by searching for "short link"', async () => {
		const { editor } = stage();
		const found = await editor.searchNodes('short link');
		await found.getByText('Pixel', { exact: true }).waitFor();
		expect(await found.allInnerTexts()).toEqual(['Link', 'Pixel']);
		await editor.page.getByText('Create, change, look up and delete short links').waitFor();
		await takePicture(editor.page, 'nodes-panel');
	});

	it('creates the credential and sees its test pass', async () => {
		const { editor, service } = stage();
		const details = await editor.addAction('Link', 'Create a link');
		const dialog = await details.newCredential();
		await dialog.save(service.url, apiKey);
		await editor.page.getByText('Credential successfully created').waitFor();
		await dialog.root.waitFor({ state: 'hidden' });
		expect(service.requests.at(-1)).toMatchObject({
			method: 'GET',
			path: '/api/v1/links',
			headers: { authorization: `Bearer ${apiKey}` },
			status: 200,
		});

		const again = await details.editCredential();
		await again.root.getByText('Connection tested successfully').waitFor();
		await takePicture(again.root, 'credential');
	});

	it.each([
		[
			'a wrong key',
			{ key: 'no-such-key-0123456789' },
			'The service did not accept the API key; enter one that is valid now',
		],
		['a wrong folder', { folder: '/wrong' }, 'There is no API at this address; check Base URL'],
		[
			'no URL',
			{ url: 'links' },
			'Base URL must be the http or https address of the service, such as https://links.example.com',
		],
	])('reads what to do about %s', async (_, wrong, advice) => {
		const { editor, service } = stage();
		const {
			key = apiKey,
			folder = '',
			url = service.url + folder,
		} = wrong as Record<string, string>;
		const details = await editor.addAction('Link', 'Create a link');
		const dialog = await details.newCredential();
		await dialog.save(url, key);
		expect(await dialog.failure()).toContain(advice);
		if (key !== apiKey) await takePicture(dialog.root, 'credential-wrong-key');
	});
});

describe('a person who creates a link', () => {
	it('fills in targeting rules by hand and reads the new link', async () => {
		const { editor, service } = stage();
		await createLink(service, apiKey, {
			url: 'https://example.com/old',
			domain_id: '1',
			alias: 'old',
		});
		await editor.page.setViewportSize({ width: 1280, height: 1240 });
		const details = await editor.addAction('Link', 'Create a link');
		await details.chooseCredential(account);
		await details.fill('url', 'https://example.com/sale');
		await details.pick('domainId', 'short.example');
		await details.add('Add Field', 'Alias');
		await details.fill('alias', 'spring-sale');
		await details.add('Add Field', 'Target Type');
		await details.choose('targetType', 'Geographic');
		await details.add('Add Field', 'Country Rules');
		await details.addRule('Add Country');
		await details.choose('key', 'Germany');
		await details.fill('value', 'https://example.com/de/sale');
		await details.addRule('Add Country');
		await details.choose('key', 'France');
		await details.fill('value', 'https://example.com/fr/vente');
		await takePicture(details.root, 'create-form');

		await details.execute();
		await details.output.getByText('spring-sale').first().waitFor();
		const created = service.requests.filter(({ method }) => method === 'POST');
		expect(created.map(({ path, status }) => ({ path, status }))).toEqual([
			{ path: '/api/v1/links', status: 201 },
		]);
		expect(pairsOf(created[0]?.body ?? '').sort()).toEqual([
			['alias', 'spring-sale'],
			['country[0][key]', 'DE'],
			['country[0][value]', 'https://example.com/de/sale'],
			['country[1][key]', 'FR'],
			['country[1][value]', 'https://example.com/fr/vente'],
			['domain_id', '1'],
			['target_type', '1'],
			['url', 'https://example.com/sale'],
		]);
		expect(service.counts().links).toBe(2);
	});

	it('reads which value the service refuses, and what to do', async () => {
		const { editor, service } = stage();
		await createLink(service, apiKey, {
			url: 'https://example.com/old',
			domain_id: '1',
			alias: 'taken',
		});
		const details = await editor.addAction('Link', 'Create a link');
		await details.chooseCredential(account);
		await details.fill('url', 'https://example.com/new');
		await details.fillId('domainId', '1');
		await details.add('Add Field', 'Alias');
		await details.fill('alias', 'taken');
		await details.execute();
		expect(await details.output.getByTestId('node-error-message').innerText()).toBe(
			'Row 1: The service did not accept the values (HTTP 422): Alias: The alias has already been taken.',
		);
		expect(await details.output.getByTestId('node-error-description').innerText()).toBe(
			'Correct the fields that it names, then run this row again.',
		);
		expect(service.counts().links).toBe(1);
		await takePicture(details.root, 'error');
	});
});

describe('the pictures', () => {
	const documents = ['README.md', 'docs/architecture.md', 'docs/assumptions.md', 'CONTRIBUTING.md'];
	const shown = documents.flatMap((file) => {
		const text = readFileSync(join(projectRoot, file), 'utf8');
		return [...text.matchAll(/pictures\/([\w-]+\.png)/g)].map(([, name = '']) => name);
	});

	it('are all taken by this run', () => {
		expect(readdirSync(pictureFolder).sort()).toEqual([...taken].sort());
		expect([...taken]).toEqual(expect.arrayContaining(shown));
	});

	it('are small enough for a page', () => {
		const sizes = [...taken].map((name) => statSync(join(pictureFolder, name)).size);
		expect(Math.max(...sizes)).toBeLessThan(150_000);
	});
});
