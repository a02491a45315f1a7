import type { IDataObject } from 'n8n-workflow';
import { chosen, descriptionOf, hintsOf, messageOf, useColumns } from '../../support/columns.ts';
import { byId, jsonOf } from '../../support/service.ts';

const { current, link, mapped, lastForm, madeLink, madePixel, arrived } = useColumns();

const url = 'https://example.com/a';

/** What was read: `/links 1` for each page. */
const reads = () =>
	current()
		.requests.filter(({ method }) => method === 'GET')
		.map(
			({ path, query }) =>
				`${path.replace('/api/v1', '')} ${new URLSearchParams(query).get('page')}`,
		);

const createWith = async (
	domainId: IDataObject | string,
	{ alias = '', ...additionalFields }: IDataObject = {},
) =>
	await link('create', {
		parameters: { url, domainId, alias, additionalFields } as never,
	});

describe('a domain', () => {
	it('is found by its name, in any case, with blanks, and as an address', async () => {
		await createWith(chosen(2), { alias: 'first' });
		for (const domainId of [
			...['go.example', ' Go.Example ', 'https://go.example/'].map(byId),
			'={{ "go.example" }}',
		]) {
			current().requests.length = 0;
			expect(messageOf(await createWith(domainId))).toBe('undefined');
			expect(lastForm()).toMatchObject({ domain_id: '2' });
			expect(reads()).toEqual(['/links 1']);
		}
	});

	it('is read once for all rows of a run, and not for IDs', async () => {
		await createWith(chosen(2), { alias: 'first' });
		current().requests.length = 0;
		const items = ['go.example', '2', 2, 'GO.example', '1'].map((domain) => ({ domain }));
		const result = await link('create', {
			items,
			parameters: { url, domainId: '={{ $json.domain }}' },
		});
		expect(messageOf(result)).toBe('undefined');
		const sent = arrived().map((text) => new URLSearchParams(text.split(' ')[2]).get('domain_id'));
		expect(sent.toSorted()).toEqual(['1', '2', '2', '2', '2']);
		expect(reads()).toEqual(['/links 1']);
		current().requests.length = 0;
		await createWith(byId('2'));
		await createWith({ __rl: true, mode: 'list', value: 'go.example' });
		expect(reads()).toEqual([]);
	});

	it('that nothing is known of is refused before anything is written, with the names of the list', async () => {
		await createWith(chosen(2), { alias: 'first' });
		await createWith(chosen(1), { alias: 'second' });
		current().requests.length = 0;
		const items = ['go.example', 'go.exampel', 'promo.test'].map((domain) => ({ domain }));
		const parameters = { url, domainId: '={{ $json.domain }}' };
		const result = await link('create', { items, parameters });
		expect(descriptionOf(result)).toBe(
			[
				'Items 2, 3: Domain "go.exampel", … was not found among the domains of your newest 1,000 links; use the ID, or one of: short.example, go.example.',
				'Nothing was sent.',
			].join('\n'),
		);
		expect(arrived()).toEqual([]);
		const going = await link('create', { items, parameters, onError: 'continueRegularOutput' });
		expect(jsonOf(going).map(({ error }) => error !== undefined)).toEqual([false, true, true]);
		expect(arrived()).toHaveLength(1);
	});

	it('of an account without links is refused as a name', async () => {
		const result = await createWith(byId('short.example'));
		expect(messageOf(result)).toBe(
			'Domain "short.example" cannot be looked up. You have no links yet, so names are unknown. Use the ID',
		);
		expect(arrived()).toEqual([]);
	});
});

describe('pixels and spaces', () => {
	it('are found by their names in columns, as text and as lists, as the output has them', async () => {
		const spring = await madePixel('Spring visitors');
		const other = await madePixel('42');
		const first = await madeLink('first', { spaceId: chosen(2), pixelIds: [spring] });
		const output = { output: 'selectedFields', outputFields: ['url', 'space', 'pixels'] };
		const got = await link('get', { parameters: { linkId: chosen(first), ...output } });
		const [read] = jsonOf(got);
		expect(read).toMatchObject({ space: 'Support', pixels: ['Spring visitors'] });
		current().requests.length = 0;
		await mapped('create', [{ ...read, alias: 'copy', domain: 1 }]);
		expect(lastForm()).toMatchObject({ space_id: '2', 'pixel_ids[]': `${spring}` });
		expect(reads().toSorted()).toEqual(['/links 1', '/pixels 1']);
		const text = await mapped('create', [{ url, pixels: `spring VISITORS, ${other}` }]);
		expect(messageOf(text)).toBe('undefined');
		expect(lastForm()['pixel_ids[]']).toBe(`${spring},${other}`);
	});

	it('digits are always an ID', async () => {
		await madePixel('7777');
		const result = await mapped('create', [{ url, pixels: '7777' }]);
		expect(reads()).toEqual([]);
		expect(messageOf(result)).toMatch(/there is no such pixel/);
	});

	it('may begin with a bracket, and hold commas in a JSON list', async () => {
		const [eu, comma] = [await madePixel('[EU] Visitors'), await madePixel('Spring, 2024')];
		for (const [pixels, sent] of [
			['[EU] Visitors', `${eu}`],
			['[EU] Visitors, ', `${eu}`],
			['["Spring, 2024", "[eu] visitors"]', `${comma},${eu}`],
			[`\ufeff[eu] visitors\r\n${comma}\r\n`, `${eu},${comma}`],
			[`[EU]\u00a0Visitors; ${comma}\n`, `${eu},${comma}`],
			[[{ id: '', name: 'Spring, 2024' }], `${comma}`],
		]) {
			const result = await mapped('create', [{ url, pixels }]);
			expect(messageOf(result)).toBe('undefined');
			expect(lastForm()['pixel_ids[]']).toBe(sent);
		}
		const split = await mapped('create', [{ url, pixels: 'Spring, 2024' }]);
		expect(messageOf(split)).toContain(
			'"Spring" was not found among the pixels of the account; use the ID, or one of: Spring, 2024, [EU] Visitors',
		);
	});

	it('unknown pixels are refused by name, each one of a cell', async () => {
		await madePixel('Spring visitors');
		const result = await mapped('update', [{ id: 1, pixels: 'Spring visitor, Sumer' }]);
		expect(messageOf(result)).toBe(
			'Item 1: Pixels "Spring visitor" was not found among the pixels of the account; use the ID, or one of: Spring visitors, or add the column pixels to Inputs to Ignore. Pixels "Sumer" was not found among the pixels of the account; use the ID, or one of: Spring visitors',
		);
		expect(arrived()).toEqual([]);
	});

	it('filter a list, and bound a sync', async () => {
		const pixel = await madePixel('Spring visitors');
		await madeLink('first', { spaceId: chosen(2), pixelIds: [pixel] });
		const filters = { pixelId: byId('spring visitors'), spaceId: byId('support') };
		const found = await link('getAll', { parameters: { filters } as never });
		expect(messageOf(found)).toBe('undefined');
		expect(jsonOf(found)).toHaveLength(1);
		expect(current().requests.at(-1)?.query).toContain(`pixel_id=${pixel}`);
		const synced = await mapped('sync', [{ alias: 'second', url, domain: 'short.example' }], {
			syncScope: { spaceId: byId('Support') },
		} as never);
		expect(messageOf(synced)).toBe('undefined');
		expect(lastForm()).toMatchObject({ space_id: '2', domain_id: '1' });
		const outside = await mapped('sync', [{ alias: 'third', url }], {
			syncScope: { spaceId: byId('Suport') },
		} as never);
		expect(messageOf(outside)).toMatch(
			/Space "Suport" was not found among the spaces .*; use the ID, or one of: Support$/,
		);
	});
});

describe('names that cannot be read', () => {
	const parameters = { url, domainId: byId('go.example') };
	const onError = 'continueRegularOutput' as const;

	const unread =
		'Domain "go.example" cannot be looked up, because the list of domains could not be read: The service did not accept the API key (HTTP 401); use the ID';

	it('are named with the reason and what to do', async () => {
		const result = await link('create', { parameters, credential: { apiKey: 'a-wrong-key-000' } });
		expect(messageOf(result)).toBe(unread);
		expect(descriptionOf(result)).toMatch(
			/^Nothing was sent\.\nOpen the credential and enter a valid API key/,
		);
		expect(arrived()).toEqual([]);
	});

	const refuseList = (path: string, status: number) =>
		current().set({
			faults: [{ on: { method: 'GET', path }, effect: { kind: 'status', status } }],
		});

	const sheet = [
		{ alias: 'a', url },
		{ alias: 'b', url, pixels: 'Spring' },
		{ alias: 'c', url, pixels: '7, Spring' },
		{ alias: 'd', url, pixels: '' },
	];

	const pixelsUnread =
		'Pixels "Spring" cannot be looked up, because the list of pixels could not be read: The service does not allow this for the account of the API key (HTTP 403); use the ID';

	it('fail only the rows that use them, and nothing is sent where the node stops', async () => {
		refuseList('/pixels', 403);
		const stopped = await mapped('create', sheet);
		expect(messageOf(stopped)).toBe('2 of 4 items cannot be sent');
		expect(descriptionOf(stopped)).toMatch(
			/^Items 2 \(b\), 3 \(c\): Pixels "Spring" cannot be looked up, because the list of pixels could not be read: .*\(HTTP 403\); use the ID\.\nNothing was sent\.\nCheck whether the plan/,
		);
		expect(arrived()).toEqual([]);
		const going = await mapped('create', sheet, {}, { onError });
		const told = (item: number, alias: string) => `Item ${item} (${alias}): ${pixelsUnread}`;
		expect(jsonOf(going).map(({ error }) => error)).toEqual([
			...[undefined, told(2, 'b'), told(3, 'c'), undefined],
		]);
		expect(
			arrived()
				.map((text) => /alias=(\w)/.exec(text)?.[1])
				.sort(),
		).toEqual(['a', 'd']);
	});

	it.each([
		[403, { url }, false],
		[503, { url }, true],
		// Something else is wrong with the row, so that running it again does not help.
		[503, { url: 'no address' }, false],
	])('after HTTP %d, in the row %j: retryable is %j', async (status, row, retryable) => {
		refuseList('/pixels', status);
		const items = [{ alias: 'b', pixels: 'Spring', ...row }];
		const options = { maxWait: 0 } as never;
		const [item] = jsonOf(await mapped('create', items, { options }, { onError }));
		expect(item?.error).toContain(`(HTTP ${status})`);
		expect(item?.errorDetails).toMatchObject({ outcome: 'failed', retryable });
		expect(arrived()).toEqual([]);
	});

	it('make a Sync remove nothing', async () => {
		await madeLink('gone');
		refuseList('/pixels', 403);
		const unmatched = { unmatchedLinks: 'delete' };
		const result = await mapped('sync', sheet.slice(0, 2), unmatched, { onError });
		expect(jsonOf(result).map(({ error, outcome }) => outcome ?? error)).toEqual([
			...['created', `Item 2 (b): ${pixelsUnread}`],
		]);
		expect(hintsOf(result).join()).toContain(
			'Nothing was removed, because not all items could be sent',
		);
		expect(arrived().map((text) => text.split(' ')[0])).toEqual(['POST']);
	});

	it.each([undefined, onError])(
		'refuse a Sync whose scope needs them (On Error: %s)',
		async (way) => {
			await madeLink('gone');
			refuseList('/links', 403);
			const syncScope = { spaceId: byId('Support') } as never;
			const rows = [{ alias: 'a', url, domain: 1 }];
			const result = await mapped('sync', rows, { syncScope }, { onError: way });
			const said = way === undefined ? messageOf(result) : jsonOf(result)[0]?.error;
			expect(said).toMatch(
				/Space "Support" cannot be looked up, because the list of spaces could not be read: .*\(HTTP 403\); use the ID$/,
			);
			expect(arrived()).toEqual([]);
		},
	);

	it('end the run if it is canceled', async () => {
		current().set({ faults: [{ on: { path: '/pixels' }, effect: { kind: 'hang' } }] });
		await mapped('create', sheet, {}, { onError, cancelAfter: 300 }).catch(() => undefined);
		expect(arrived()).toEqual([]);
	});
});
