import type { IDataObject } from 'n8n-workflow';
import type { Effect } from '../../../testkit/service/index.ts';
import type { NodeResult } from '../../support/n8n.ts';
import {
	linkAs,
	oneOf,
	pageOf,
	useScriptedService,
	type Reaction,
} from '../../support/scriptedService.ts';
import { byId, jsonOf, useService, type Run } from '../../support/service.ts';

const { current, link } = useService();
const scripted = useScriptedService();

const quota = { message: 'Quota exceeded.', status: 422 };
const notOk = { ok: false };

/** What a person reads: the message, and the text under it. */
const read = ({ error }: NodeResult) => `${error?.message}\n${String(error?.description)}`;

const pixelFields = { name: 'P', type: 'bing', value: 'v' };

const linkFields = ({ alias = '', ...additionalFields }: IDataObject = {}) => ({
	url: 'https://example.com/',
	domainId: byId(1),
	alias: alias as never,
	additionalFields: additionalFields as never,
});

const sent = () => scripted.current().requests.map(({ method }) => method);

/** Repeats have tests of their own. */
const options = { maxWait: 0 };

/** Answers everything with this. */
const always = (body: unknown, more: Exclude<Reaction, string> = {}) =>
	scripted.current().follow(() => ({ ...more, body }));

describe('HTTP 200 with something else than a link or pixel is no success', () => {
	const everything: [string, 'link' | 'pixel', string, Run['parameters']][] = [
		['Create of a link', 'link', 'create', linkFields()],
		['Get of a link', 'link', 'get', { linkId: byId(1) }],
		['Update of a link', 'link', 'update', { linkId: byId(1), updateFields: { disabled: true } }],
		['Delete of a link', 'link', 'delete', { linkId: byId(1) }],
		['Get Many of links', 'link', 'getAll', { returnAll: true }],
		['Create of a pixel', 'pixel', 'create', pixelFields],
		['Get of a pixel', 'pixel', 'get', { pixelId: byId(1) }],
		['Update of a pixel', 'pixel', 'update', { pixelId: byId(1), updateFields: { name: 'Q' } }],
	];

	it.each(everything)(
		'%s, answered with an error in words',
		async (_, node, operation, parameters) => {
			always(quota);
			const result = await scripted[node](operation, { parameters });
			expect(jsonOf(result)).toEqual([]);
			expect(read(result)).toMatch(/^The service .*HTTP 422[^]*The service said: Quota exceeded\./);
			expect(result.error?.context.data).toMatchObject({ statusCode: 422, retryable: false });
		},
	);

	it.each([
		['entries without an ID', [notOk]],
		['entries without an ID in an envelope', { data: [linkAs({}), quota] }],
	])('Get Many, answered with %s', async (_, body) => {
		always(body);
		const result = await scripted.link('getAll', { parameters: { returnAll: true } });
		expect(jsonOf(result)).toEqual([]);
		expect(result.error?.message).toBe('The service did not return a list');
	});
});

describe('a create that is answered with HTTP 200 and something else than the link', () => {
	const create = (additionalFields: IDataObject, more: Run = {}) =>
		link('create', { ...more, parameters: linkFields(additionalFields) });
	const answeredWith = (body: unknown) =>
		current().set({
			faults: [{ on: { method: 'POST' }, times: 1, effect: { kind: 'body', status: 200, body } }],
		});
	const methods = () => current().requests.map(({ method }) => method);

	it.each([
		['an error', quota],
		['no ID', notOk],
	])('is looked up and found: %s', async (_, body) => {
		answeredWith(body);
		const result = await create({ alias: 'one' });
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)).toMatchObject([{ id: 1, alias: 'one', url: 'https://example.com/' }]);
		expect(methods()).toEqual(['POST', 'GET']);
	});

	it('is looked up and not found: an error means what it says', async () => {
		scripted.current().follow(({ method }) => (method === 'GET' ? pageOf([]) : { body: quota }));
		const result = await scripted.link('create', { parameters: linkFields({ alias: 'one' }) });
		expect(read(result)).toMatch(/HTTP 422[^]*Correct the fields[^]*Nothing was created\./);
		expect(read(result)).not.toContain('may have processed');
		expect(result.error?.context.data).toMatchObject({ outcome: 'failed', statusCode: 422 });
		expect(sent()).toEqual(['POST', 'GET']);
	});

	it.each([
		['an error', quota],
		['maintenance', { message: 'Be right back.', status: 503 }],
		['no ID', notOk],
		['a web page', '<!doctype html><title>Welcome</title>'],
	])('is unknown without an alias to look for: %s', async (_, body) => {
		always(body);
		const result = await scripted.link('create', { parameters: linkFields() });
		expect(result.error?.context.data).toMatchObject({ outcome: 'unknown', retryable: false });
		expect(read(result)).toMatch(/may have processed the request: check there[^]*Generate Alias/);
		expect(read(result)).not.toContain('did not process');
		expect(sent()).toEqual(['POST']);
	});
});

describe("the ID of a deletion has the service's type, whatever was lost", () => {
	/** Nothing, the answer, its body, the ID in it, and that it is a number. */
	const losses: ((id: number) => Effect | undefined)[] = [
		() => undefined,
		() => ({ kind: 'drop', when: 'after' }),
		() => ({ kind: 'empty' }),
		() => ({ kind: 'body', body: { deleted: true } }),
		(id) => ({ kind: 'body', body: { id: String(id), deleted: true } }),
	];

	it.each<[string, (id: number) => ReturnType<typeof byId>]>([
		['a number', (id) => byId(id)],
		['a text', (id) => byId(String(id))],
		['a short URL', () => ({ __rl: true, mode: 'url', value: 'https://short.example/one' })],
	])('where the link was named by %s', async (_, named) => {
		for (const loss of losses) {
			current().set({ faults: [] });
			const [made] = jsonOf(await link('create', { parameters: linkFields({ alias: 'one' }) }));
			const id = Number(made?.id);
			const effect = loss(id);
			if (effect) current().set({ faults: [{ on: { method: 'DELETE' }, times: 1, effect }] });
			const result = await link('delete', { parameters: { linkId: named(id) } });
			expect(jsonOf(result)).toEqual([{ id, deleted: true }]);
		}
	});
});

describe('what an answer holds', () => {
	it.each(['\uFEFF\uFEFF', '\uFEFF\n\uFEFF'])('is read behind %j', async (mark) => {
		const one = linkAs({ id: 7, alias: 'seven' });
		scripted.current().follow(({ query }) => {
			const { body } = 'page' in query ? pageOf([one]) : oneOf(one);
			return { body: mark + JSON.stringify(body) };
		});
		const created = await scripted.link('create', { parameters: { ...linkFields(), options } });
		const read = await scripted.link('get', { parameters: { linkId: byId(7), options } });
		const listed = await scripted.link('getAll', { parameters: { returnAll: true, options } });
		for (const result of [created, read, listed]) {
			expect(result.error).toBeUndefined();
			expect(jsonOf(result)).toMatchObject([{ id: 7, alias: 'seven' }]);
		}
	});
});

describe('Pixel Mode keeps the pixels of the link', () => {
	/** A link with these pixels, which takes every update; returns what the update sent. */
	async function changed(pixels: unknown, pixelMode: string) {
		const one = linkAs({ pixels: pixels as never });
		scripted.current().follow(() => oneOf(one));
		const result = await scripted.link('update', {
			parameters: { linkId: byId(1), updateFields: { pixelIds: [3], pixelMode } },
		});
		const put = scripted.current().requests.find(({ method }) => method === 'PUT');
		return { result, form: put && new URLSearchParams(put.body).getAll('pixel_ids[]') };
	}

	it.each<[string, unknown, string, string[]]>([
		['bare IDs', [1, 2], 'add', ['1', '2', '3']],
		['bare IDs as text', ['1', '2'], 'add', ['1', '2', '3']],
		['a mixed list', [{ id: 1, name: 'a' }, 2], 'add', ['1', '2', '3']],
		['bare IDs, of which one goes', [1, 3], 'remove', ['1']],
		['a mixed list, of which one goes', [{ id: 3 }, '2'], 'remove', ['2']],
	])('where they come as %s', async (_, pixels, mode, expected) => {
		const { result, form } = await changed(pixels, mode);
		expect(result.error).toBeUndefined();
		expect(form).toEqual(expected);
	});

	it.each(['add', 'remove'])('and refuses to %s where one cannot be read', async (mode) => {
		const lists = [[{ name: 'a' }], [1, { name: 'b' }], [1, null], [[1], 2], [1, {}]];
		for (const pixels of [...lists, { 0: 1 }, '1,2', 2, null]) {
			const { result, form } = await changed(pixels, mode);
			expect(result.error?.message).toMatch(/^The service does not return the Pixels of the link/);
			expect(form).toBeUndefined();
		}
	});
});
