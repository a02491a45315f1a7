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
import { linkForm } from '../linkForm.ts';

const { current, link } = useService();

const scripted = useScriptedService();

const quota = { message: 'Quota exceeded.', status: 422 };
const notOk = { ok: false };

/** What a person reads: the message, and the text under it. */
const read = ({ error }: NodeResult) => `${error?.message}\n${String(error?.description)}`;

const sent = () => scripted.current().requests.map(({ method }) => method);

/** Repeats have tests of their own. */
const options = { maxWait: 0 };

const always = (body: unknown, more: Exclude<Reaction, string> = {}) =>
	scripted.current().follow(() => ({ ...more, body }));

it.each<[string, 'link' | 'pixel', string, Run['parameters']]>([
	['Create of a link', 'link', 'create', linkForm()],
	['Get of a link', 'link', 'get', { linkId: byId(1) }],
	['Update of a link', 'link', 'update', { linkId: byId(1), updateFields: { disabled: true } }],
	['Delete of a link', 'link', 'delete', { linkId: byId(1) }],
	['Get Many of links', 'link', 'getAll', { returnAll: true }],
	['Update of a pixel', 'pixel', 'update', { pixelId: byId(1), updateFields: { name: 'Q' } }],
])('%s fails if HTTP 200 has an error in words', async (_, node, operation, parameters) => {
	always(quota);
	const result = await scripted[node](operation, { parameters });
	expect(jsonOf(result)).toEqual([]);
	expect(read(result)).toMatch(/^The service .*HTTP 422[^]*The service said: Quota exceeded\./);
	expect(result.error?.context.data).toMatchObject({ statusCode: 422, retryable: false });
});

describe('a create that is answered with HTTP 200 and something else than the link', () => {
	const create = (additionalFields: IDataObject, more: Run = {}) =>
		link('create', { ...more, parameters: linkForm(additionalFields) });
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
		const result = await scripted.link('create', { parameters: linkForm({ alias: 'one' }) });
		expect(read(result)).toMatch(
			/HTTP 422[^]*Correct the values[^]*Nothing was created for this item\./,
		);
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
		const result = await scripted.link('create', { parameters: linkForm() });
		expect(result.error?.context.data).toMatchObject({ outcome: 'unknown', retryable: false });
		expect(read(result)).toMatch(/may have processed the request: check there[^]*Generate Alias/);
		expect(read(result)).not.toContain('did not process');
		expect(sent()).toEqual(['POST']);
	});
});

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
])(
	"the ID of a deletion has the service's type, whatever was lost, where the link was named by %s",
	async (_, named) => {
		for (const loss of losses) {
			current().set({ faults: [] });
			const [made] = jsonOf(await link('create', { parameters: linkForm({ alias: 'one' }) }));
			const id = Number(made?.id);
			const effect = loss(id);
			if (effect) current().set({ faults: [{ on: { method: 'DELETE' }, times: 1, effect }] });
			const result = await link('delete', { parameters: { linkId: named(id) } });
			expect(jsonOf(result)).toEqual([{ id, deleted: true }]);
		}
	},
);

it.each(['\uFEFF\uFEFF', '\uFEFF\n\uFEFF'])(
	'what an answer holds is read behind %j',
	async (mark) => {
		const one = linkAs({ id: 7, alias: 'seven' });
		scripted.current().follow(({ query }) => {
			const { body } = 'page' in query ? pageOf([one]) : oneOf(one);
			return { body: mark + JSON.stringify(body) };
		});
		const created = await scripted.link('create', { parameters: { ...linkForm(), options } });
		const read = await scripted.link('get', { parameters: { linkId: byId(7), options } });
		const listed = await scripted.link('getAll', { parameters: { returnAll: true, options } });
		for (const result of [created, read, listed]) {
			expect(result.error).toBeUndefined();
			expect(jsonOf(result)).toMatchObject([{ id: 7, alias: 'seven' }]);
		}
	},
);

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

const deep = '['.repeat(100_000) + ']'.repeat(100_000);

/** A link whose field has JSON of its own. */
const linkWith = (field: string, json: string) => ({
	status: 201,
	body: JSON.stringify({ data: linkAs({ [field]: '@@' }) }).replace('"@@"', () => json),
});

const country = { rules: [{ key: 'US', value: 'https://example.com/us' }] };
const url = 'https://example.com/';

describe.each([
	['is too deep', deep],
	['breaks its conversion to a text', '{"toString":null}'],
])('an answer that %s', (_, json) => {
	it.each(['country_target', 'id'])(
		'in %s leaves a create unknown, and Retry On Fail does not repeat it',
		async (field) => {
			scripted.current().follow(() => linkWith(field, json));
			const result = await scripted.link('create', {
				parameters: { url, domainId: byId(1), additionalFields: { country, pixelIds: [1] } },
				settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
			});
			expect(result.error?.message).toMatch(/not valid JSON/);
			expect(result.error?.context.data).toMatchObject({ outcome: 'unknown' });
			expect(scripted.current().requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
		},
	);

	it('leaves an update and a delete unknown', async () => {
		const parameters = { linkId: byId('1'), options };
		scripted.current().follow(() => linkWith('pixels', json));
		const updateFields = { url: 'https://example.com/new' };
		const updated = await scripted.link('update', { parameters: { ...parameters, updateFields } });
		expect(updated.error?.context.data).toMatchObject({ outcome: 'unknown' });
		scripted.current().follow(() => ({ body: `{"id":1,"deleted":true,"errors":${json}}` }));
		const deleted = await scripted.link('delete', { parameters });
		expect(deleted.error?.context.data).toMatchObject({ outcome: 'unknown' });
	});

	it('fails a list with a clear error', async () => {
		const meta = `{"current_page":1,"last_page":1,"total":${json}}`;
		scripted.current().follow(() => ({ body: `{"data":[],"meta":${meta}}` }));
		const result = await scripted.link('getAll', { parameters: { returnAll: true, options } });
		expect(result.error?.message).toMatch(/not valid JSON/);
	});
});

const onError = 'continueRegularOutput';
it('requests that hang hold up no list in the editor', async () => {
	scripted
		.current()
		.follow(({ method, body }) =>
			body.includes('disabled=0') ? 'hang' : method === 'GET' ? pageOf([]) : oneOf(linkAs({})),
		);
	let hasEnded = false;
	const items = [1, 2, 3, 4, 5].map((id) => ({ id }));
	const parameters = {
		linkId: byId('={{ $json.id }}'),
		updateFields: { disabled: false },
		options: { timeout: 3, maxWait: 0 },
	};
	const run = scripted.link('update', { items, onError, parameters }).then(() => {
		hasEnded = true;
	});
	await scripted.current().arrivalOf(5);
	await scripted.search('link', 'searchLinks', '');
	expect(hasEnded).toBe(false);
	await run;
});

it('the hint at the end tells no wait that did not take place, and no repeat that was not sent', async () => {
	scripted.current().follow(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
	const items = Array.from({ length: 50 }, (_, index) => ({ id: index + 1 }));
	const parameters = { linkId: byId('={{ $json.id }}') };
	const { task } = await scripted.link('get', { items, onError, parameters });
	const hints = task.hints?.map(({ message }) => message).join() ?? '';
	expect(hints).not.toMatch(/3600|repeat| waits? of | retr(?:y|ies)\b/);
});
