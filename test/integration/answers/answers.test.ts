import type { IDataObject } from 'n8n-workflow';
import type { Form } from '../../../testkit/service/form.ts';
import type { Fault, Hooks } from '../../../testkit/service/index.ts';
import type { Columns } from '../../../testkit/service/linkFields.ts';
import {
	eachLink,
	hintsOf,
	linksOf,
	outcomesOf,
	row,
	rows,
	writesIn,
} from '../../support/account.ts';
import type { NodeResult } from '../../support/n8n.ts';
import { sheetOn } from '../../support/mappedSheet.ts';
import { creations, reconciliations } from '../../support/operationNames.ts';
import { oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf, type Run } from '../../support/service.ts';

const { current, link, pixel } = useScriptedService();

const begin = (links: Columns[], hooks?: Hooks) => current().hold(links, hooks);

const writes = () => writesIn(current().requests);
const methods = () => writes().map(([method]) => method);

const sheet = sheetOn(link, { concurrency: 1 });

const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
const retried = { settings, retryOnFail: true };

const update = async (updateFields: IDataObject, run: Run = {}) =>
	await link('update', {
		...run,
		parameters: { linkId: byId(1), updateFields: updateFields as never },
	});

const dataOf = ({ error }: NodeResult) => error?.context.data as IDataObject | undefined;

/** What a service stores of a create instead of what was sent. */
const creating =
	(change: (form: Form) => Form): Hooks['form'] =>
	(form, { method }) =>
		method === 'POST' ? { ...form, ...change(form) } : form;

const renames = creating(({ alias }) => ({ alias: `x-${String(alias)}` }));

const strays: [string, Hooks, RegExp][] = [
	[
		'another alias',
		{ form: renames },
		/^Item 1 \(new-1\): The service returned another link for the create \(ID 3, https:\/\/short\.example\/s\/x-new-1\): Alias \(sent "new-1", returned "x-new-1"\)$/,
	],
	['the alias null', { form: creating(() => ({ alias: 'null' })) }, /returned "null"\)$/],
	[
		'another domain',
		{ form: creating(() => ({ domain_id: '2' })) },
		/^Item 1 \(new-1\): The service returned another link for the create \(ID 3, https:\/\/short\.example\/s\/2\/new-1\): Domain \(sent "1", returned 2\)$/,
	],
];

describe.each(strays)('a create that the service answers with %s', (_, hooks, message) => {
	const items = rows('new-1', 'new-2', 'new-3');
	const account = () => begin(linksOf(row('old-1'), row('old-2')), hooks);

	it.each<[string, IDataObject]>([
		['create', {}],
		['upsert', {}],
		['sync', { unmatchedLinks: 'delete' }],
		['sync', { unmatchedLinks: 'disable' }],
	])('fails %s %j, and no other create is sent', async (operation, parameters) => {
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			account();
			const result = await sheet(operation, items, { onError, parameters: parameters as never });
			expect(methods()).toEqual(['POST']);
			// Nothing is removed, disabled or looked up.
			expect(current().links.map(({ disabled }) => disabled)).toEqual([0, 0, 0]);
			expect(current().requests.at(-1)?.method).toBe('POST');
			if (onError === 'stopWorkflow') {
				expect(result.error?.message).toMatch(message);
				expect(dataOf(result)).toMatchObject({ outcome: 'unknown', retryable: false });
				expect(result.error?.description).toContain('Delete it');
			} else {
				const not = 'Not created, because the service returned another link for an earlier create';
				expect(jsonOf(result)).toMatchObject([
					{ error: expect.stringMatching(message), errorDetails: { outcome: 'unknown' } },
					...[1, 2].map(() => ({ error: expect.stringContaining(not) })),
				]);
			}
		}
	});

	it.each(creations)('is not repeated by Retry On Fail: %s', async (operation) => {
		account();
		const result = await sheet(operation, items, retried);
		expect(result.error?.message).toMatch(message);
		expect(methods()).toEqual(['POST']);
		expect(current().links).toHaveLength(3);
	});

	it('lets no create leave that is queued behind it', async () => {
		account();
		const many = Array.from({ length: 30 }, (_one, index) => row(`new-${index + 1}`));
		const result = await sheet('create', many, {
			onError: 'continueRegularOutput',
			parameters: { options: { concurrency: 4 } },
		});
		expect(writes().length).toBeLessThanOrEqual(4);
		expect(jsonOf(result)).toHaveLength(30);
	});
});

it.each(['url', 'domain'])('a create by URL whose response lacks %p is a stray', async (key) => {
	const without = ({ [key]: _, ...one }: IDataObject): IDataObject => one;
	begin([], { change: eachLink(without) });
	const { error } = await sheet('upsert', rows('a', 'b'), { parameters: { matchBy: 'url' } });
	expect(error?.message).toMatch(
		/^Item 1 \(a\): The service created the link, but its Destination URL/,
	);
	expect(methods()).toEqual(['POST']);
});

describe('Retry On Fail after a write that was carried out, although its responses were errors', () => {
	const lost = (method: string, ...later: Fault[]) => {
		begin(linksOf(...rows('a', 'b')));
		const effect = { kind: 'body', status: 500, body: null } as const;
		current().service.set({ faults: [{ on: { method }, times: 1, effect }, ...later] });
	};
	const options = { maxWait: 0 };

	it.each([[1], [0]])('an update does not say it was not sent: Max Wait %d', async (maxWait) => {
		lost('PUT', { on: {}, effect: { kind: 'status', status: 503, body: { message: 'Gone.' } } });
		const parameters = { linkId: byId(1), updateFields: { privacy: 1 }, options: { maxWait } };
		const { error } = await link('update', { ...retried, parameters: parameters as never });
		expect(`${error?.message} ${error?.description}`).toMatch(
			/503\) The .* change\. Wait .* said: Gone\./,
		);
		expect(error?.context.data).toMatchObject({ outcome: 'unknown', retryable: true });
	});

	it.each<[string, string, IDataObject[], IDataObject, string[]]>([
		['upsert', 'PUT', [row('a', { url: 'https://example.com/new' })], {}, ['unchanged']],
		['sync', 'DELETE', rows('a'), { unmatchedLinks: 'delete' }, ['unchanged', 'missing']],
		['sync', 'PUT', rows('a'), { unmatchedLinks: 'disable' }, ['unchanged', 'disabled']],
	])('%s does not say that nothing was changed: %s', async (operation, method, items, ...more) => {
		const [given, outcomes] = more;
		lost(method);
		const parameters = { options, ...given } as never;
		const result = await sheet(operation, items, { ...retried, parameters });
		expect(hintsOf(result)).not.toContain('Nothing was changed');
		expect(outcomesOf(result)).toEqual(outcomes);
	});

	it('sync names each link once, as removed or perhaps removed', async () => {
		begin(linksOf(...rows('a', 'b', 'c')));
		const failing = (path: string, kind: string, times?: number) =>
			({ on: { path }, times, effect: { kind, status: 500, body: null } }) as Fault;
		const faults = [failing('/links/3', 'status', 1), failing('/links/2', 'body')];
		current().service.set({ faults });
		const twice = { ...retried, settings: { ...settings, maxTries: 2 } };
		const parameters = { options, unmatchedLinks: 'delete' };
		const { error } = await sheet('sync', rows('a'), { ...twice, parameters });
		expect(error?.description).toMatch(/Removed: c \(ID 3\)\. Perhaps removed: b \(ID 2\)\.$/);
	});

	it('an item does not change the link that an earlier try created for another one', async () => {
		begin([], { form: creating(({ alias }) => ({ alias: String(alias).toLowerCase() })) });
		const items = [row('Spring', { url: 'https://e.com/1' }), row('spring')];
		for (const operation of reconciliations) {
			const { error } = await sheet(operation, items, retried);
			expect(error?.message).toMatch(/Another item of this run (?:created|has) spring \(ID \d\)/);
			expect(current().links).toMatchObject([{ url: 'https://e.com/1' }]);
		}
	});

	it('a create whose response contradicts it is not sent again', async () => {
		begin([], { form: ({ password: _, ...form }) => form });
		const parameters = { matchBy: 'id', options: { ...options, mapPasswords: true } };
		const item = { ...row('a'), id: '', password: 's3cret-1' };
		await sheet('upsert', [item], { ...retried, parameters });
		expect(methods()).toEqual(['POST']);
	});

	it('a stray create is not sent again after one without a response', async () => {
		begin(linksOf(row('old')), { form: renames });
		const effect = { kind: 'status', status: 500 } as const;
		current().service.set({ faults: [{ on: { method: 'POST' }, times: 1, effect }] });
		const result = await sheet('upsert', [row('new')], { ...retried, parameters: { options } });
		expect(methods()).toEqual(['POST', 'POST']);
		expect(result.error?.description).not.toContain('may have processed');
	});

	it('a delete is unknown if a web page says that the link is missing', async () => {
		lost('DELETE', { on: {}, effect: { kind: 'html', status: 404 } });
		const { error } = await link('delete', { parameters: { linkId: byId(1) } });
		expect(error?.context.data).toMatchObject({ outcome: 'unknown' });
	});

	it('a delete whose link is missing then is unknown', async () => {
		lost('DELETE');
		const linkId = { __rl: true, mode: 'alias', value: 'a' };
		const result = await link('delete', { ...retried, parameters: { linkId, options } });
		expect(dataOf(result)).toMatchObject({ outcome: 'unknown', retryable: false });
		expect(result.error?.description).toMatch(/^The service may have processed the request/);
	});
});

describe('a stray is named and not multiplied', () => {
	const textOf = (result: NodeResult) =>
		[result.error?.message, result.error?.description, hintsOf(result)].join('\n');

	it('also those that were in flight when the first one was answered', async () => {
		begin([], { form: renames });
		const result = await sheet('create', rows('a', 'b', 'c', 'd'), {
			parameters: { options: { concurrency: 4 } },
		});
		for (const stored of current().links) expect(textOf(result)).toContain(stored.short_url);
	});

	it.each([false, true])('if its answer is lost, with Retry On Fail: %s', async (retryOnFail) => {
		begin(linksOf(row('old')), { form: renames });
		const effect = { kind: 'body', status: 500, body: { message: 'Oops' } } as const;
		current().service.set({ faults: [{ on: { method: 'POST' }, effect }] });
		const parameters = { options: { maxWait: 5 } };
		const result = await sheet('upsert', rows('a'), { ...(retryOnFail && retried), parameters });
		expect(dataOf(result)).toMatchObject({ outcome: 'unknown' });
		// The second lost answer makes the node look for a link with these values under another alias.
		expect(current().links.length - 1).toBeLessThanOrEqual(2);
		expect(textOf(result)).toContain('https://short.example/s/x-a');
	});

	it('beside one that an earlier try may have left', async () => {
		let count = 0;
		begin([], { form: (form) => ({ ...form, alias: `own-${(count += 1)}` }) });
		const effect = { kind: 'body', status: 500, body: null } as const;
		current().service.set({ faults: [{ on: { method: 'POST' }, times: 1, effect }] });
		const form = { domainId: byId(1), options: { generateAlias: 8 } };
		const { error } = await link('create', { parameters: { url: 'https://e.com/', ...form } });
		expect(current().links).toHaveLength(2);
		expect(error?.description).toContain(
			'An earlier try got no response, and may have created another one.',
		);
	});

	it('nor is a link that belongs to another row', async () => {
		const url = 'https://example.com/same';
		const rename = (alias: unknown) => current().service.links.update(1, { alias });
		begin(linksOf({ alias: 'a', url }), {
			answer: ({ method, body }) => {
				if (method !== 'POST') return undefined;
				// The service knows one link for each destination, and renames it.
				return oneOf(rename(new URLSearchParams(body).get('alias')) as IDataObject);
			},
		});
		const items = [row('a', { url }), row('b', { url }), row('c', { url })];
		for (const operation of reconciliations) {
			rename('a');
			const result = await sheet(operation, items, { onError: 'continueRegularOutput' });
			const done = jsonOf(result).filter(({ error }) => error === undefined);
			expect(done).toHaveLength(1);
		}
	});

	it('nor is a link whose response is lost after the search for another row has found it', async () => {
		let found: () => void = () => undefined;
		const isFound = new Promise<void>((resolve) => (found = resolve));
		begin([], {
			answer: async ({ body }) => {
				// Another program creates it after the node has searched for it.
				if (/alias=n1$/.test(body)) current().add({ domain_id: 1, ...row('n1') });
				if (!/alias=n10$/.test(body)) return undefined;
				current().add({ domain_id: 1, ...row('n10') });
				await isFound;
				return 'drop';
			},
			after: ({ query }) => {
				if (query.search === 'n1' && current().links.length > 1) found();
			},
		});
		const result = await sheet('upsert', rows('n10', 'n1'), {
			parameters: { options: { concurrency: 2 } },
		});
		expect(result.error).toBeUndefined();
		expect(outcomesOf(result)).toEqual(['created', 'unchanged']);
		expect(methods()).toEqual(['POST', 'POST']);
	});

	it('where the service changes the case of an alias and stores a second one', async () => {
		// It stores each link under an alias of its own, and shows all without the number.
		let count = 0;
		begin([], {
			form: creating(({ alias }) => ({ alias: `${String(alias).toLowerCase()}_${(count += 1)}` })),
			change: eachLink(({ alias, ...link }) => ({
				...{ ...link, alias: String(alias).replace(/_\d+$/, '') },
			})),
		});
		const items = rows('Aa', 'Bb', 'Cc');
		expect(outcomesOf(await sheet('upsert', items))).toEqual(items.map(() => 'created'));
		const second = await sheet('upsert', items, { parameters: { options: { concurrency: 5 } } });
		expect(second.error?.message).toMatch(
			/another link for the create \(ID 4, .*a link with this alias already exists$/,
		);
		expect(current().links).toHaveLength(4);
	});
});

it('a pixel that is created under another name is a stray', async () => {
	const made = { id: 7, name: 'Other', type: 'bing', value: 'v' };
	current().follow(({ method }) => (method === 'GET' ? pageOf([]) : oneOf(made)));
	for (const operation of ['create', 'upsert']) {
		current().requests.length = 0;
		const parameters = { name: 'Mine', type: 'bing', value: 'v' };
		const result = await pixel(operation, { parameters });
		expect(result.error?.message).toBe(
			'The service returned another pixel for the create (ID 7): Name (sent "Mine", returned "Other")',
		);
		expect(current().requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
	}
});

it('does not count a create as done if its response has only the ID of another row', async () => {
	current().follow(() => oneOf({ id: 1 }));
	const result = await link('create', {
		items: ['a', 'b', 'a'].map((page) => ({ url: `https://example.com/${page}` })),
		onError: 'continueRegularOutput',
		parameters: { url: '={{ $json.url }}', options: { concurrency: 1 } as never },
	});
	expect(jsonOf(result)).toMatchObject([
		{ id: 1 },
		{ error: expect.stringContaining('another link for the create (ID 1)') },
		{ error: expect.stringContaining('the service returned another link for an earlier create') },
	]);
});

it.each([
	['upsert', 1, {}],
	['create', 5, {}],
	['create', 5, { alias: '' }],
])('nor if the response to %s has only the ID %i of another: %j', async (operation, id, cells) => {
	const lie = eachLink((each) => (String(each.url).endsWith('/n3') ? { ...each, id } : each));
	begin(linksOf(...rows('a', 'b', 'c', 'd')), { change: lie });
	const items = rows('n1', 'n2', 'n3', 'n4').map((each) => ({ ...each, ...cells }));
	const result = await sheet(operation, items);
	expect(result.error?.message).toContain(`another link for the create (ID ${id}, `);
	expect(methods()).toEqual(['POST', 'POST', 'POST']);
});

describe('a field that the service does not store', () => {
	/** The fields of an update, what the account keeps in their place, and what the message says. */
	const denied: [fields: IDataObject, kept: IDataObject, text: string][] = [
		[
			{ url: 'https://e.com/new' },
			{ url: 'https://e.com/old' },
			'Destination URL (sent "https://e.com/new", returned "https://e.com/old")',
		],
		[{ disabled: true }, { disabled: 0 }, 'Disabled (sent "1", returned 0)'],
		[{ disabled: false }, { disabled: '1' }, 'Disabled (sent "0", returned "1")'],
		[{ password: 'secret-1' }, { password: false }, 'Password (not set in the response)'],
		[{ privacy: 1 }, { privacy: 0 }, 'Statistics Privacy (sent "1", returned 0)'],
		[
			{ expiration: '2031-05-02T10:00' },
			{ ends_at: '2031-05-01T10:00:00.000000Z' },
			'Expiration (sent "2031-05-02 10:00", returned "2031-05-01 10:00")',
		],
		[{ targetType: 0 }, { target_type: 1 }, 'Target Type (sent "0", returned 1)'],
		[
			{ country: { rules: [{ key: 'DE', value: 'https://e.com/de' }] } },
			{ country_target: [] },
			'Country Rules',
		],
		[{ alias: 'new' }, { alias: 'old' }, 'Alias (sent "new", returned "old")'],
	];

	it.each(denied)('fails an update of %j that keeps %j', async (fields, kept, text) => {
		const change = eachLink((stored) => ({ ...stored, ...kept }));
		begin(linksOf(row('a')), { form: () => ({}), change });
		const result = await update(fields);
		expect(result.error?.message).toContain('The service reported success, but did not store ');
		expect(result.error?.message).toContain(text);
		expect(result.error?.message).not.toContain('secret-1');
		expect(dataOf(result)).toMatchObject({ outcome: 'unknown', retryable: false });
		expect(methods()).toEqual(['PUT']);
	});

	it.each<[IDataObject, IDataObject]>([
		[{ url: 'https://example.com/a' }, { url: 'https://evil.example/a' }],
		[{ url: 'https://example.com/a' }, { url: 'https://example.com/b' }],
		[{ password: 'secret-1' }, { password: false }],
		[{ privacy: 1 }, { privacy: 0 }],
		[{ disabled: true }, { disabled: 0 }],
		[{ expiration: '2031-05-02' }, { ends_at: '2030-05-02T23:59:00Z' }],
		[{ country: { rules: [{ key: 'DE', value: 'https://e.com/de' }] } }, { country_target: null }],
	])('fails a create of %j that stores %j', async (fields, stored) => {
		begin([], { change: eachLink((link) => ({ ...link, ...stored })) });
		const { url = 'https://example.com/a', ...additionalFields } = fields;
		const result = await link('create', {
			parameters: { url, domainId: byId(1), additionalFields } as never,
		});
		expect(result.error?.message).toContain('did not store ');
		const links = current().links.map(({ id, short_url: shortUrl }) => `ID ${id}, ${shortUrl}`);
		expect(links).toHaveLength(1);
		expect(result.error?.description).toContain(links[0]);
	});

	it('fails what is cleared and stays', async () => {
		const kept = { password: 1, ends_at: '2031-05-01T10:00:00Z' };
		begin(linksOf({ ...row('a'), ...kept }), { form: () => ({}) });
		const result = await link('update', {
			parameters: { linkId: byId(1), clearFields: ['password', 'expiration'] },
		});
		expect(result.error?.message).toMatch(
			/Expiration \(cleared, returned "2031-05-01 10:00"\); Password \(still set in the response\)/,
		);
	});

	it.each([null, []])('is none for rules that are off: %j', async (shown) => {
		const change = eachLink((l) => (Number(l.target_type) ? l : { ...l, country_target: shown }));
		begin([], { change });
		for (const targetType of ['Geographic', 'None', 'None']) {
			const rules = { targetType, 'Country Rules': 'DE=https://e.com/de' };
			expect((await sheet('upsert', [row('a', rules)])).error).toBeUndefined();
		}
		expect(writes()[1]).toEqual(['PUT', '1', { target_type: '0' }]);
	});

	it('of any other kind is counted in the hint', async () => {
		const items = ['a', 'b', 'c'].map((alias) =>
			row(alias, { expirationUrl: 'https://example.com/over', pixels: '3' }),
		);
		begin(linksOf(row('a'), row('b')), {
			form: (form) => ({ ...form, expiration_url: 'https://example.com/other', pixel_ids: [''] }),
		});
		const result = await sheet('upsert', items);
		expect(result.error).toBeUndefined();
		expect(outcomesOf(result)).toEqual(['updated', 'updated', 'created']);
		expect(hintsOf(result)).toContain(
			'The service did not store these values as sent: Expiration Redirect URL in 3 items, Pixels in 3 items.',
		);
	});

	it('says so for a removal of Sync', async () => {
		begin(linksOf(row('a'), row('b')), { form: () => ({}) });
		const result = await sheet('sync', rows('a'), { parameters: { unmatchedLinks: 'disable' } });
		expect(result.error?.message).toMatch(
			/b \(ID 2\), which is in no row: The service reported success, but did not store Disabled \(sent "1", returned 0\)$/,
		);
		expect(dataOf(result)).toMatchObject({ outcome: 'unknown' });
	});
});

it.each<[string, IDataObject, IDataObject]>([
	['null', { disabled: true, privacy: 1 }, { disabled: null, privacy: null }],
	['a secret that is not shown', { password: 'secret-1' }, { password: null }],
	['another case and spaces', { alias: 'Spring' }, { alias: ' spring ' }],
	['a normalized URL', { url: 'HTTPS://Example.COM/ä' }, { url: 'https://example.com/%c3%a4' }],
	['a moment in UTC', { expiration: '2031-05-01T12:00' }, { ends_at: '2031-05-01T10:00:00Z' }],
])('an answer that says the same with %s is a success', async (_, fields, stored) => {
	begin(linksOf(row('a')), { change: eachLink((link) => ({ ...link, ...stored })) });
	const { url = 'https://example.com/a', ...additionalFields } = fields;
	const parameters = { url, domainId: byId(1), alias: 'spring', additionalFields } as never;
	for (const result of [
		await update(fields, { timezone: 'Europe/Berlin' }),
		await link('create', { timezone: 'Europe/Berlin', parameters }),
	]) {
		expect(result.error?.message).toBeUndefined();
		expect(hintsOf(result)).not.toContain('did not store');
	}
});

it('a secret that the service repeats is not in the message', async () => {
	begin([], { form: (form) => ({ ...form, url: 'https://h.example/?p=secret-1' }) });
	const result = await sheet('create', [row('a', { password: 'secret-1' })]);
	expect(result.error?.message).toContain('did not store Destination URL');
	expect([result.error?.message, result.error?.description].join()).not.toContain('secret-1');
});

it('an update that is answered with another alias says which', async () => {
	begin(linksOf(row('a', { privacy: 1 })), { form: () => ({ alias: 'other' }) });
	const result = await sheet('upsert', [row('a', { privacy: 0 })]);
	expect(result.error?.message).toContain(
		'a different link (ID 1, https://short.example/s/other): Alias (sent "a", returned "other")',
	);
});
