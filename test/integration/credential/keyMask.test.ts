import { secretMask } from '../../../nodes/shared/transport/secrets';
import { linkAs, useScriptedService, type Reaction } from '../../support/scriptedService.ts';
import { byId, jsonOf, type Run } from '../../support/service.ts';
import { secretForms } from './secretForms.ts';

const { current, link } = useScriptedService();

/** A key with what JSON, a URL and a form escape. */
const key = 'ab/c+d"e\\f=g-0123456789';
const masked = '[API key]';

const shown = (apiKey: string, body: string) =>
	secretMask([apiKey], masked).json(JSON.parse(body), body);

const encoded = encodeURIComponent(key);

/** Creates a link. Nothing that n8n stores has the key. */
const create = async (answer: Reaction, more: Run = {}) => {
	current().follow(() => answer);
	const result = await link('create', {
		credential: { apiKey: key },
		...more,
		parameters: {
			...{ url: 'https://example.com/', domainId: byId(1), output: 'raw' },
			options: { maxWait: 0 },
		},
	});
	expect(result.stored).not.toContain(JSON.stringify(key).slice(1, -1));
	return result;
};

describe('the API key is hidden', () => {
	it.each(secretForms(key))('in a body, %s', (_, text) => {
		const body = `{"message":"Bearer ${text.slice(1, -1)} failed","errors":{"url":[${text}]}}`;
		const read = { message: `Bearer ${masked} failed`, errors: { url: [masked] } };
		expect(shown(key, body)).toEqual(read);
	});

	it('in an error', async () => {
		const body = { message: `Bearer ${encoded} failed`, status: 403 };
		const result = await create({ status: 403, body });
		expect(result.error?.description).toMatch(/The service said: Bearer \[API key\] failed$/);
		expect(result.error?.message).toMatch(/HTTP 403/);
		await create('drop', { onError: 'continueErrorOutput' });
	});

	it('in a field error', async () => {
		const body = { message: { url: [encoded], alias: ['Taken.'] }, status: 422 };
		const result = await create({ status: 422, body }, { onError: 'continueRegularOutput' });
		expect(jsonOf(result)[0]).toMatchObject({
			error: expect.stringContaining(`Destination URL: ${masked} Sent:`),
			errorDetails: { fieldErrors: { url: [masked], alias: ['Taken.'] } },
		});
	});

	it('in an item, and the rest of it is as it came', async () => {
		const data = linkAs({ title: 'a "quoted" \\ \n title', clicks: 12, echo: encoded });
		const result = await create({ status: 201, body: { data, status: 200 } });
		expect(jsonOf(result)).toEqual([
			linkAs({ title: 'a "quoted" \\ \n title', clicks: 12, echo: masked }),
		]);
	});

	it.each(['\n', ' ', '\u200B'])(
		'in the form without what was pasted behind it: %j',
		async (end) => {
			const body = { message: `Bearer ${key} failed` };
			const result = await create(
				{ status: 403, body },
				{ credential: { apiKey: `${key}${end}` } },
			);
			expect(result.error?.description).toMatch(/The service said: Bearer \[API key\] failed$/);
		},
	);
});

it('hides all of a secret that contains another one', () => {
	expect(secretMask(['secret-1', 'secret-1-and-more'], masked).text('secret-1-and-more')).toBe(
		masked,
	);
});

describe('a body from which the key is hidden', () => {
	it.each([
		[
			'begins behind a backslash',
			'nabcdefgh',
			'{"message":"one\\nabcdefgh two"}',
			'one\nabcdefgh two',
		],
		['is a piece of JSON', '":"one two', '{"message":"one two"}', 'one two'],
		['is a number', '12345678', '{"message":"m","id":12345678}', 'm'],
		['is short', 'one two', '{"message":"one two"}', 'one two'],
	])('remains JSON where the key %s', (_, apiKey, body, message) => {
		expect(shown(apiKey, body)).toMatchObject({ message });
	});

	it('is as it was if the key is longer than a call takes as arguments', () => {
		expect(shown('k'.repeat(200_000), '{"message":"m"}')).toEqual({ message: 'm' });
	});

	it.each(['key/with/slashes', 'key"with"quotes'])(
		'of 2 MB lacks it as JSON writes it: %s',
		(own) => {
			const written = JSON.stringify(own).replaceAll('/', '\\/');
			const body = `{"a":"${'x'.repeat(2_000_000)}","message":${written}}`;
			expect(shown(own, body)).toMatchObject({ message: masked });
		},
	);

	it('has no number that is the key', () => {
		const body = '{"id":12345678,"clicks":123456789}';
		expect(shown('12345678', body)).toEqual({ id: masked, clicks: 123456789 });
	});

	it.each([
		['escapes', '\\/'.repeat(1_000_000)],
		['percent signs', '%41'.repeat(1_000_000)],
		['a text', 'x'.repeat(5_000_000)],
	])('of a few megabytes of %s is as it was', (_, text) => {
		const body = `{"a":"${text}"}`;
		expect(shown(key, body)).toEqual(JSON.parse(body));
	});

	it('has no name that is the key, and no number that JSON rounds', () => {
		const own = '12345678901234567890';
		const body = `{"${own}":${own},"00000000":0}`;
		expect(shown(own, body)).toEqual({ [masked]: masked, '00000000': 0 });
		expect(shown('00000000', '{"message":"00000000","clicks":0}')).toEqual({
			...{ message: masked, clicks: 0 },
		});
	});
});
