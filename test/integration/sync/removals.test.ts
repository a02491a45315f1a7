import type { IDataObject, INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { without } from '../../../nodes/shared/contract/values';
import { insert } from '../../../testkit/service/database.ts';
import type { Hooks } from '../../../testkit/service/index.ts';
import {
	eachLink,
	hintsOf,
	linksOf,
	linksOfItems,
	numbered,
	outcomesOf,
	row,
	rows,
} from '../../support/account.ts';
import { messageOf } from '../../support/columns.ts';
import { sheetOn } from '../../support/mappedSheet.ts';
import { linkAs, oneOf } from '../../support/scriptedAnswers.ts';
import { useScriptedSync } from '../../support/scriptedSync.ts';
import { byId, continues, jsonOf, succeeded } from '../../support/service.ts';

const { sync, begin, writes, methods, aliases, current, link } = useScriptedSync();

const missing = { status: 404, body: { message: 'Resource not found.', status: 404 } };

interface Page {
	readonly data: IDataObject[];
	readonly meta: IDataObject;
}

describe('nothing is removed', () => {
	it('where a page of the list cannot be read', async () => {
		begin(linksOf(...numbered(250)), {
			answer: ({ query }) => (query.page === '2' ? { status: 500 } : undefined),
		});
		const parameters = { options: { maxRemovals: 1000, maxWait: 1 } };
		const result = await sync(numbered(3), parameters);
		expect(result.error?.message).toMatch(/HTTP 500/);
		expect(result.error?.message).not.toMatch(/Row/);
		const going = await sync([...numbered(2), ...rows('new')], parameters, continues);
		expect(jsonOf(going)).toMatchObject(
			Array(3).fill({ error: expect.stringMatching(/HTTP 500/) }),
		);
		expect(writes()).toEqual([]);
		expect(current().links).toHaveLength(250);
	});

	it.each<[string, (page: Page) => object]>([
		[
			'has nothing on its second page',
			({ data, meta }) => ({ data: meta.current_page === 2 ? [] : data, meta }),
		],
		[
			'sends the first page again and again',
			({ data, meta }) => ({ data, meta: { ...meta, current_page: 1 } }),
		],
		['reports a larger total than it lists', ({ data, meta }) => ({ data: data.slice(1), meta })],
		['answers with something else', () => ({ message: 'Welcome' })],
	])('where the service %s', async (_name, changed) => {
		begin(linksOf(...numbered(250)), { change: (page) => changed(page as unknown as Page) });
		const result = await sync(numbered(2), { options: { maxRemovals: 1000 } });
		expect(result.error?.message).toMatch(/list|page/);
		expect(result.error?.description).toMatch(/^Nothing was changed in this try\. /);
		expect(writes()).toEqual([]);
		expect(current().links).toHaveLength(250);
	});

	it('where the list gets shorter each time it is read', async () => {
		begin(linksOf(...numbered(250)), {
			before: ({ query }) => {
				const { links, service } = current();
				if (query.page === '2') service.links.remove(Number(links[0]?.id));
			},
		});
		const result = await sync(numbered(2), { options: { maxRemovals: 1000 } });
		expect(result.error?.message).toMatch(/The list changed 3 times/);
		expect(writes()).toEqual([]);
	});

	it.each([
		['create', 'POST', row('new')],
		['update', 'PUT', row('a', { url: 'https://example.com/new' })],
	])('where a %s failed', async (_name, method, item) => {
		const refusal = { status: 422, body: { message: { url: ['No.'] }, status: 422 } };
		begin(linksOf(...rows('a', 'b', 'c')), {
			answer: (request) => (request.method === method ? refusal : undefined),
		});
		const items = [item, row('c')];
		expect((await sync(items)).error?.message).toMatch(/^Item 1 \((a|new)\): .*HTTP 422/);
		const result = await sync(items, {}, continues);
		expect(outcomesOf(result)).toEqual([undefined, 'unchanged']);
		expect(hintsOf(result)).toMatch(/Nothing was removed, because not all items succeeded/);
		expect(aliases()).toEqual(['a', 'b', 'c']);
		const kept = await sync(items, { unmatchedLinks: 'keep' }, continues);
		expect(hintsOf(kept)).not.toContain('Nothing was removed');
	});
});

describe('a removal', () => {
	it('that finds nothing more is told as missing, and the others go on', async () => {
		begin(linksOf(...rows('a', 'b', 'c')), {
			answer: ({ method, path }) =>
				method === 'DELETE' && path === '/links/3' ? missing : undefined,
		});
		const result = await sync(rows('a'));
		expect(jsonOf(result).map(({ alias, outcome }) => [alias, outcome])).toEqual([
			['a', 'unchanged'],
			['c', 'missing'],
			['b', 'deleted'],
		]);
		expect(hintsOf(result)).toMatch(
			/^1 item: 1 unchanged; 1 link that is no longer in the rows was deleted; 1 link that is no longer in the rows was already missing\.$/m,
		);
		expect(current().links).toHaveLength(2);
	});

	it('that fails names what it is about, and no row', async () => {
		const begins = (refused = '/links/3') =>
			begin(linksOf(...rows('a', 'b', 'c')), {
				answer: ({ path }) => (path === refused ? { status: 403 } : undefined),
			});
		begins('/links/2');
		expect((await sync(rows('a'))).error?.description).toMatch(/done: 1\. Removed: c \(ID 3\)\.$/);
		begins();
		const result = await sync(rows('a', 'new'));
		expect(result.error?.message).toMatch(/^The link c \(ID 3\), which is in no row: .*HTTP 403/);
		expect(result.error?.description).toMatch(/Items done: 1–2\.(?! Items).* run the node again/);
		expect(result.error?.context.data).not.toHaveProperty('row');
		expect(methods()).toEqual(['POST ', 'DELETE 3']);

		begins();
		const going = await sync(rows('a', 'new'), {}, continues);
		expect(outcomesOf(going)).toEqual(['unchanged', 'created', undefined, 'deleted']);
		expect(jsonOf(going)[2]).toEqual({
			error: expect.stringMatching(/^The link c \(ID 3\), which is in no row/),
			errorDetails: expect.objectContaining({ statusCode: 403 }),
		});
		expect(linksOfItems(going)).toEqual([{ item: 0 }, { item: 1 }, undefined, undefined]);

		begins();
		const split = await sync(rows('a', 'new'), {}, { onError: 'continueErrorOutput' });
		expect(split.outputs.map((items) => items.length)).toEqual([3, 1]);
		expect(split.outputs[1]?.[0]?.json.error).toMatch(/^The link c \(ID 3\), which is in no row/);
	});

	it('has no columns of a row beside it', async () => {
		begin(linksOf(...rows('a', 'b')));
		const result = await sync([row('a', { note: 'n', outcome: 'mine' })], {
			options: { includeInput: true },
		});
		expect(jsonOf(result)).toMatchObject([
			{ note: 'n', link: { alias: 'a' }, outcome: 'unchanged' },
			{ link: { alias: 'b' }, outcome: 'deleted' },
		]);
		expect(Object.keys(jsonOf(result)[1] ?? {})).toEqual(['outcome', 'link']);
	});
});

describe('how much a run may remove', () => {
	it.each<[number, number, INodeParameters, RegExp | undefined]>([
		[51, 100, {}, /^51 of the 151 .* be deleted, which is more than Max Removals \(50\) allows$/],
		[50, 100, {}, undefined],
		[51, 49, { maxRemovals: 51 }, undefined],
		[1, 9, { maxRemovals: 0 }, /^1 of the 10 .* more than Max Removals \(0\) allows$/],
		[0, 9, { maxRemovals: 0, maxRemovalPercentage: 0 }, undefined],
		[1, 9, { maxRemovalPercentage: 0 }, /^1 of the 10 .* Max Removal Percentage \(0%\) allows$/],
		[2, 2, { maxRemovalPercentage: 50 }, undefined],
		[
			3,
			2,
			{ maxRemovalPercentage: 50 },
			/^3 of the 5 .* more than Max Removal Percentage \(50%\) allows$/,
		],
		[
			4,
			0,
			{ maxRemovals: 3, maxRemovalPercentage: 99.9 },
			/^All 4 .* more than Max Removals \(3\) and Max Removal Percentage \(99.9%\) allow$/,
		],
	])('%d of those in no row and %d in rows, with %j', async (others, kept, options, message) => {
		begin(linksOf(...numbered(others, 'other'), ...numbered(kept)));
		const items = [...numbered(kept), ...(kept === 0 ? rows('new') : [])];
		const result = await sync(items, { options: { ...options, concurrency: 20 } });
		if (message) {
			expect(result.error?.message).toMatch(message);
			expect(writes()).toEqual([]);
			expect(current().links).toHaveLength(others + kept);
		} else {
			expect(result.error?.message).toBeUndefined();
			expect(current().links).toHaveLength(kept);
		}
	});

	it('half of the scope and 50, unless told', async () => {
		const withDefaults = sheetOn(link, {}, {});
		const parameters = { unmatchedLinks: 'delete' };
		const options = { dryRun: true };
		begin(linksOf(...rows('a', 'b', 'c')));
		const plan = await withDefaults('sync', rows('a'), { parameters: { ...parameters, options } });
		expect(hintsOf(plan)).toMatch(/A run would fail: 2 of the 3 links of the scope/);
		expect((await withDefaults('sync', rows('a'), { parameters })).error?.message).toMatch(
			/Percentage \(50%\)/,
		);
		begin(linksOf(...rows('a', 'b')));
		expect(outcomesOf(await withDefaults('sync', rows('a'), { parameters }))).toEqual([
			'unchanged',
			'deleted',
		]);
		expect(current().links).toHaveLength(1);
	});

	it('is told with the number and the first ten, also where the run goes on after errors', async () => {
		begin(linksOf(...numbered(12), row('kept')));
		const result = await sync(rows('kept'), { options: { maxRemovals: 11 } });
		expect(result.error?.message).toBe(
			'12 of the 13 links of the scope (Domain 1) are in no row and would be deleted, which is more than Max Removals (11) allows',
		);
		const told = String(result.error?.description);
		expect(told.match(/link-\d+ \(ID \d+\)/g)).toEqual(
			numbered(12)
				.toReversed()
				.slice(0, 10)
				.map(({ alias }, index) => `${String(alias)} (ID ${12 - index})`),
		);
		expect(told).toMatch(/ and 2 more\./);
		expect(result.error?.context.data).not.toHaveProperty('row');

		const items = [...rows('kept', 'new')];
		const going = await sync(items, { options: { maxRemovals: 11 } }, continues);
		expect(jsonOf(going)).toHaveLength(2);
		expect(jsonOf(going)[1]).toMatchObject({
			alias: 'new',
			error: expect.stringMatching(/^12 of the 13 links/),
			errorDetails: { description: expect.stringMatching(/link-12 \(ID 12\)/), retryable: false },
		});
		expect(writes()).toEqual([]);
	});

	it('counts what is switched off already neither as removed nor as a part of the scope', async () => {
		const off = numbered(6, 'off').map((one) => ({ ...one, disabled: 1 }));
		begin(linksOf(...off, ...rows('a', 'b', 'c', 'd')));
		const disabling = async (options: NodeParameterValueType) =>
			await sync(rows('a'), { unmatchedLinks: 'disable', options });
		const refused = await disabling({ maxRemovalPercentage: 74 });
		expect(refused.error?.message).toMatch(/^3 of the 4 enabled links of/);
		expect(writes()).toEqual([]);
		const result = await disabling({ maxRemovals: 3, maxRemovalPercentage: 75 });
		expect(outcomesOf(result)).toEqual(['unchanged', 'disabled', 'disabled', 'disabled']);
		expect(
			current().links.every(({ alias, disabled }) => (alias === 'a') !== (Number(disabled) === 1)),
		).toBe(true);
		current().requests.length = 0;
		await disabling({ maxRemovals: 0 });
		expect(writes()).toEqual([]);
	});
});

it.each(['delete', 'disable'])(
	'a link that got the alias of a row after the list was read stays (%s)',
	async (others) => {
		begin(linksOf(row('old')), {
			before: ({ method }) => {
				if (method === 'POST') current().service.links.update(1, row('new'));
			},
		});
		const result = await sync(rows('new'), { unmatchedLinks: others });
		expect(outcomesOf(result)).toEqual(['unchanged']);
		expect(current().links).toMatchObject([{ id: 1, alias: 'new', disabled: 0 }]);
		expect(methods()).toEqual(['POST ']);
	},
);

describe('an answer that does not fit its row stops the removals', () => {
	const answered = (method: string, more: IDataObject): Hooks => ({
		answer: (request) =>
			request.method === method ? oneOf(linkAs({ ...row('a'), ...more })) : undefined,
	});

	it('a create that came to lie in another space than the scope', async () => {
		const space = { id: 2, name: 'Two' };
		begin(linksOf(row('old')), answered('POST', { id: 7, space }));
		const result = await sync(rows('a'), { syncScope: { spaceId: byId(1) }, domainId: byId(1) });
		expect(result.error?.message).toMatch(
			/was written, but the service does not show it in the scope/,
		);
		expect(current().links).toHaveLength(1);
	});

	it.each([{ id: 2 }, { alias: 'zzz' }, { domain: { id: 2 } }])('an update: %j', async (more) => {
		begin(linksOf(row('a'), row('b')), answered('PUT', { id: 1, ...more }));
		const result = await sync([{ ...row('a'), url: 'https://example.com/changed' }]);
		expect(result.error?.message).toMatch(/^Item 1 \(a\): The service returned a different link/);
		expect(current().links).toHaveLength(2);
	});
});

describe('settings that are given by expressions', () => {
	it.each<[string, INodeParameters, INodeParameters?]>([
		['Unmatched Links', {}, { unmatchedLinks: '={{ $itemIndex === 0 ? "delete" : "keep" }}' }],
		['Max Removals', { maxRemovals: '={{ 10 - 10 * $itemIndex }}' }],
		['Max Removal Percentage', { maxRemovalPercentage: '={{ 100 - 50 * $itemIndex }}' }],
		['Dry Run', { dryRun: '={{ $itemIndex === 1 }}' }],
	])('%s must be the same for all rows', async (name, options, parameters = {}) => {
		begin(linksOf(row('a'), row('b'), row('c')));
		const result = await sync(rows('a', 'b'), { options, ...parameters });
		expect(result.error?.message).toMatch(
			RegExp(
				`^${name} differs between items: \\w+ in item 1, \\w+ in item 2; set the same value for all$`,
			),
		);
		expect(current().requests).toEqual([]);
	});

	it('Unmatched Links that gives nothing remove nothing', async () => {
		begin(linksOf(row('a'), row('b')));
		const result = await sync(rows('a'), { unmatchedLinks: '={{ $json.nothing }}' });
		expect(result.error?.message).toMatch(
			/^Unmatched Links has an expression that returns no value/,
		);
		expect(current().requests).toEqual([]);
	});
});

describe('Match By in Sync that deletes', () => {
	it.each<[name: string, change: (link: IDataObject) => IDataObject]>([
		['lacks the destination', (link) => without(link, 'url')],
		['has a domain without an ID', (link) => ({ ...link, domain: 'short.example' })],
	])('neither removes nor doubles a link whose response %s', async (_, change) => {
		begin(linksOf(row('a'), row('b')), {
			change: (body, { method }) => (method === 'GET' ? eachLink(change)(body) : body),
		});
		const items = ['a', 'c', 'd'].map((alias) => ({ url: `https://example.com/${alias}` }));
		const { error } = await sync(items, { matchBy: 'url' });
		expect(error?.message).toMatch(/^Item 1: Destination URL .* may match a \(ID \d\), but/);
		expect(aliases()).toEqual(['a', 'b']);
	});

	it('removes no link whose alias is that of a row apart from case', async () => {
		begin(linksOf(...rows('A', 'b', 'c')));
		const items = [
			{ url: 'https://example.com/new', alias: 'a' },
			{ url: 'https://example.com/b', alias: 'b' },
		];
		await succeeded(sync(items, { matchBy: 'url' }));
		expect(methods()).toEqual(['POST ', 'DELETE 3']);
	});

	it.each([
		[
			'another form',
			(link: IDataObject) => ({ ...link, url: String(link.url).replace(/\/$/, '') }),
		],
		['no form', (link: IDataObject): IDataObject => without(link, 'url')],
	] as const)(
		'removes nothing after a new link whose destination the service shows in %s',
		async (_, shown) => {
			begin(linksOf(row('old')), {
				change: (body, { method }) => (method === 'POST' ? eachLink(shown)(body) : body),
			});
			const items = [{ url: 'https://example.com/new/', alias: 'new' }];
			const result = await sync(items, { matchBy: 'url' });
			expect(messageOf(result)).toMatch(
				/^Item 1 \(new\): The service created the link, but its Destination URL differs from the value that was sent, so another run would not find it: Destination URL \(sent "https:\/\/example\.com\/new\/", returned (?:"https:\/\/example\.com\/new"|undefined)\)$/,
			);
			expect(result.error?.description).toContain(
				'Delete it (ID 2, https://short.example/s/new), and match the items by another field. The run sends no more creates.',
			);
			expect(writes().map(([method]) => method)).toEqual(['POST']);
		},
	);
});

const retry = {
	retryOnFail: true,
	settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
};

function refuseOnce(request: string) {
	let isRefused = false;
	return ({ method, path }: { method: string; path: string }) => {
		if (isRefused || `${method} ${path}` !== request) return undefined;
		isRefused = true;
		return { status: 403 };
	};
}

const shortUrl = (alias: string) => `https://short.example/s/${alias}`;

describe('the second try of a sync with Retry On Fail', () => {
	it('keeps a link that the first try created', async () => {
		begin(linksOf(row('a')), { answer: refuseOnce('PUT /links/1') });
		const items = [
			{ id: '', ...row('new') },
			{ id: 1, url: 'https://example.com/changed' },
		];
		const result = await sync(items, { matchBy: 'id' }, retry);
		expect(outcomesOf(result)).toEqual(['created', 'updated']);
		expect(aliases()).toEqual(['a', 'new']);
		expect(methods()).not.toContain('DELETE 2');
	});

	it.each(['simplified', 'selectedFields'])(
		'keeps a link whose short URL the first try changed, with the output %s',
		async (output) => {
			const answer = refuseOnce('DELETE /links/2');
			begin(linksOf(row('a'), row('b')), { answer });
			const parameters = { matchBy: 'id', output, outputFields: ['url'] };
			await sync([{ id: shortUrl('a'), alias: 'a2' }], parameters, retry);
			expect(aliases()).toEqual(['a2']);
		},
	);

	it('returns the links that the first try removed', async () => {
		const answer = refuseOnce('DELETE /links/2');
		begin(linksOf(row('a'), row('b'), row('c')), { answer });
		const result = await sync([row('a')], {}, retry);
		expect(aliases()).toEqual(['a']);
		expect(outcomesOf(result)).toEqual(['unchanged', 'deleted', 'deleted']);
	});

	it('does not count a link as removed that has left the scope', async () => {
		const answer: Hooks['answer'] = ({ method }) => {
			if (method !== 'DELETE') return undefined;
			current().service.database.exec('UPDATE links SET domain_id = 2 WHERE id = 2');
			return { status: 500 };
		};
		begin(linksOf(row('a'), row('b')), { answer });
		const { error } = await sync(rows('a'), { options: { maxWait: 0 } }, retry);
		expect(error?.message).toContain('Another execution has changed it since the list was read');
		expect(error?.description).toMatch(/Items done: 1\. Perhaps removed: b \(ID 2\)\.$/);
		expect(aliases()).toEqual(['a', 'b']);
	});

	it('removes nothing if it cannot read the list', async () => {
		let lists = 0;
		const answer: Hooks['answer'] = ({ method, path }) =>
			method === 'DELETE' || (path === '/links' && (lists += 1) > 1) ? { status: 500 } : undefined;
		begin(linksOf(row('a'), row('b')), { answer });
		await sync(rows('a'), { options: { maxWait: 0 } }, retry);
		expect(methods()).toEqual(['DELETE 2']);
	});

	it('forgets a link that no longer exists', async () => {
		const answer: Hooks['answer'] = ({ method }) => {
			if (method !== 'PUT' || current().links.length < 2) return undefined;
			current().service.database.exec("DELETE FROM links WHERE alias = 'promo'");
			return { status: 403 };
		};
		const form: Hooks['form'] = (sent) =>
			sent.alias === undefined ? sent : { ...sent, alias: String(sent.alias).toLowerCase() };
		begin(linksOf(row('promo'), row('z')), { answer, form });
		const items = [row('z', { url: 'https://e.com/' }), row('Promo'), row('k')];
		const result = await sync(items, { unmatchedLinks: 'keep' }, retry);
		expect(outcomesOf(result)).toEqual(['updated', 'created', 'created']);
	});

	it('fails if it cannot read a list of names, although all rows are done', async () => {
		let lists = 0;
		const answer: Hooks['answer'] = ({ method, path }) =>
			method === 'DELETE' || (path === '/pixels' && (lists += 1) > 1) ? { status: 403 } : undefined;
		begin(linksOf(row('a'), row('b')), { answer });
		insert(current().service.database, 'pixels', { name: 'Ads', type: 'bing', value: 'x' });
		const result = await sync([{ ...row('a'), pixels: 'Ads' }], {}, retry);
		expect(result.error?.message).toMatch(/"Ads" cannot be looked up, because the list of/);
	});

	it('repeats the rows that failed, if a completed row no longer matches its link', async () => {
		begin(linksOf(row('a'), row('b')), { answer: refuseOnce('PUT /links/2') });
		const items = [
			{ id: shortUrl('a'), alias: 'a2', expiration: '2020-01-01' },
			{ id: shortUrl('b'), url: 'https://example.com/x' },
		];
		const parameters = { matchBy: 'id', unmatchedLinks: 'keep' };
		const result = await sync(items, parameters, retry);
		expect(methods()).toEqual(['PUT 1', 'PUT 2', 'PUT 2']);
		expect(outcomesOf(result)).toEqual(['updated', 'updated']);
		expect(hintsOf(result)).toContain('Expiration is in the past for 1 link');
		expect(result.error).toBeUndefined();
	});
});
