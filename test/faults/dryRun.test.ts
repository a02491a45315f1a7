import type { IDataObject } from 'n8n-workflow';
import { byId, jsonOf, useService, type Run } from '../support/service.ts';

const { current, link } = useService();

/** The form that a dry run shows. */
async function shown(operation: string, parameters: Run['parameters'], item: IDataObject = {}) {
	const options = { dryRun: true, ...(parameters?.options as IDataObject) };
	const run = { items: [item], parameters: { ...parameters, options: options as never } };
	const result = await link(operation, run);
	expect(result.error).toBeUndefined();
	expect(current().requests).toEqual([]);
	return jsonOf(result)[0]?.form;
}

const mask = '••••••';

describe('a dry run', () => {
	it('masks a password that is set, and none that is cleared', async () => {
		const linkId = byId(1);
		const clearFields = ['password', 'privacyPassword'];
		expect(await shown('update', { linkId, clearFields })).toEqual({
			password: '',
			privacy_password: '',
		});
		const updateFields = { password: '={{ $json.new }}', privacyPassword: 'secret' };
		const options = { emptyValues: 'clear' };
		expect(await shown('update', { linkId, updateFields, options }, { new: '' })).toEqual({
			password: '',
			privacy_password: mask,
		});
	});

	it('shows nothing of cleared fields, which a create does not send', async () => {
		const parameters = {
			url: 'https://example.com/',
			domainId: byId(1),
			alias: 'one',
			additionalFields: {
				spaceId: byId('={{ $json.space }}'),
				password: '={{ $json.password }}',
				expiration: '={{ $json.expires }}',
				pixelIds: '={{ $json.pixels }}',
				targetType: 1,
				country: '={{ $json.rules }}',
				disabled: true,
			},
			options: { emptyValues: 'clear' },
		};
		const item = { space: '', password: null, expires: '', pixels: [], rules: '' };
		expect(await shown('upsert', parameters, item)).toEqual({
			url: 'https://example.com/',
			domain_id: '1',
			alias: 'one',
			target_type: '1',
			disabled: '1',
		});
		// What is shown is what is sent.
		await link('upsert', { items: [item], parameters });
		const { body = '' } = current().requests.find(({ method }) => method === 'POST') ?? {};
		expect([...new URLSearchParams(body).keys()].toSorted()).toEqual(
			['alias', 'disabled', 'domain_id', 'target_type', 'url'].toSorted(),
		);
	});
});
