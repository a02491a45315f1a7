import type { IDataObject } from 'n8n-workflow';
import { hintsOf } from '../../support/account.ts';
import { sheetOn } from '../../support/mappedSheet.ts';
import type { NodeResult } from '../../support/n8n.ts';
import { reconciliations } from '../../support/operationNames.ts';
import {
	linkAs,
	oneOf,
	pageOf,
	useScriptedService,
	type HookedAnswer,
} from '../../support/scriptedService.ts';
import { byId, jsonOf } from '../../support/service.ts';
import { secretForms } from './secretForms.ts';

const { current, link } = useScriptedService();

/** A password with what JSON, a URL, a form and HTML escape, and with characters of two, three and four bytes. */
const password = 'ä /c+d"e\\f=<g>&€\t😀-012';
const other = 'another-rows-password';
const short = 'pw4';
const masked = '[password]';

const encoded = encodeURIComponent(password);
const forms = secretForms(password);

/** What n8n writes to its log in a test. */
let logged = '';

beforeEach(() => {
	logged = '';
	const { _stdout: output } = console as unknown as { _stdout: { write(text: unknown): void } };
	jest.spyOn(output, 'write').mockImplementation((text) => void (logged += String(text)));
});
afterEach(() => jest.restoreAllMocks());

/** All texts that a run has made of the service's answers: its error, the details of its items, its hints, and the log. */
function textsOf(result: NodeResult): string {
	const { error } = result;
	const items = result.outputs.flat().map((item) => [item.json.error, item.json.errorDetails]);
	const told = [
		error?.message,
		error?.description,
		error?.stack,
		error && { ...error, node: null },
	];
	return JSON.stringify([told, items, hintsOf(result)]) + logged;
}

/** Fails if a text has the password in any form, or another text. */
function expectHidden(result: NodeResult, ...secrets: string[]) {
	const texts = textsOf(result);
	const plain = [password, ...secrets];
	const escaped = [...plain.map(encodeURIComponent), ...forms.map(([, json]) => json.slice(1, -1))];
	for (const form of [...plain, ...escaped]) expect(texts).not.toContain(form);
}

const url = 'https://example.com/';

const sheet = sheetOn(link, { concurrency: 1 });

/** Creates a link from each row, with all columns that are named like a field. */
const create = async (rows: IDataObject[], onError?: 'continueRegularOutput') => {
	const items = rows.map((row) => ({ url, ...row }));
	const parameters = { output: 'raw', options: { maxWait: 0 } };
	return await sheet('create', items, { parameters, onError });
};

it.each([
	['url', password],
	['expiration', password],
	['Country Rules', `US=${password}`],
])('a password in the cell %s is hidden', async (name, cell) => {
	const result = await create([{ password, [name]: cell }]);
	expect(result.error?.message).toContain(masked);
	expectHidden(result);
	const going = await create([{ password, [name]: cell }], 'continueRegularOutput');
	expect(jsonOf(going)[0]?.error).toContain(masked);
	expectHidden(going);
	expect(current().requests).toEqual([]);
});

describe('a password that the service repeats is hidden', () => {
	it.each(forms)('in a field error and in its name, %s', async (_, text) => {
		const body = `{"errors":{"password":[${text}],"alias":["Taken."],${text}:["No."]}}`;
		current().follow(() => ({ status: 422, body }));
		const result = await create([{ password }], 'continueRegularOutput');
		expect(jsonOf(result)[0]).toMatchObject({
			error: expect.stringContaining(`Password: ${masked} Sent: (hidden); Alias: Taken.`),
			errorDetails: { fieldErrors: { password: [masked], alias: ['Taken.'], [masked]: ['No.'] } },
		});
		expectHidden(result);
	});

	it.each<[string, HookedAnswer]>([
		['refuses', { status: 422, body: { errors: { url: ['No.'] } } }],
		['stores as another', { body: { data: { id: 1, url: 'https://e.com' } } }],
	])('in another value of the item that the service %s', async (_, answer) => {
		current().follow(() => answer);
		const result = await create([{ url: `${url}?token=${encoded}`, password }]);
		expect(result.error?.message).toMatch(/[Ss]ent:? "https:..example.com.[?]token=.password./);
		expectHidden(result);
	});

	it('in the address of a redirect', async () => {
		const headers = { location: `/login?from=${encoded}&to=links` };
		current().follow(() => ({ status: 302, headers }));
		const result = await create([{ password }]);
		expect(result.error?.description).toContain(
			`The redirect goes to /login?from=${masked}&amp;to=links.`,
		);
		expectHidden(result);
	});

	it.each<[string, HookedAnswer]>([
		['with another status in its body', { body: { message: password, status: 422 } }],
		['without a link', { body: { message: password } }],
		[
			'beyond what an error shows',
			{ status: 422, body: { message: `${'x'.repeat(290)}${password}` } },
		],
	])('in an answer %s', async (_, answer) => {
		current().follow(() => answer);
		const result = await create([{ password }]);
		expect(result.error?.description).toContain('The service said: ');
		expectHidden(result, password.slice(0, 6));
	});

	it.each([
		['Password', { password: '={{ $json.secret }}' }],
		['Statistics Password', { privacy: 2, privacyPassword: '={{ $json.secret }}' }],
	])('as the parameter %s', async (_, fields) => {
		current().follow(() => ({ status: 422, body: { message: `No ${password}` } }));
		const items = [{ secret: password }];
		for (const [operation, parameters] of [
			['create', { url, domainId: byId(1), additionalFields: fields }],
			['update', { linkId: byId(1), updateFields: fields }],
		] as const) {
			const result = await link(operation, { items, parameters });
			expect(result.error?.description).toContain(`The service said: No ${masked}`);
			expectHidden(result);
		}
	});

	it.each(reconciliations)('by %s, which looks for the link first', async (operation) => {
		current().follow(({ method }) =>
			method === 'GET' ? pageOf([]) : { status: 422, body: { message: `No ${password}` } },
		);
		const result = await sheet(operation, [{ url, alias: 'one', password }]);
		expect(result.error?.description).toContain(`The service said: No ${masked}`);
		expectHidden(result);
	});

	it('in the error of a later try of the node', async () => {
		let tries = 0;
		current().follow(({ body }) => {
			if (!body.includes('second')) return oneOf(linkAs({ alias: 'first' }));
			tries += 1;
			return { status: 403, body: { message: `${tries}: ${password}, ${encoded}` } };
		});
		const items = [
			{ url, alias: 'first' },
			{ url, alias: 'second', password },
		];
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const result = await sheet('create', items, { settings });
		expect(result.error?.description).toContain(`2: ${masked}, ${masked}`);
		expectHidden(result);
	});
});

describe('a password of fewer than 8 characters', () => {
	const answers: [string, unknown][] = [
		['in a sentence', { message: `The password ${short} is too short` }],
		['in a field error', { message: { password: [`${short} is too short`], alias: ['Taken.'] } }],
		['that has nothing of it', { message: 'Too short', errors: { alias: ['Taken.'] } }],
		['in the name of a field', { errors: { [short]: ['No.'], password: ['Too short'] } }],
	];

	it.each(answers)('makes an error without the text of the service, %s', async (_, body) => {
		current().follow(() => ({ status: 422, body: body as IDataObject }));
		const result = await create([{ alias: 'a', password: short }]);
		expect(result.error?.message).toContain('The service did not accept the values (HTTP 422)');
		expect(result.error?.description).not.toContain('The service said');
		for (const text of [short, 'too short', 'Too short', 'Taken'])
			expect(textsOf(result)).not.toContain(text);
	});

	it('leaves the names of the fields', async () => {
		const body = { message: { password: [`${short} is too short`], alias: ['Taken.'] } };
		current().follow(() => ({ status: 422, body }));
		const result = await create([{ alias: 'a', password: short }], 'continueRegularOutput');
		const leftOut = '(left out, because it may repeat a password)';
		expect(jsonOf(result)[0]).toMatchObject({
			error: expect.stringContaining(`Password: ${leftOut} Sent: (hidden); Alias: ${leftOut}`),
			errorDetails: { fieldErrors: { password: [leftOut], alias: [leftOut] } },
		});
	});

	it('is not in an address that the service points to', async () => {
		current().follow(() => ({ status: 302, headers: { location: `/login?from=${short}` } }));
		const result = await create([{ password: short }]);
		expect(result.error?.description).toMatch(/The redirect goes to \(left out/);
		expect(textsOf(result)).not.toContain(short);
	});
});

it('leaves an answer of success as it came', async () => {
	const answered = linkAs({ alias: other, title: password, password: true });
	current().follow(() => oneOf(answered));
	const result = await create([{ alias: other, password: other }]);
	expect(jsonOf(result)).toEqual([answered]);
});

it('names the link that a create was answered with without the password in its address', async () => {
	const long = `https://short.example/${'x'.repeat(190)}${encoded}`;
	current().follow(() => oneOf(linkAs({ alias: 'stray', short_url: long, url: long })));
	const result = await create([{ alias: 'a', password }]);
	expect(result.error?.message).toContain(
		'The service returned another link for the create (ID 1)',
	);
	expectHidden(result, encoded.slice(0, 6));
});
