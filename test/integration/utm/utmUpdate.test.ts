import type { IDataObject } from 'n8n-workflow';
import { jsonOf } from '../../support/service.ts';
import { linkAs, oneOf, useScriptedService } from '../../support/scriptedService.ts';
import {
	chosen,
	descriptionOf,
	errorsOf,
	hintsOf,
	messageOf,
	useColumns,
} from '../../support/columns.ts';

const { current, link, mapped, arrived, lastForm, madeLink, madePixel, held } = useColumns();
const scripted = useScriptedService();

const url = 'https://example.com/';
const tags = 'utm_source=mail&utm_campaign=spring%20sale';
const parameters = { utm_source: 'mail', utm_campaign: 'spring sale' };
const utm = { parameters };
const onlyUrl = { utmInUrlOnly: true };

const [first, second] = [`${url}a?utm_source=old&b=1#top`, `${url}b`];
const [firstTagged, secondTagged] = [
	`${url}a?utm_source=mail&b=1&utm_campaign=spring%20sale#top`,
	`${url}b?${tags}`,
];

const updated = async (id: number, updateFields: IDataObject, more: IDataObject = {}) =>
	await link('update', { parameters: { linkId: chosen(id), updateFields, ...more } as never });

/** Makes a link and gives it another destination and rules; the journal is empty afterwards. */
async function madeWith(fields: IDataObject, alias = 'made'): Promise<number> {
	const id = await madeLink(alias);
	const result = await updated(id, fields);
	if (result.error) throw result.error;
	current().requests.length = 0;
	return id;
}

describe('an update of UTM parameters alone', () => {
	const rules = [
		{ key: 'DE', value: first },
		{ key: 'FR', value: 'myapp://open' },
	];

	it('reads the link, and merges them into its own destination and rules', async () => {
		const id = await madeWith({ url: `${url}?a=1#top`, country: { rules } });
		const result = await mapped('update', [{ id, ...parameters }]);
		expect(result.error).toBeUndefined();
		expect(current().requests.map(({ method }) => method)).toEqual(['GET', 'PUT']);
		expect(lastForm()).toEqual({
			url: `${url}?a=1&${tags}#top`,
			'country[0][key]': 'DE',
			'country[0][value]': firstTagged,
			'country[1][key]': 'FR',
			'country[1][value]': 'myapp://open',
		});
		expect(await held(id)).toMatchObject({ target_type: 1, url: `${url}?a=1&${tags}#top` });
	});

	it('writes nothing the second time, and only what differs', async () => {
		const id = await madeWith({ url: `${url}?a=1`, country: { rules } });
		await updated(id, { utm });
		current().requests.length = 0;
		const again = await updated(id, { utm });
		expect(jsonOf(again)).toMatchObject([{ id }]);
		expect(hintsOf(again).join()).toContain('Nothing was changed. 1 item: 1 unchanged.');
		expect(arrived()).toEqual([]);
		await updated(id, { url });
		await updated(id, { utm });
		expect(lastForm()).toEqual({ url: `${url}?${tags}` });
	});

	it('leaves the rules as they are with the option, also beside rules of the row', async () => {
		const id = await madeWith({ url, country: { rules } });
		await updated(id, { utm }, { options: onlyUrl });
		expect(lastForm()).toEqual({ url: `${url}?${tags}` });
		await updated(id, { url });
		const given = { country: { rules: [{ key: 'AT', value: second }] } };
		await updated(id, { utm, ...given }, { options: onlyUrl });
		expect(lastForm()).toMatchObject({ url: `${url}?${tags}`, 'country[0][value]': second });
	});

	it('changes only the rules if the row gives rules and no destination', async () => {
		const id = await madeWith({ url, country: { rules } });
		const given = { country: { rules: [{ key: 'AT', value: second }] } };
		const result = await updated(id, { utm, ...given });
		expect(result.error).toBeUndefined();
		expect(current().requests.map(({ method }) => method)).toEqual(['PUT']);
		expect(lastForm()).toEqual({
			target_type: '1',
			'country[0][key]': 'AT',
			'country[0][value]': secondTagged,
		});
		expect(await held(id)).toMatchObject({ url });
	});

	it('changes only the rules in force, also as the row sets them', async () => {
		const id = await madeWith({ url, country: { rules } });
		await updated(id, { rotation: { rules: [{ value: second }] } });
		await updated(id, { utm });
		expect(lastForm()).toEqual({ url: `${url}?${tags}`, 'rotation[0][value]': secondTagged });
		await updated(id, { utm: { parameters: { utm_source: 'post' } }, targetType: 0 });
		expect(lastForm()).toEqual({
			target_type: '0',
			url: `${url}?utm_source=post&utm_campaign=spring%20sale`,
		});
		await updated(id, { utm, targetType: 1 });
		expect(lastForm()).toMatchObject({ target_type: '1', 'country[0][value]': firstTagged });
	});

	it('empties the rules that it is to clear', async () => {
		const id = await madeWith({ url, country: { rules } });
		await updated(id, { utm }, { clearFields: ['country'] });
		expect(lastForm()).toEqual({
			url: `${url}?${tags}`,
			'country[0][key]': '',
			'country[0][value]': '',
		});
	});

	it('reads once and writes once along with Pixel Mode and other fields', async () => {
		const [one, other] = [await madePixel('a'), await madePixel('b')];
		const id = await madeWith({ url, pixelIds: [one], country: { rules } });
		const fields = { utm, pixelIds: [other], pixelMode: 'add', disabled: true };
		const result = await updated(id, fields);
		expect(result.error).toBeUndefined();
		expect(current().requests.map(({ method }) => method)).toEqual(['GET', 'PUT']);
		expect(lastForm()).toMatchObject({
			disabled: '1',
			'pixel_ids[]': `${one},${other}`,
			url: `${url}?${tags}`,
			'country[0][value]': firstTagged,
		});
	});

	it('has nothing to do for a link that leads to an app', async () => {
		const id = await madeWith({ url: 'myapp://open' });
		const result = await updated(id, { utm });
		expect(hintsOf(result).join()).toContain('1 unchanged');
		expect(arrived()).toEqual([]);
	});

	it('refuses an address that becomes too long, and writes nothing', async () => {
		const long = url.padEnd(2045, 'x');
		const country = { rules: [...rules, { key: 'AT', value: long }] };
		const id = await madeWith({ url, country });
		const result = await updated(id, { utm, disabled: true });
		expect(messageOf(result)).toMatch(
			/^Country Rules rule 3: Destination URL "https:\/\/example\.com\/x+…" has 2,088 characters with UTM Parameters, and services commonly allow 2,048; shorten the address, or leave out UTM Parameters$/,
		);
		expect(descriptionOf(result)).toMatch(
			/^Nothing was changed\. The address belongs to the link, not to the item\./,
		);
		expect(arrived()).toEqual([]);
	});

	it('loses no parameter of rows that work on the same link side by side', async () => {
		const id = await madeWith({ url, country: { rules: [{ key: 'DE', value: second }] } });
		current().set({ faults: [{ effect: { kind: 'latency', milliseconds: 20 } }] });
		const given = Object.entries({ ...parameters, utm_medium: 'a', utm_term: 'b', utm_id: 'c' });
		const rows = given.map(([name, value]) => ({ id, [name]: value }));
		const result = await mapped('update', rows, { options: { concurrency: 5 } });
		expect(result.error).toBeUndefined();
		const stored = await held(id);
		const [rule] = stored?.country_target as IDataObject[];
		for (const address of [stored?.url, rule?.value]) {
			const query = [...new URL(String(address)).searchParams].sort();
			expect(query).toEqual([...given].sort());
		}
	});

	it('is shown by a dry run, which writes nothing', async () => {
		const id = await madeWith({ url, country: { rules } });
		const result = await updated(id, { utm }, { output: 'raw', options: { dryRun: true } });
		expect(jsonOf(result)).toMatchObject([{ method: 'PUT', form: {}, utm: parameters }]);
		expect(arrived()).toEqual([]);
	});
});

describe('a service that', () => {
	const id = 1;
	const update = async (updateFields: IDataObject, options: IDataObject = {}) =>
		await scripted.link('update', {
			parameters: {
				linkId: chosen(id),
				updateFields,
				options: { maxWait: 0, ...options },
			} as never,
		});
	const writesSent = () => scripted.current().requests.filter(({ method }) => method !== 'GET');
	const country_target = [{ key: 'DE', value: second }];

	it.each<[string, IDataObject, string]>([
		['the destination', { url: null }, 'Destination URL'],
		['the destination in words', { url: 'see above' }, 'Destination URL'],
		['the target type', { target_type: undefined }, 'Target Type'],
		['the rules in force', { target_type: 1, country_target: undefined }, 'Country Rules'],
		['rules that can be read', { target_type: '1', country_target: 'DE' }, 'Country Rules'],
	])('does not show %s gets no write', async (_, shown, label) => {
		scripted.current().follow(() => oneOf(linkAs(shown)));
		const result = await update({ utm, disabled: true });
		expect(messageOf(result)).toBe(
			`The service does not return the ${label} of the link in a known form, so the node cannot apply UTM Parameters`,
		);
		expect(descriptionOf(result)).toContain(
			'Nothing was changed. Set Destination URL in the item as well',
		);
		expect(writesSent()).toEqual([]);
	});

	it('shows no rules can be used with the option for Destination URL only', async () => {
		const shown = { target_type: undefined, country_target: undefined };
		scripted
			.current()
			.follow(({ method }) =>
				oneOf(linkAs({ ...shown, url: method === 'GET' ? url : `${url}?${tags}` })),
			);
		const result = await update({ utm }, onlyUrl);
		expect(result.error).toBeUndefined();
		expect(writesSent()).toMatchObject([{ body: `url=${url}?${tags}` }]);
	});

	it('keeps the old addresses, and answers with success, fails the row', async () => {
		scripted.current().follow(() => oneOf(linkAs({ url, target_type: 1, country_target })));
		const result = await update({ utm });
		expect(messageOf(result)).toMatch(
			/^The service reported success, but did not store Destination URL \(sent .*Country Rules \(sent /,
		);
		const kept = { target_type: 1, country_target };
		scripted
			.current()
			.follow(({ method }) =>
				oneOf(linkAs({ ...kept, url: method === 'GET' ? url : `${url}?${tags}` })),
			);
		const rulesKept = await update({ utm });
		expect(messageOf(rulesKept)).toMatch(/but did not store Country Rules \(sent /);
		expect(messageOf(rulesKept)).not.toContain('Destination URL (');
	});

	it('stores addresses in another form needs no second write', async () => {
		const normalized = `${url}?utm%5Fsource=mail&utm_campaign=spring+sale`;
		const rule = { key: 'de', value: `${normalized}#top` };
		const shown = { url: normalized, target_type: '1', country_target: JSON.stringify([rule]) };
		scripted.current().follow(() => oneOf(linkAs(shown)));
		const result = await update({ utm });
		expect(result.error).toBeUndefined();
		expect(hintsOf(result).join()).toContain('1 unchanged');
		expect(writesSent()).toEqual([]);
	});
});

it('rows that cannot be read fail alone', async () => {
	const [one, other] = [await madeLink('one'), await madeLink('other')];
	const rows = [
		{ id: one, utm_source: { a: 1 } },
		{ id: other, utm_source: 'mail' },
	];
	const result = await mapped('update', rows, {}, { onError: 'continueRegularOutput' });
	expect(errorsOf(result)).toEqual([
		'Item 1: UTM Parameters contain {"a":1} as utm_source; enter one text',
		null,
	]);
	expect(await held(other)).toMatchObject({ url: `${url}old?utm_source=mail` });
});

it.each(['undefined', 'null', 'NaN', '[object Object]'])(
	'a row whose expression gave %s sends nothing',
	async (text) => {
		const id = await madeLink('one');
		const before = await held(id);
		const result = await mapped('update', [{ id, utm_campaign: text }]);
		expect(result.error?.message).toBe(
			`Item 1: UTM Parameters contain "${text}" as utm_campaign; enter one text`,
		);
		expect(await held(id)).toEqual(before);
	},
);
