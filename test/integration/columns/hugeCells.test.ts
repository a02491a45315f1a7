import type { IDataObject } from 'n8n-workflow';
import { byId, useService } from '../../support/service.ts';

const { current, link } = useService();

/** More characters than a quadratic pattern gets through in the time of a test. */
const many = 300_000;

const create = async (row: IDataObject) => {
	const options = { mapPasswords: true };
	const parameters = { mappingColumnMode: 'autoMapInputData', domainId: byId(1), options };
	const items = [{ url: 'https://example.com/', ...row }];
	return await link('create', { items, parameters });
};

describe('a huge cell makes the ordinary error with a short quote', () => {
	const megabytes = 'x'.repeat(5_000_000);

	it.each<[string, IDataObject, RegExp]>([
		[
			'a date of 5 MB',
			{ 'Expiration Date': `2030-12-31 10:00${megabytes}` },
			/^Item 1: Expiration "2030-12-31 10:00x+…" is not a date that exists/,
		],
		[
			'an address of 5 MB',
			{ url: megabytes },
			/^Item 1: Destination URL "x+…" must start with https/,
		],
		[
			'an address with a host of 5 MB',
			{ url: `https://${'ü'.repeat(many)}.example/` },
			/^Item 1: Destination URL "https:\/\/ü+…" is not a URL; correct its domain/,
		],
		[
			'many rules',
			{ 'Country Rules': 'a=a:\n'.repeat(many / 2) },
			/^Item 1: Country Rules contains more than 10,000 rules; enter fewer, or add the column Country Rules to Inputs to Ignore$/,
		],
		[
			'many pixels',
			{ pixels: '1,'.repeat(many) },
			/^Item 1: Pixels contains more than 10,000 IDs; enter fewer, or add the column pixels to Inputs to Ignore$/,
		],
		[
			'a pixel of 5 MB',
			{ pixels: [megabytes, 1] },
			/^Item 1: Pixels "x+…" cannot be looked up\. You have no pixels yet, so names are unknown\. Use the ID, or add the column pixels to Inputs to Ignore$/,
		],
		[
			'a country with many accents',
			{ 'Country Rules': `${'\u0323\u0301'.repeat(many)}=https://example.com` },
			/^Item 1: Country Rules rule 1: Country Name or Code "[\u0323\u0301]+…" is not a known choice/,
		],
		[
			'many parameters',
			{ utm: Object.fromEntries(Array.from({ length: 130_000 }, (_, at) => [`utm_${at}`, 'x'])) },
			/^Item 1: UTM Parameters contain "utm_0", which is not a UTM parameter;.* … and 129,9\d\d more$/,
		],
	])('%s', async (_, row, message) => {
		const { error } = await create(row);
		expect(error?.message).toMatch(message);
		expect(error?.message.length).toBeLessThan(800);
		expect(current().requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	});
});

it('headings of which many fill the same field make an error that shows the first ones', async () => {
	const headings = Array.from({ length: 50_000 }, (_, at) => [
		`url${' '.repeat(at % 250)}${'_'.repeat(at / 250)}`,
		'x',
	]);
	const { error } = await create(Object.fromEntries(headings) as IDataObject);
	expect(error?.message).toMatch(
		/^The columns "url", "url ", "url {2}", "url {3}" and 49996 more both fill Destination URL; keep one/,
	);
	expect(error?.message.length).toBeLessThan(800);
});
