import { linkFields } from '../../testkit/service/linkFields.ts';
import { moment, useReferenceService } from '../support/referenceService.ts';

const { ask, badFields, call, column, createLink, current, readLink } = useReferenceService();

describe('link endpoints', () => {
	test('create answers 201 with status 200, sent numbers as text, and null for what was not sent', async () => {
		const { status, body } = await ask('POST', '/api/v1/links', {
			url: 'https://www.example.com/page?a=1',
			domain_id: '2',
			alias: 'Spring_sale-1',
			space_id: '1',
			disabled: '1',
			password: 'secret',
			'pixel_ids[]': '2',
			'rotation[0][value]': 'https://a.example/',
			expiration_date: '2031-05-06',
			expiration_time: '07:08',
			expiration_clicks: '9',
		});
		expect(status).toBe(201);
		const stored = Object.entries(linkFields).filter(([, { column: type }]) => type);
		expect(body).toEqual({
			status: 200,
			data: {
				...Object.fromEntries(stored.map(([name]) => [name, null])),
				id: 1,
				alias: 'Spring_sale-1',
				url: 'https://www.example.com/page?a=1',
				short_url: `${current().url}/s/2/Spring_sale-1`,
				title: 'www.example.com',
				target_type: null,
				country_target: null,
				platform_target: null,
				language_target: null,
				rotation_target: [{ value: 'https://a.example/' }],
				last_rotation: null,
				disabled: '1',
				privacy: null,
				privacy_password: false,
				password: true,
				expiration_url: null,
				expiration_clicks: '9',
				clicks: null,
				space: { id: 1, name: expect.any(String) },
				domain: { id: 2, name: expect.any(String) },
				pixels: [expect.objectContaining({ id: 2, type: 'google-analytics' })],
				ends_at: '2031-05-06T07:08:00.000000Z',
				created_at: moment,
				updated_at: moment,
			},
		});
	});

	test('read answers numbers and defaults, and never a secret', async () => {
		const { id } = await createLink({ privacy: '2', privacy_password: 'hush-hush' });
		const { status, text } = await call('GET', `/api/v1/links/${id}`);
		expect(status).toBe(200);
		expect(text).not.toContain('hush-hush');
		expect(JSON.parse(text)).toMatchObject({
			status: 200,
			data: {
				disabled: 0,
				privacy: 2,
				target_type: 0,
				clicks: 0,
				last_rotation: 0,
				password: false,
				privacy_password: true,
				space: null,
				short_url: `${current().url}/s/${(await readLink(id)).alias}`,
			},
		});
	});

	test('delete answers what it deleted, and the link is gone', async () => {
		const { id } = await createLink();
		const remaining = await createLink();
		expect(await ask('DELETE', `/api/v1/links/${id}`)).toEqual({
			status: 200,
			body: { id, object: 'link', deleted: true, status: 200 },
		});
		expect(await column('links', 'id')).toEqual([remaining.id]);
	});
});

describe('update of a link', () => {
	let id: number;
	const path = () => `/api/v1/links/${id}`;

	beforeEach(async () => {
		const link = await createLink({
			alias: 'start',
			space_id: '1',
			password: 'secret',
			expiration_url: 'https://example.com/gone',
			expiration_date: '2030-01-02',
			expiration_time: '03:04',
			expiration_clicks: '5',
			'pixel_ids[0]': '1',
			'pixel_ids[1]': '2',
			'country[0][key]': 'DE',
			'country[0][value]': 'https://de.example',
			'country[1][key]': 'FR',
			'country[1][value]': 'https://fr.example',
		});
		id = link.id;
	});

	test('changes what is sent and nothing else', async () => {
		const before = await readLink(id);
		const { status, body } = await ask('PUT', path(), { url: 'https://new.example/' });
		const after = { ...before, url: 'https://new.example/', title: 'new.example' };
		expect({ status, body }).toEqual({
			status: 200,
			body: { data: { ...after, updated_at: moment }, status: 200 },
		});
		expect(await readLink(id)).toEqual({ ...after, updated_at: moment });
	});

	test('empty texts clear', async () => {
		const form = new URLSearchParams({
			password: '',
			space_id: '',
			expiration_url: '',
			expiration_clicks: '',
			expiration_date: '',
			expiration_time: '',
			'pixel_ids[]': '',
			'country[0][key]': '',
			'country[0][value]': '',
		});
		expect((await ask('PUT', path(), form.toString())).status).toBe(200);
		expect(await readLink(id)).toMatchObject({
			alias: 'start',
			password: false,
			space: null,
			expiration_url: null,
			expiration_clicks: null,
			ends_at: null,
			pixels: [],
			country_target: null,
		});
	});

	test.each<[Record<string, string>, string[] | number]>([
		[{ alias: '' }, ['alias']],
		[{ url: '' }, ['url']],
		[{ disabled: '' }, ['disabled']],
		[{ alias: 'other' }, ['alias']],
		[{ alias: 'start' }, 200],
		[{ expiration_date: '2031-01-01' }, ['expiration_time']],
		[{ expiration_date: '' }, ['expiration_time']],
		[{ expiration_date: '', expiration_time: '10:00' }, ['expiration_date']],
		[{ country: '' }, ['country']],
		[{ 'pixel_ids[]': '99', space_id: '99' }, ['pixel_ids', 'space_id']],
		[{}, 200],
	])('%j', async (form, outcome) => {
		await createLink({ alias: 'other' });
		const before = await readLink(id);
		expect(await badFields('PUT', path(), form)).toEqual(outcome);
		expect(await readLink(id)).toEqual({ ...before, updated_at: moment });
	});

	test.each(['pixel_ids=1', 'pixel_ids='])('breaks on the scalar %s', async (form) => {
		const { status, body } = await ask('PUT', path(), form);
		expect({ status, body }).toMatchObject({ status: 500, body: { message: 'Server Error' } });
		expect((await readLink(id)).pixels).toHaveLength(2);
		const create = await ask('POST', '/api/v1/links', `url=https://a.example&domain_id=1&${form}`);
		expect(create.status).toBe(500);
		expect(current().counts().links).toBe(1);
	});
});
