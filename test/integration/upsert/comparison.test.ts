import type { IDataObject } from 'n8n-workflow';
import { accountOf, hintsOf, linksOf, outcomesOf, row, writesIn } from '../../support/account.ts';
import { sheetOn } from '../../support/mappedSheet.ts';
import { reconciliations } from '../../support/operationNames.ts';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf } from '../../support/service.ts';

const { current, link } = useScriptedService();

const methods = () => writesIn(current().requests).map(([method, id]) => `${method} ${id}`.trim());

const sheet = sheetOn(link);

const timezone = 'Europe/Berlin';

/** How a service writes `Z` after an expiry: for UTC, or after the clock of the account, which is in Berlin. */
type Meaning = 'clock' | 'utc';

/** A clock time in Berlin in winter, as such a service shows it. */
const shownBy = (meaning: Meaning) => (time: string) =>
	meaning === 'clock'
		? `2031-01-10T${time}:00.000000Z`
		: `2031-01-10T${String(Number(time.slice(0, 2)) - 1).padStart(2, '0')}${time.slice(2)}:00.000000Z`;

/** The account shows the expiry of each link in its own way, and stores what it is sent. */
function beginWith(meaning: Meaning, ...times: string[]) {
	const shows = shownBy(meaning);
	const links = linksOf(...times.map((time, index) => row(`a-${index}`, { ends_at: shows(time) })));
	current().follow(
		accountOf(links, {
			stores: (fields) =>
				typeof fields.ends_at === 'string'
					? { ...fields, ends_at: shows(fields.ends_at.slice(11, 16)) }
					: fields,
		}),
	);
	return { links, endings: () => links.toReversed().map(({ ends_at: endsAt }) => endsAt) };
}

const expiring = (...times: string[]) =>
	times.map((time, index) => row(`a-${index}`, { expiration: `2031-01-10 ${time}` }));

// An edit by exactly the offset of the zone is missed (docs/service-behavior.md).
it('an edit by the offset of the zone changes nothing, whatever other rows do', async () => {
	const { endings } = beginWith('clock', '10:00', '12:00', '14:00');
	const items = [
		...expiring('11:00', '12:00', '15:30'),
		row('new', { expiration: '2031-01-10 20:00' }),
	];
	expect(outcomesOf(await sheet('upsert', items, { timezone }))).toEqual([
		'unchanged',
		'unchanged',
		'updated',
		'created',
	]);
	expect(endings().slice(0, 2)).toEqual(['10:00', '12:00'].map(shownBy('clock')));
});

it.each([3, 1])(
	'a service whose clock differs by a constant gets one hint, and fails if the expiry stays, with %d rows',
	async (count) => {
		const times = ['10:00', '12:00', '14:00'].slice(0, count);
		const links = linksOf(...times.map((_, index) => row(`a-${index}`)));
		current().follow(
			accountOf(links, {
				stores: (fields) => ({
					...fields,
					ends_at: String(fields.ends_at).replace(/T(\d\d)/, (_, hour) => `T${Number(hour) + 3}`),
				}),
			}),
		);
		const items = expiring(...times);
		const result = await sheet('upsert', items);
		expect(outcomesOf(result)).toEqual(items.map(() => 'updated'));
		expect(hintsOf(result).match(/Set Account Time Zone in the credential/g)).toHaveLength(1);
		expect(hintsOf(result)).not.toContain('did not store');
		// The service answers with the expiry that the link had, so it may not have stored the new one.
		const second = await sheet('upsert', items);
		expect(second.error?.message).toContain('did not store Expiration');
		expect(second.error?.description).toContain('Set Account Time Zone in the credential');
	},
);

describe('a destination that the service tidies up', () => {
	const tidied = (url: unknown) => new URL(String(url)).href;
	const odd = {
		stores: (fields: IDataObject) =>
			fields.url === undefined ? fields : { ...fields, url: tidied(fields.url) },
	};
	const items = [
		{ alias: 'a', url: 'HTTPS://Example.com' },
		{ alias: 'b', url: 'https://example.com:443/ä b' },
		{ alias: 'c', url: 'https://bücher.example?q=ü' },
	];

	it.each(reconciliations)('settles at the first run of %s', async (operation) => {
		current().follow(accountOf([], odd));
		expect(outcomesOf(await sheet(operation, items))).toEqual(items.map(() => 'created'));
		current().requests.length = 0;
		expect(outcomesOf(await sheet(operation, items))).toEqual(items.map(() => 'unchanged'));
		expect(methods()).toEqual([]);
	});
});

describe('an expiry in the past', () => {
	const past = '2020-05-01 10:00';
	const ended = row('ended', { ends_at: '2020-05-01T10:00:00Z' });
	const open = row('open', { ends_at: '2031-01-01T10:00:00Z' });
	const pastIn = (count: string) => `. Expiration is in the past for ${count}.`;

	it.each(reconciliations)(
		'is sent by %s, with a hint that counts the links',
		async (operation) => {
			const items = [
				row('new', { expiration: past }),
				row('ended', { expiration: past }),
				row('open', { expiration: past }),
				row('other'),
			];
			for (const options of [{ dryRun: true }, {}]) {
				current().follow(accountOf(linksOf(ended, open)));
				const result = await sheet(operation, items, { parameters: { options } });
				expect(result.error).toBeUndefined();
				expect(outcomesOf(result)).toEqual(['created', 'unchanged', 'updated', 'created']);
				// The link that has it already gets no request.
				expect(hintsOf(result)).toContain(pastIn('2 links'));
			}
			expect(writesIn(current().requests)).toContainEqual([
				'PUT',
				'2',
				{ expiration_date: '2020-05-01', expiration_time: '10:00' },
			]);
		},
	);

	it('gives no hint if nothing sends it', async () => {
		current().follow(accountOf(linksOf(ended)));
		const changed = row('ended', { expiration: past, url: 'https://example.com/new' });
		const result = await sheet('upsert', [changed, row('a', { expiration: '2090-01-01' })]);
		expect(outcomesOf(result)).toEqual(['updated', 'created']);
		expect(hintsOf(result)).not.toContain('in the past');
	});

	it.each([{}, { dryRun: true }])('is sent by Update with a hint, %j', async (options) => {
		current().follow(accountOf(linksOf(open)));
		const parameters = { linkId: byId(1), updateFields: { expiration: past }, options };
		const result = await link('update', { parameters: parameters as never });
		expect(result.error).toBeUndefined();
		expect(hintsOf(result)).toContain(pastIn('1 link'));
	});

	it('is refused by Create, and by each operation of a tool', async () => {
		for (const options of [{}, { dryRun: true }]) {
			current().follow(accountOf(linksOf(open)));
			const additionalFields = { expiration: past };
			const own = { url: 'https://example.com/', domainId: byId(1), alias: 'a' };
			const calls = [
				['create', { ...own, additionalFields }, {}],
				[
					'upsert',
					{ ...own, additionalFields },
					{ settings: { type: 'n8n-nodes-link-management.linkTool' } },
				],
				[
					'update',
					{ linkId: byId(1), updateFields: { expiration: past } },
					{ settings: { type: 'n8n-nodes-link-management.linkTool' } },
				],
			] as const;
			for (const [operation, parameters, more] of calls) {
				const run = { ...more, parameters: { ...parameters, options } };
				const result = await link(operation, run as never);
				expect(result.error?.message).toMatch(
					/Expiration "2020-05-01 10:00" is in the past; choose a later time/,
				);
			}
			expect(current().requests).toEqual([]);
		}
	});
});

describe('an ID above 2^53', () => {
	const raw = '9007199254740993';
	const asNumber = (text: string) => text.replaceAll(`"${raw}"`, raw);
	const answer = (body: unknown) => ({ body: asNumber(JSON.stringify(body)) });
	const refused = /^(Item 1 \(.*\): )?The service has IDs above 9007199254740991/;

	it.each([
		['get', { linkId: byId(1) }],
		['getAll', { returnAll: true }],
		['update', { linkId: byId(1), updateFields: { disabled: false } }],
		['create', { url: 'https://example.com/' }],
	] as [string, IDataObject][])('in an answer to %s is refused', async (operation, parameters) => {
		for (const one of [linkAs({ id: raw })]) {
			current().follow(() => answer(operation === 'getAll' ? pageOf([one]).body : oneOf(one).body));
			const result = await link(operation, { parameters: parameters as never });
			expect(result.error?.message).toMatch(refused);
			expect(jsonOf(result)).toEqual([]);
		}
	});

	it('of what a link is related to is never sent, and the output has none', async () => {
		const one = linkAs({
			pixels: [{ id: raw, name: 'P' }],
			domain: { id: raw, name: 'd.example' },
		});
		current().follow(() => answer(oneOf(one).body));
		const selected = { output: 'selectedFields', outputFields: ['domainId', 'pixelIds', 'domain'] };
		const read = await link('get', { parameters: { linkId: byId(1), ...selected } });
		expect(jsonOf(read)).toEqual([{ domainId: null, pixelIds: [], domain: 'd.example' }]);
		const updateFields = { pixelIds: [5], pixelMode: 'add' };
		const result = await link('update', {
			parameters: { linkId: byId(1), updateFields: updateFields as never },
		});
		expect(result.error?.message).toContain('does not return the Pixels of the link');
		expect(methods()).toEqual([]);
	});

	it.each([
		'"updated_ns":1700000000000000000',
		'"score":1e300',
		'"owner":{"id":12345678901234567890}',
	])('that no node uses is left alone: %s', async (more) => {
		current().follow(() => ({
			body: JSON.stringify(oneOf(linkAs({})).body).replace('"title":null', more),
		}));
		expect((await link('get', { parameters: { linkId: byId(1) } })).error).toBeUndefined();
	});

	it('is never sent rounded, as a number of an expression or inside a list', async () => {
		current().follow(() => oneOf(linkAs({})));
		for (const parameters of [
			{ linkId: '={{ 9007199254740993 }}', updateFields: { disabled: true } },
			{ linkId: byId(1), updateFields: { pixelIds: `=[${raw}]` } },
			{ linkId: byId(1), updateFields: { spaceId: '={{ 9007199254740993 }}' } },
			{ linkId: byId(1), updateFields: { alias: '={{ 9007199254740993 }}' } },
			{
				linkId: byId(1),
				updateFields: {
					url: 'https://example.com/',
					utm: { parameters: { utm_source: '={{ 9007199254740993 }}' } },
				},
			},
		]) {
			const result = await link('update', { parameters: parameters as never });
			expect(result.error?.message).toContain('a number above 9007199254740991');
			expect(current().requests).toEqual([]);
		}
	});

	it('as text is sent as it is, and a delete that is answered with a rounded one is done', async () => {
		current().follow(({ path }) =>
			path === `/links/${raw}` ? answer({ id: raw, object: 'link', deleted: true }) : 'drop',
		);
		const result = await link('delete', {
			parameters: { linkId: byId(raw), options: { ignoreMissing: true } },
		});
		expect(jsonOf(result)).toEqual([{ id: raw, deleted: true }]);
	});

	it('as a number is refused by Delete, and never reported as missing', async () => {
		current().follow(() => ({
			status: 404,
			body: { message: 'Resource not found.', status: 404 },
		}));
		const result = await link('delete', {
			parameters: { linkId: '={{ 9007199254740993 }}', options: { ignoreMissing: true } },
		});
		expect(result.error?.message).toContain('a number above 9007199254740991');
		expect(current().requests).toEqual([]);
	});
});
