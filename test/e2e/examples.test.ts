import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { FormData, request, WebSocket } from 'undici';
import { startService } from '../../testkit/service/index.ts';
import {
	apiKey,
	Desk,
	everyFiveSeconds,
	everyTenSeconds,
	expectSuccess,
	turnDryRunOff,
	until,
	type Changes,
} from '../support/desk.ts';
import type { ExampleNode } from '../support/exampleFiles.ts';
import { useStories } from '../support/stories.ts';
import { startModel, useCompletions } from '../support/model.ts';
import { readPng, textIn } from '../support/pictures.ts';
import { projectRoot } from '../support/process.ts';

const story = useStories();

const fileOf = (data: string) => readFileSync(join(projectRoot, 'examples', 'data', data));

/** The rows of sample data. */
const csvOf = (data: string): Record<string, string>[] =>
	parse(fileOf(data), { columns: true, bom: true });

story('sheet-in-sync: a schedule brings the links in line with the table', async (desk) => {
	const sheet = csvOf('campaign.csv');
	desk.createLink('spring-2031-old', 'https://shop.example.com/old');
	desk.createLink('summer-2031', 'https://shop.example.com/summer');
	// A row of the sheet that leads elsewhere so far.
	desk.createLink('spring-2031-af', 'https://shop.example.com/soon');
	const hourly = { 'Every night at 2:00': everyTenSeconds };
	const dry = await desk.add('sheet-in-sync', hourly);
	// The first run makes the table, and has no rows yet.
	const made = await desk.run(dry, 'When run by hand');
	expectSuccess(made);
	expect(made.items('Sync links')).toEqual([]);
	await desk.addRows('Campaign links', sheet);

	const preview = await desk.run(dry, 'When run by hand');
	expectSuccess(preview);
	expect(preview.items('Sync links')).toHaveLength(250);
	expect(preview.items('Sync links').at(-1)).toMatchObject({
		alias: 'spring-2031-old',
		outcome: 'disabled',
	});
	expect(desk.writes).toEqual([]);
	const empty = sheet.map((row) => ({ ...row, short_url: null }));
	expect(await desk.tableRows('Campaign links')).toEqual(empty);

	expectSuccess(
		await desk.fire(await desk.add('sheet-in-sync', { ...hourly, 'Sync links': turnDryRunOff })),
	);
	expect(desk.service.counts().links).toBe(251);
	expect(desk.writes).toContainEqual(['PUT', { disabled: '1' }]);
	expect(desk.held('links').slice(0, 3)).toMatchObject([
		{ alias: 'spring-2031-old', disabled: 1 },
		{ alias: 'summer-2031', disabled: 0 },
		{ alias: 'spring-2031-af', disabled: 0, url: expect.stringContaining('market=Afghanistan') },
	]);
	expect(await desk.tableRows('Campaign links')).toEqual(
		sheet.map((row) => ({ ...row, short_url: `${desk.service.url}/s/${row.alias}` })),
	);
});

/** The short URL in what a tool answered. */
const shortUrlIn = (results: readonly string[]) =>
	/https?:[^"\\]+\/s\/spring/.exec(results.join())?.[0] ?? '';

story('ai-agent: a message in the chat becomes a link', async (desk) => {
	const model = await startModel();
	try {
		desk.secrets.set('openAiApi', { apiKey: 'none', url: model.url });
		const id = await desk.add('ai-agent', {
			'OpenAI Chat Model': useCompletions,
			'When chat message received': (node) => {
				node.parameters.public = true;
			},
		});
		await desk.activate(id);
		model.follow([
			() => ({
				name: 'Create_link',
				arguments: { url: 'https://example.com/spring', alias: 'spring' },
			}),
			({ results }) => ({
				name: 'Save_to_table',
				arguments: { alias: 'spring', short_url: shortUrlIn(results), purpose: 'The spring sale' },
			}),
			({ results }) => `Here it is: ${shortUrlIn(results.slice(-1))}`,
		]);
		const path = '/webhook/8c2b7f10-3a51-4f7e-9f6e-51d1f4a0c100/chat';
		const { body } = await request(desk.url + path, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ action: 'sendMessage', sessionId: '1', chatInput: 'Shorten it' }),
		});
		expect(await body.json()).toEqual({ output: `Here it is: ${desk.service.url}/s/spring` });
		expect(desk.held('links')).toMatchObject([
			{ alias: 'spring', url: 'https://example.com/spring' },
		]);
		expect(await desk.tableRows('Links by chat')).toEqual([
			{ alias: 'spring', short_url: `${desk.service.url}/s/spring`, purpose: 'The spring sale' },
		]);
	} finally {
		await model.stop();
	}
});

story('crm-webhook: signed calls change a link, and each call is answered', async (desk) => {
	const secret = 'crm-secret';
	desk.secrets.set('crypto', { hmacSecret: secret });
	desk.createLink('spring', 'https://example.com/spring');
	const id = await desk.add('crm-webhook');
	await desk.activate(id);
	// Written by hand, as a CRM may: parsed and written anew it would have another signature.
	const change = (alias: string, url: string) =>
		`{ "short_url":  "${desk.service.url}/s/${alias}",\n "url": "${url}" }`;
	const signed = (body: string, by = secret) => createHmac('sha256', by).update(body).digest('hex');
	const call = async (body: string, signature?: string) => {
		const answer = await request(`${desk.url}/webhook/crm-link-update`, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				...(signature === undefined ? {} : { 'x-signature': signature }),
			},
			body,
		});
		const { 'content-type': type } = answer.headers;
		return { status: answer.statusCode, type, text: await answer.body.text() };
	};
	const type = 'text/plain; charset=utf-8';
	const destination = () => desk.held('links')[0]?.url;
	const good = change('spring', 'https://example.com/autumn');

	const wrong = { status: 401, type, text: 'The signature is missing or wrong.' };
	expect(await call(good)).toEqual(wrong);
	expect(await call(good, '')).toEqual(wrong);
	expect(await call(good, signed(good, 'another secret'))).toEqual(wrong);
	expect(await call(good.replace('autumn', 'evil'), signed(good))).toEqual(wrong);
	expect(desk.service.requests).toEqual([]);
	expect(destination()).toBe('https://example.com/spring');

	const shortUrl = `${desk.service.url}/s/spring`;
	expect(await call(good, signed(good))).toEqual({
		status: 200,
		type,
		text: `${shortUrl} leads to https://example.com/autumn now.`,
	});
	expect(destination()).toBe('https://example.com/autumn');
	const more = change('spring', 'https://example.com/winter');
	expect(await call(more, `sha256=${signed(more)}`)).toMatchObject({ status: 200 });
	expect(destination()).toBe('https://example.com/winter');
	const log = await until('the log', async () => {
		const rows = await desk.tableRows('Changes by the CRM').catch(() => []);
		return rows.length === 2 ? rows : undefined;
	});
	expect(log.map((row) => [row.short_url, row.url]).sort()).toEqual([
		[shortUrl, 'https://example.com/autumn'],
		[shortUrl, 'https://example.com/winter'],
	]);

	const unknown = change('sprong', 'https://example.com/autumn');
	expect(await call(unknown, signed(unknown))).toEqual({
		status: 404,
		type,
		text: `No link has the short URL ${desk.service.url}/s/sprong`,
	});
	const bad = change('spring', 'example.com/autumn');
	const refused = await call(bad, signed(bad));
	expect(refused).toMatchObject({ status: 422, type });
	expect(refused.text).toMatch(/^Destination URL "example\.com\/autumn" /);
	for (const body of ['{}', '[]', JSON.stringify({ short_url: shortUrl })])
		expect({ body, ...(await call(body, signed(body))) }).toMatchObject({ body, status: 422 });

	desk.service.apiKeys.clear();
	expect(await call(good, signed(good))).toEqual({
		status: 503,
		type,
		text: 'The link was not changed. Send this again later.',
	});
});

story('switch-off-dead-links: what is gone is switched off, after a dry run', async (desk) => {
	const asked: string[] = [];
	const site = createServer(({ method, url = '' }, response) => {
		asked.push(`${method} ${url}`);
		const status = { '/gone': 404, '/moved': 302, '/shy': method === 'HEAD' ? 404 : 200 }[url];
		response.writeHead(status ?? 200, { location: '/here' }).end('page');
	});
	await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
	const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
	try {
		for (const alias of ['here', 'gone', 'shy', 'moved'])
			desk.createLink(alias, `${origin}/${alias}`);
		// Nothing listens there: the host may be back tomorrow.
		desk.createLink('down', 'http://127.0.0.1:9/');
		const statesNow = () =>
			Object.fromEntries(desk.held('links').map(({ alias, disabled }) => [alias, disabled]));
		const all = { here: 0, gone: 0, shy: 0, moved: 0, down: 0 };
		const schedule = { 'Every night at 3:00': everyTenSeconds };
		const dry = await desk.fire(await desk.add('switch-off-dead-links', schedule));
		expectSuccess(dry);
		expect(dry.items('Switch the link off')).toMatchObject([
			{ outcome: 'disabled', before: 'Disabled: false', after: 'Disabled: true' },
		]);
		const listed = (outcome: string) => ({
			link_id: 2,
			alias: 'gone',
			url: `${origin}/gone`,
			outcome,
			found_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
		});
		expect(await desk.tableRows('Dead links')).toEqual([listed('dry run: disabled')]);
		expect(desk.writes).toEqual([]);
		expect(statesNow()).toEqual(all);
		// A visitor's request goes to those alone that seem gone.
		expect([...new Set(asked)].filter((one) => one.startsWith('GET')).sort()).toEqual([
			'GET /gone',
			'GET /shy',
		]);
		const real = await desk.fire(
			await desk.add('switch-off-dead-links', {
				...schedule,
				'Switch the link off': turnDryRunOff,
			}),
		);
		expectSuccess(real);
		expect(desk.writes).toEqual([['PUT', { disabled: '1' }]]);
		expect(await desk.tableRows('Dead links')).toEqual([listed('disabled')]);
		expect(statesNow()).toEqual({ ...all, gone: 1 });
	} finally {
		site.close();
	}
});

story('weekly-click-report: the second report counts the clicks since the first', async (desk) => {
	desk.createLink('spring', 'https://example.com/spring');
	desk.createLink('autumn', 'https://example.com/autumn');
	await desk.click('spring', 3);
	const id = await desk.add('weekly-click-report', { 'Every Monday at 7:00': everyTenSeconds });
	/** The links of a page's table with their numbers. */
	const rowsOf = (html: string) =>
		[...html.matchAll(/<tr><td><a href="([^"]+)">\w+<\/a><\/td>(.*)<\/tr>/g)].map(
			([, href, cells = '']) => [
				href,
				...[...cells.matchAll(/>(\d+)</g)].map(([, number]) => Number(number)),
			],
		);
	const shortUrl = (alias: string) => `${desk.service.url}/s/${alias}`;
	const report = async () => {
		const run = await desk.fire(id);
		expectSuccess(run);
		// What the disabled e-mail is given.
		const [file] = run.files('E-mail the report');
		expect(file?.data?.fileName).toBe('weekly-clicks.html');
		return String(await desk.contentOf(file?.data));
	};
	await report();
	await desk.click('spring', 2);
	await desk.click('autumn', 4);
	desk.createLink('winter', 'https://example.com/winter');
	await desk.click('winter', 1);
	const second = await report();
	expect(rowsOf(second)).toEqual([
		[shortUrl('autumn'), 4, 0, 4],
		[shortUrl('spring'), 2, 3, 5],
		[shortUrl('winter'), 1, 0, 1],
	]);
	expect(second).toMatch(/7 new clicks on 3 links/);
	expect(await desk.tableRows('Clicks of last week')).toEqual(
		expect.arrayContaining(
			[5, 4, 1].map((clicks) => expect.objectContaining({ clicks_then: clicks })),
		),
	);
});

story('campaign-from-form: a form makes pixels and a link for each channel', async (desk) => {
	const id = await desk.add('campaign-from-form');
	await desk.activate(id);
	const address = `${desk.url}/form/new-campaign`;
	/** Sends the form as its page does, and returns what the page at the end shows. */
	const submit = async (fields: string[]) => {
		const form = new FormData();
		for (const [index, value] of fields.entries()) form.append(`field-${index}`, value);
		const { statusCode, body } = await request(address, { method: 'POST', body: form });
		expect(statusCode).toBe(200);
		const { formWaitingUrl } = (await body.json()) as { formWaitingUrl: string };
		const { pathname, search } = new URL(formWaitingUrl);
		const read = async (method: 'GET' | 'POST', path = '') =>
			await (await request(desk.url + pathname + path + search, { method })).body.text();
		// The page asks until the workflow waits for it, shows the end of the form, and lets the workflow go on.
		await until('the end of the form', async () =>
			(await read('GET', '/n8n-execution-status')) === 'form-waiting' ? true : undefined,
		);
		const shown = await read('GET');
		await read('POST');
		return shown;
	};
	const countries = 'Germany=https://example.com/de/summer\n\nFR=https://example.com/fr/summer\n';
	const filled = ['Summer Sale!', 'https://example.com/summer?from=link'];
	const channels = JSON.stringify(['Newsletter', 'Flyer']);
	const end = await submit([...filled, channels, countries, '1234567890', 'G-ABC123']);
	for (const channel of ['newsletter', 'flyer'])
		expect(end).toContain(`${desk.service.url}/s/summer-sale-${channel}`);
	const pixels = desk.held('pixels').slice(3);
	expect(pixels).toMatchObject([
		{ name: 'Summer Sale! Facebook', type: 'facebook', value: '1234567890' },
		{ name: 'Summer Sale! Analytics', type: 'google-analytics', value: 'G-ABC123' },
	]);
	const linkOf = (channel: string) => {
		const utm = `utm_source=${channel}&utm_medium=campaign&utm_campaign=summer-sale`;
		const target = (country: string) => ({
			key: country,
			value: `https://example.com/${country.toLowerCase()}/summer?${utm}`,
		});
		return {
			alias: `summer-sale-${channel}`,
			url: `https://example.com/summer?from=link&${utm}`,
			target_type: 1,
			country_target: [target('DE'), target('FR')],
			pixels: pixels.map((pixel) => ({ id: pixel.id })),
		};
	};
	const byAlias = () =>
		desk
			.held('links')
			.toSorted((one, other) => String(other.alias).localeCompare(String(one.alias)));
	expect(byAlias()).toMatchObject([linkOf('newsletter'), linkOf('flyer')]);
	const rowOf = (channel: string) => ({
		campaign: 'Summer Sale!',
		alias: `summer-sale-${channel}`,
		short_url: `${desk.service.url}/s/summer-sale-${channel}`,
		url: linkOf(channel).url,
	});
	const saved = [rowOf('newsletter'), rowOf('flyer')];
	expect(await desk.tableRows('Links of campaigns')).toEqual(saved);

	// Sent again, it makes nothing twice; without pixels and countries, it needs neither.
	await submit([...filled, channels, countries, '1234567890', 'G-ABC123']);
	expect(desk.service.counts()).toEqual({ links: 2, pixels: 5 });
	expect(await desk.tableRows('Links of campaigns')).toEqual(saved);
});

story(
	'import-from-bitly: an export becomes links, and a list of what was refused',
	async (desk) => {
		const id = await desk.add('import-from-bitly');
		await desk.activate(id);
		/** Uploads an export as the page of the form does; returns the table once the run has ended. */
		const upload = async (name: string) => {
			const form = new FormData();
			form.append('field-0', new Blob([fileOf(name)], { type: 'text/csv' }), name);
			const before = await desk.executions(id);
			const address = `${desk.url}/form/import-links`;
			// The page has what it shows after the upload.
			const page = await (await request(address)).body.text();
			expect(page).toContain('The import has started.');
			const { statusCode, body } = await request(address, { method: 'POST', body: form });
			await body.dump();
			expect(statusCode).toBe(200);
			const started = await until('the import', async () =>
				(await desk.executions(id)).find((execution) => !before.includes(execution)),
			);
			expectSuccess(await desk.ended(started));
			return await desk.tableRows('Moved links');
		};
		const shortUrl = (alias = '') => `${desk.service.url}/s/${alias}`;
		const bitly = csvOf('bitly-export.csv').map(({ link = '', long_url: url = '' }) =>
			url.startsWith('https:')
				? [link, shortUrl(link.split('/').at(-1)), url, '']
				: [link, '', url, expect.stringMatching(/Destination URL .* must start with https/)],
		);
		const rows = (await upload('bitly-export.csv')).map((row) => [
			...[row.old_short_url, row.new_short_url, row.url, row.reason],
		]);
		expect(rows).toHaveLength(bitly.length);
		expect(rows).toEqual(expect.arrayContaining(bitly));
		expect(desk.service.counts().links).toBe(4);
		// Again, and then with an export of another service: nothing comes twice.
		expect(await upload('bitly-export.csv')).toHaveLength(bitly.length);
		expect(desk.service.counts().links).toBe(4);
		const both = await upload('short-io-export.csv');
		expect(both.slice(bitly.length).map((row) => row.new_short_url)).toEqual(
			['autumn', 'stores', 'app'].map(shortUrl),
		);
		expect(desk.service.counts().links).toBe(7);
	},
);

story('flash-sale: the link expires by clicks, and the trigger tells when', async (desk) => {
	const id = await desk.add('flash-sale', {
		'When clicks are reached or the sale is over': ({ parameters }) => {
			parameters.pollTimes = everyFiveSeconds;
		},
	});
	expectSuccess(await desk.run(id, 'When run by hand'));
	expect(desk.held('links')).toMatchObject([
		{
			alias: 'flash-sale',
			url: 'https://example.com/flash-sale',
			expiration_clicks: 100,
			expiration_url: 'https://example.com/sold-out',
		},
	]);
	await desk.activate(id);
	const lines = async () =>
		(await desk.tableRows('Flash sale messages')).map(({ message }) => message);
	const told = async (count: number) =>
		await until(`${count} messages`, async () => {
			const messages = await lines();
			return messages.length >= count ? messages : undefined;
		});
	const shortUrl = `${desk.service.url}/s/flash-sale`;
	await desk.click('flash-sale', 79);
	desk.createLink('other', 'https://example.com/other');
	await desk.click('other', 90);
	await desk.click('flash-sale', 2);
	const [reached] = await told(1);
	expect(reached).toBe(`80 clicks reached: ${shortUrl} was opened 81 times.`);
	await desk.click('flash-sale', 19);
	expect((await told(2)).slice(1)).toEqual([
		`The sale is over: ${shortUrl} leads to the other page now.`,
	]);
	await desk.deactivate(id);
	expect(await lines()).toHaveLength(2);
});

story('link-per-recipient: each recipient has a link and its QR code', async (desk) => {
	const id = await desk.add('link-per-recipient');
	expectSuccess(await desk.run(id, 'When run by hand'));
	const recipients = ['Ada Lovelace', 'Grace Hopper'].map((name, at) => ({
		name,
		email: `${at}@example.com`,
	}));
	await desk.addRows('Recipients', recipients);
	const run = await desk.run(id, 'When run by hand');
	expectSuccess(run);
	const shortUrls = ['guest-1', 'guest-2'].map((alias) => `${desk.service.url}/s/${alias}`);
	expect(desk.held('links')).toMatchObject([
		{ alias: 'guest-1', url: 'https://example.com/invitation?guest=Ada%20Lovelace' },
		{ alias: 'guest-2', url: 'https://example.com/invitation?guest=Grace%20Hopper' },
	]);
	expect(await desk.tableRows('Recipients')).toEqual(
		recipients.map((row, at) => ({ ...row, short_url: shortUrls[at] })),
	);
	// What the disabled e-mail is given.
	const codes = run
		.files('E-mail the invitation')
		.map(async ({ qrCode }) => textIn(readPng(await desk.contentOf(qrCode))));
	expect(await Promise.all(codes)).toEqual(shortUrls);
	// Again: the links stay.
	expectSuccess(await desk.run(id, 'When run by hand'));
	expect(desk.service.counts().links).toBe(2);
	expect(desk.writes.map(([method]) => method)).toEqual(['POST', 'POST']);
});

story('new-link-message: a new link is in the table, and is announced', async (desk) => {
	desk.createLink('old', 'https://example.com/old');
	const id = await desk.add('new-link-message', {
		'When a link is created': ({ parameters }) => {
			parameters.pollTimes = everyFiveSeconds;
		},
	});
	await desk.activate(id);
	desk.createLink('spring', 'https://example.com/spring');
	desk.createLink('summer', 'https://example.com/summer');
	const rows = await until('two rows', async () => {
		const found = await desk.tableRows('New links').catch(() => []);
		return found.length >= 2 ? found : undefined;
	});
	await desk.deactivate(id);
	const rowOf = (alias: string) => ({
		link_id: expect.any(Number),
		alias,
		short_url: `${desk.service.url}/s/${alias}`,
		url: `https://example.com/${alias}`,
		created_at: expect.stringMatching(/^\d{4}-/),
	});
	expect(rows).toHaveLength(2);
	expect(rows).toEqual(expect.arrayContaining([rowOf('spring'), rowOf('summer')]));
	const runs = await desk.runs(id);
	for (const run of runs) expectSuccess(run);
	// What the disabled message is given.
	const announced = runs.flatMap((run) => run.items('Post the link'));
	expect(announced.map(({ alias }) => alias).sort()).toEqual(['spring', 'summer']);
});

story(
	'move-to-another-account: all links are saved, and created in the other account',
	async (desk) => {
		const other = await startService({ strict: true, apiKeys: [apiKey] });
		try {
			const there = new Desk(desk.url, desk.rest, other, desk.files);
			const url = 'https://example.com/';
			desk.createLink('by-country', url, {
				...{ expiration_date: '2099-12-31', expiration_time: '23:59' },
				...{ target_type: '1', country: [{ key: 'DE', value: 'https://example.com/de' }] },
			});
			desk.createLink('plain', 'https://example.com/plain');
			desk.createLink('off', url, { disabled: '1' });
			const credential = await there.addCredential();
			const add = async (change: (node: ExampleNode) => void = () => undefined) =>
				await desk.add('move-to-another-account', {
					'Every night at 4:00': everyTenSeconds,
					'Create or update in the new account': (node) => {
						node.credentials = { linkManagementApi: credential };
						change(node);
					},
				});
			const results = async () =>
				(await desk.tableRows('Backup of links')).map(
					({ alias, result, new_short_url: shortUrl }) => [alias, result, shortUrl],
				);
			// The newest first.
			const aliases = ['off', 'plain', 'by-country'];
			const dry = await add();
			expectSuccess(await desk.fire(dry));
			expect(await results()).toEqual(aliases.map((alias) => [alias, null, null]));
			expectSuccess(await desk.run(dry, 'When run by hand'));
			expect(await results()).toEqual(aliases.map((alias) => [alias, 'dry run: created', '']));
			expect(other.counts().links).toBe(0);

			const real = await add(turnDryRunOff);
			expectSuccess(await desk.run(real, 'When run by hand'));
			expect(await results()).toEqual(
				aliases.map((alias) => [alias, 'created', `${other.url}/s/${alias}`]),
			);
			const kept = async (account: Desk) =>
				account
					.held('links')
					.map(({ alias, url, disabled, ends_at: end, country_target: country }) => ({
						...{ alias, url, disabled, end, country },
					}))
					.toSorted((one, another) => String(one.alias).localeCompare(String(another.alias)));
			expect(await kept(there)).toEqual(await kept(desk));
			// Again: nothing comes twice.
			expectSuccess(await desk.run(real, 'When run by hand'));
			expect((await results()).map(([, result]) => result)).toEqual(aliases.map(() => 'unchanged'));
			expect(other.counts().links).toBe(3);
		} finally {
			await other.stop();
		}
	},
);

interface Question {
	text: string;
	buttons: { text: string; link: string }[];
}

/** A page with the chat of a workflow, from the first message on. */
async function openChat(url: string, webhookId: string, chatInput: string) {
	const session = { sessionId: randomUUID() };
	const answer = await request(`${url}/webhook/${webhookId}/chat`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ action: 'sendMessage', ...session, chatInput }),
	});
	const started = (await answer.body.json()) as { executionId: string; resumeToken?: string };
	const { executionId, resumeToken: token = '' } = started;
	const query = new URLSearchParams({ ...session, executionId, token, isPublic: 'true' });
	const socket = new WebSocket(`${url.replace('http', 'ws')}/chat?${query}`);
	const messages: string[] = [];
	socket.addEventListener('message', ({ data }) => {
		if (data === 'n8n|heartbeat') socket.send('n8n|heartbeat-ack');
		else if (data !== 'n8n|continue') messages.push(String(data));
	});
	let shown = 0;
	return {
		executionId,
		/** The next message that the chat shows. */
		async next() {
			const message = await until('a message in the chat', async () => messages[shown]);
			shown += 1;
			return message;
		},
	};
}

story('agent-with-approval: the agent deletes what a person approves', async (desk) => {
	const model = await startModel();
	try {
		desk.secrets.set('openAiApi', { apiKey: 'none', url: model.url });
		desk.createLink('autumn', 'https://example.com/autumn');
		/** Asks for the link to be deleted, presses a button in the chat, and returns how the agent answers. */
		const ask = async (webhookId: string, button: string) => {
			model.follow([
				() => ({ name: 'Search_links', arguments: { search: 'autumn' } }),
				() => ({ name: 'Delete_link', arguments: { toolParameters: { link_id: 1 } } }),
				({ results }) => `The tool says: ${results.at(-1)}`,
			]);
			const chat = await openChat(desk.url, webhookId, 'Delete the link autumn');
			const { text, buttons } = JSON.parse(await chat.next()) as Question;
			expect(text).toBe('The agent wants to run Delete_link with {"link_id":1}. Do you approve?');
			expect(buttons.map((one) => one.text)).toEqual(['Delete', 'Keep']);
			// Nothing is deleted before a person approves.
			expect(desk.held('links')).toHaveLength(1);
			const { link = '' } = buttons.find((one) => one.text === button) ?? {};
			// n8n ignores requests without a browser, because they may be previews of the link.
			const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
			const { statusCode, body } = await request(link, { headers });
			await body.dump();
			expect(statusCode).toBe(200);
			const said = await chat.next();
			expectSuccess(await desk.ended(chat.executionId));
			return said;
		};
		/** Publishes the example with a public chat, and returns the ID of the chat. */
		const publish = async (changes: Changes = {}) => {
			const webhookId = randomUUID();
			const id = await desk.add('agent-with-approval', {
				...{ 'OpenAI Chat Model': useCompletions, ...changes },
				'When chat message received': (node) => {
					node.webhookId = webhookId;
					node.parameters.public = true;
				},
			});
			await desk.activate(id);
			return webhookId;
		};
		const dry = await publish();
		expect(await ask(dry, 'Delete')).toMatch(/"outcome":"deleted".*"before":/);
		expect(desk.held('links')).toHaveLength(1);
		const real = await publish({ 'Delete link': turnDryRunOff });
		expect(await ask(real, 'Keep')).toMatch(/rejected the tool call/);
		expect(desk.held('links')).toHaveLength(1);
		expect(desk.writes).toEqual([]);
		expect(await ask(real, 'Delete')).toMatch(/"deleted":true/);
		expect(desk.held('links')).toEqual([]);
	} finally {
		await model.stop();
	}
});
