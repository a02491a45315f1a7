import type { IDataObject } from 'n8n-workflow';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf, useService, type Run } from '../../support/service.ts';

const { current, link, pixel } = useService();
const scripted = useScriptedService();

const url = 'https://example.com/';

const create = (additionalFields: IDataObject, more: Run = {}) => {
	const parameters = {
		url,
		domainId: byId(1),
		alias: 'one',
		additionalFields: additionalFields as never,
		...more.parameters,
	};
	return link('create', { ...more, parameters });
};

const losing = (when: 'after' | 'before') =>
	current().set({
		faults: [{ on: { method: 'POST' }, times: 1, effect: { kind: 'drop', when } }],
	});

/** A row's values, and those of the link that has its alias already. */
const differing: [string, IDataObject, IDataObject][] = [
	['is disabled', { disabled: false }, { disabled: true }],
	['has no password', { password: 'secret' }, {}],
	['is private', {}, { privacy: 1 }],
	['is in another space', { spaceId: byId(1) }, { spaceId: byId(2) }],
	[
		'expires at another time',
		{ expiration: '2031-01-01T10:00' },
		{ expiration: '2031-01-01T11:00' },
	],
	[
		'has other rules',
		{ country: { rules: [{ key: 'DE', value: `${url}de` }] } },
		{ country: { rules: [{ key: 'DE', value: `${url}fr` }] } },
	],
];

/** What a create would not have made of a row that leaves it out. */
const unasked: [string, IDataObject][] = [
	['has a password', { password: 'secret' }],
	['expires after some clicks', { expirationClicks: 5 }],
	['expires', { expiration: '2031-01-01T10:00' }],
	['has rules', { rotation: { rules: [{ value: url }] } }],
];

describe('a create whose answer was lost does not pass off a link that is there already', () => {
	it.each(differing)('which %s', async (_, row, existing) => {
		await create(existing);
		losing('before');
		const result = await create(row);
		expect(jsonOf(result)).toEqual([]);
		expect(result.error?.context.data).toMatchObject({ outcome: 'unknown', retryable: false });
		expect(result.error?.description).toMatch(/a link with the same alias, but with other values/);
		expect(current().counts().links).toBe(1);
	});

	it.each(unasked)('which %s that the row does not ask for', async (_, existing) => {
		await create(existing);
		losing('before');
		const result = await create({});
		expect(jsonOf(result)).toEqual([]);
		expect(result.error?.context.data).toMatchObject({ outcome: 'unknown', retryable: false });
	});

	it('which has other pixels', async () => {
		for (const name of ['a', 'b'])
			await pixel('create', { parameters: { name, type: 'bing', value: 'v' } });
		const [b, a] = jsonOf(await pixel('getAll')).map(({ id }) => Number(id));
		await create({ pixelIds: [a] });
		losing('before');
		const result = await create({ pixelIds: [b] });
		expect(result.error?.context.data).toMatchObject({ outcome: 'unknown' });
	});
});

describe('a create whose answer was lost takes the link that it made', () => {
	it('with all of its values', async () => {
		const made = await pixel('create', { parameters: { name: 'a', type: 'bing', value: 'v' } });
		losing('after');
		const result = await create({
			disabled: true,
			expirationClicks: 5,
			expiration: '2031-01-01T10:00',
			expirationUrl: `${url}over`,
			password: 'secret',
			pixelIds: [Number(jsonOf(made)[0]?.id)],
			privacy: 2,
			privacyPassword: 'secret',
			spaceId: byId(1),
			country: {
				rules: [
					{ key: 'DE', value: `${url}de` },
					{ key: 'FR', value: `${url}fr` },
				],
			},
		});
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)).toMatchObject([
			{ alias: 'one', space: 'Marketing', status: 'disabled' },
		]);
		expect(current().requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
	});

	it('where it does not tell most of them', async () => {
		const { id, alias, url, domain } = linkAs({});
		const one = { id, alias, url, domain };
		scripted
			.current()
			.follow(({ method }, earlier) =>
				method === 'GET'
					? pageOf([one] as IDataObject[])
					: earlier === 0
						? 'drop'
						: oneOf(one as IDataObject),
			);
		const additionalFields = { disabled: true, password: 'secret', spaceId: byId(1) };
		const parameters = { url: String(url), domainId: byId(1), alias: 'one', additionalFields };
		const result = await scripted.link('create', { parameters });
		expect(jsonOf(result)).toMatchObject([{ id: 1, alias: 'one' }]);
		expect(scripted.current().requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
	});
});
