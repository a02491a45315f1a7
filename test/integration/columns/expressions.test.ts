import { byId, jsonOf, useService, type Run } from '../../support/service.ts';

const { current, link, pixel } = useService();

/** Creates one link per row with these fields. */
const create = async (additionalFields: object, run: Run = {}) =>
	await link('create', {
		...run,
		parameters: {
			url: '={{ $json.url ?? "https://example.com/" }}',
			domainId: byId(1),
			additionalFields: JSON.parse(JSON.stringify(additionalFields)),
			...run.parameters,
		},
	});

/** The forms that arrived, without what all of them hold. */
const forms = () =>
	current().requests.map(({ body = '' }) =>
		decodeURIComponent(body).replace('url=https://example.com/&', '').replace('domain_id=1&', ''),
	);

const messageOf = ({ error }: Awaited<ReturnType<typeof create>>) => String(error?.message);

describe('Expiration', () => {
	const timezone = 'America/New_York';

	it.each([
		['={{ DateTime.fromISO("2090-07-01T12:00:00Z") }}', '08:00'],
		['={{ new Date("2090-07-01T12:00:00Z") }}', '08:00'],
		['={{ "2090-07-01T12:00:00Z" }}', '08:00'],
		['={{ "2090-07-01T12:00" }}', '12:00'],
		['2090-07-01T12:00:00', '12:00'],
		['={{ "2090-07-01" }}', '23:59'],
	])("%s is sent as %s on that day in the workflow's time zone", async (expiration, time) => {
		const result = await create({ expiration }, { timezone });
		expect(result.error).toBeUndefined();
		expect(forms()).toEqual([`expiration_date=2090-07-01&expiration_time=${time}`]);
	});

	it('is sent in the time zone of the account', async () => {
		const credential = { accountTimeZone: 'Asia/Kolkata' };
		const expiration = '={{ "2090-07-01T20:00:00Z" }}';
		await create({ expiration }, { timezone, credential });
		expect(forms()).toEqual(['expiration_date=2090-07-02&expiration_time=01:30']);
	});

	it('names every row whose moment is over, gone or no moment, and sends nothing', async () => {
		const items = [
			{ at: '2090-01-01' },
			{ at: '2020-01-01' },
			{ at: '2090-03-12T02:30' },
			{ at: 'soon' },
		];
		const result = await create({ expiration: '={{ $json.at }}' }, { items, timezone });
		expect(messageOf(result)).toBe('3 of 4 items cannot be sent');
		expect(
			String(result.error && 'description' in result.error && result.error.description),
		).toMatch(
			/^Item 2: Expiration "2020-01-01" is in the past; .*\nItem 3: Expiration "2090-03-12T02:30" does not exist in America\/New_York .*\nItem 4: Expiration "soon" is not a date and time; /,
		);
		expect(current().requests).toEqual([]);
	});
});

describe('lists from a row', () => {
	it('pixels come as an array, as JSON text and as comma-separated text', async () => {
		const ids: unknown[] = [];
		for (const name of ['a', 'b']) {
			const made = await pixel('create', { parameters: { name, type: 'bing', value: 'x' } });
			ids.push(jsonOf(made)[0]?.id);
		}
		current().requests.length = 0;
		const items = [ids, JSON.stringify(ids), ids.join(', '), ids[0]].map((of) => ({ of }));
		const result = await create(
			{ pixelIds: '={{ $json.of }}' },
			{
				items: JSON.parse(JSON.stringify(items)),
				parameters: { output: 'selectedFields', outputFields: ['pixels'] },
			},
		);
		expect(result.error).toBeUndefined();
		expect(jsonOf(result).map(({ pixels }) => pixels)).toEqual([
			['a', 'b'],
			['a', 'b'],
			['a', 'b'],
			['a'],
		]);
	});
});
