import type { IDataObject } from 'n8n-workflow';
import { hintsOf } from '../../support/account.ts';
import { byId, jsonOf, useService, type Run } from '../../support/service.ts';

const { current, link } = useService();

/** What a dry run shows of a row, which it looks up. It writes nothing. */
async function shown(operation: string, parameters: Run['parameters'], item: IDataObject = {}) {
	const options = { dryRun: true, ...(parameters?.options as IDataObject) };
	const run = { items: [item], parameters: { ...parameters, options: options as never } };
	const before = current().requests.length;
	const result = await link(operation, run);
	expect(result.error).toBeUndefined();
	const methods = current()
		.requests.slice(before)
		.map(({ method }) => method);
	expect(methods).toEqual(['GET']);
	expect(hintsOf(result)).toMatch(/^Dry run: nothing was written\. 1 item would be: 1 \w+\.$/);
	return jsonOf(result)[0];
}

/** The form of the last request that wrote something. */
function lastForm() {
	const { method, body = '' } = current().requests.findLast((one) => one.method !== 'GET') ?? {};
	return { method, form: Object.fromEntries(new URLSearchParams(body)) };
}

const mask = '••••••';

describe('a dry run', () => {
	it('masks a password that is set, and none that is cleared', async () => {
		const additionalFields = { password: 'old', privacyPassword: 'old' };
		const created = { url: 'https://example.com/', domainId: byId(1), additionalFields };
		await link('create', { parameters: created });
		const linkId = byId(1);
		const clearFields = ['password', 'privacyPassword'];
		expect(await shown('update', { linkId, clearFields })).toMatchObject({
			before: `Password: ${mask}; Statistics Password: ${mask}`,
			after: 'Password: (empty); Statistics Password: (empty)',
		});
		const updateFields = { password: '={{ $json.new }}', privacyPassword: 'secret' };
		const options = { emptyValues: 'clear' };
		expect(await shown('update', { linkId, updateFields, options }, { new: '' })).toMatchObject({
			after: `Password: (empty); Statistics Password: ${mask}`,
		});
	});

	it.each(['id', 'url'])(
		'with Match By %s finds in the order of the rows that the alias of a create is taken',
		async (matchBy) => {
			const url = '={{ $json.url }}';
			const parameters = { matchBy, url, domainId: byId(1), alias: '={{ $json.alias }}' };
			await link('create', { items: [{ url: 'https://example.com/', alias: 'one' }], parameters });
			const items = ['one', 'free', 'new', 'New'].map((alias) => ({
				...{ id: '', alias, url: `https://example.com/${alias}` },
				...(alias === 'free' ? { id: 1, url: 'https://example.com/' } : {}),
			}));
			const options = { dryRun: true };
			const plan = { ...parameters, mappingColumnMode: 'autoMapInputData', options };
			const notes: unknown[] = [
				expect.stringMatching(/The alias is taken by the link one \(ID 1\); use another one$/),
				...['Changes 1 field', 'New'],
				'New, unless the service refuses the alias because of the link new (new)',
			];
			for (const some of [items, items.slice(0, 1)]) {
				const run = { items: some, parameters: plan, onError: 'continueRegularOutput' } as const;
				const shownNotes = jsonOf(await link('upsert', run)).map(
					({ note, error }) => note ?? error,
				);
				expect(shownNotes).toEqual(notes.slice(0, some.length));
			}
		},
	);

	it('shows what differs of a link that is there, before and after, and no secret', async () => {
		const key = { url: 'https://example.com/', domainId: byId(1), alias: 'one' };
		const ruleTo = (place: string) => ({
			key: place.toUpperCase(),
			value: `https://example.com/${place}`,
		});
		const fields = {
			spaceId: byId(2),
			password: 'old-secret',
			privacyPassword: 'old-secret',
			country: { rules: ['us', 'de'].map(ruleTo) },
			disabled: false,
		};
		const create = { ...key, additionalFields: fields };
		await link('upsert', { parameters: create });

		const parameters = {
			...key,
			additionalFields: {
				...fields,
				country: { rules: [ruleTo('us')] },
				spaceId: byId('={{ $json.space }}'),
				password: 'new-secret',
				privacyPassword: '={{ $json.none }}',
				disabled: true,
			},
			options: { emptyValues: 'clear' },
		};
		const item = { space: '', none: null };
		expect(await shown('upsert', parameters, item)).toEqual({
			...{ outcome: 'updated', id: 1, alias: 'one' },
			before: [
				'Country Rules: US=https://example.com/us, DE=https://example.com/de',
				`Disabled: false; Password: ${mask}; Statistics Password: ${mask}; Space: 2`,
			].join('; '),
			after: [
				'Country Rules: US=https://example.com/us; Disabled: true',
				`Password: ${mask}; Statistics Password: (empty); Space: (empty)`,
			].join('; '),
			note: 'Changes 4 fields. The password is sent each time, because the service does not return it',
		});
		await link('upsert', { items: [item], parameters });
		expect(lastForm()).toEqual({
			method: 'PUT',
			form: {
				space_id: '',
				password: 'new-secret',
				privacy_password: '',
				'country[0][key]': 'US',
				'country[0][value]': 'https://example.com/us',
				disabled: '1',
			},
		});
		expect(await shown('upsert', { ...key, additionalFields: { disabled: true } })).toEqual({
			outcome: 'unchanged',
			id: 1,
			alias: 'one',
			before: '–',
			after: '–',
			note: 'Nothing to change',
		});
	});
});
