import { randomUUID } from 'node:crypto';
import { request, WebSocket } from 'undici';
import { startService } from '../../testkit/service/index.ts';
import {
	apiKey,
	Desk,
	everyTenSeconds,
	expectSuccess,
	turnDryRunOff,
	until,
	type Changes,
} from '../support/desk.ts';
import type { ExampleNode } from '../support/exampleFiles.ts';
import { useExamples } from '../support/examples.ts';
import { startModel } from '../support/model.ts';
import { readPng, textIn } from '../support/pictures.ts';
import { everyFiveSeconds } from '../support/polling.ts';

const story = useExamples();

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
	expect(await desk.held('links')).toMatchObject([
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
	await desk.createLink('old', 'https://example.com/old');
	const id = await desk.add('new-link-message', {
		'When a link is created': ({ parameters }) => {
			parameters.pollTimes = everyFiveSeconds;
		},
	});
	await desk.activate(id);
	await desk.createLink('spring', 'https://example.com/spring');
	await desk.createLink('summer', 'https://example.com/summer');
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
	const runs = await Promise.all(
		(await desk.executions(id)).map(async (one) => await desk.ended(one)),
	);
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
			const form = {
				...{ url: 'https://example.com/', domain_id: '1' },
				...{ expiration_date: '2099-12-31', expiration_time: '23:59' },
			};
			await desk.ask('POST', '/links', {
				...{ ...form, alias: 'by-country', target_type: '1' },
				...{ 'country[0][key]': 'DE', 'country[0][value]': 'https://example.com/de' },
			});
			await desk.createLink('plain', 'https://example.com/plain');
			await desk.ask('POST', '/links', {
				url: form.url,
				domain_id: '1',
				alias: 'off',
				disabled: '1',
			});
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
				(await account.held('links'))
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
		await desk.createLink('autumn', 'https://example.com/autumn');
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
			expect(await desk.held('links')).toHaveLength(1);
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
				...changes,
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
		expect(await desk.held('links')).toHaveLength(1);
		const real = await publish({ 'Delete link': turnDryRunOff });
		expect(await ask(real, 'Keep')).toMatch(/rejected the tool call/);
		expect(await desk.held('links')).toHaveLength(1);
		expect(desk.writes).toEqual([]);
		expect(await ask(real, 'Delete')).toMatch(/"deleted":true/);
		expect(await desk.held('links')).toEqual([]);
	} finally {
		await model.stop();
	}
});
