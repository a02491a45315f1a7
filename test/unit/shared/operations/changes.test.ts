import { changesFor, readsFirst } from '../../../../nodes/shared/operations/changes';
import { paramsOf } from '../../../../nodes/shared/contract/encodedRow';
import { linkLike, rowOf } from '../../../support/operationRun.ts';

const update = (updateFields: object) => rowOf('update', { linkId: '1', updateFields } as never);

const pixels = (pixelIds: string, mode: string) => update({ pixelIds, pixelMode: mode });

const held = (...ids: number[]) => linkLike({ pixels: ids.map((id) => ({ id })) });

it('reads first only if the fields depend on the resource', () => {
	expect(readsFirst(update({ alias: 'b' }))).toBe(false);
	expect(readsFirst(pixels('1', 'add'))).toBe(true);
});

it.each<[mode: 'add' | 'remove', given: string, before: number[], after: string[] | undefined]>([
	['add', '3', [1, 2], ['1', '2', '3']],
	['add', '2', [1, 2], undefined],
	['remove', '2', [1, 2], ['1']],
	['remove', '3', [1, 2], undefined],
])('with the mode %s, the pixels %j and %j become %j', (mode, given, before, after) => {
	const [change] = changesFor(pixels(given, mode), held(...before));
	expect(change?.values.map(([, text]) => text)).toEqual(after);
	expect(change?.cleared).toBeUndefined();
});

it('clears a list from which the last value is removed', () => {
	const [change, ...others] = changesFor(pixels('1', 'remove'), held(1));
	expect(others).toEqual([]);
	expect(change).toMatchObject({ cleared: true, field: { name: 'pixelIds' } });
	expect(change?.values).toEqual(change?.field.wire.empty);
});

it('writes the other fields of the row as well', () => {
	const row = update({ alias: 'b', pixelIds: '3', pixelMode: 'add' });
	expect(changesFor(row, held(1)).map(({ field }) => field.name)).toEqual(['alias', 'pixelIds']);
});

it('fails if the service does not show the list', () => {
	expect(() => changesFor(pixels('1', 'add'), linkLike({ pixels: undefined }))).toThrow(
		expect.objectContaining({
			failure: {
				cause: 'rejected',
				message:
					'The service does not return the Pixel Names or IDs of the link, so the node cannot add or remove values',
				advice: expect.stringMatching(/^Nothing was changed\. Set .+ to Replace/),
			},
		}),
	);
});

describe('UTM parameters of a row that gives no destination', () => {
	const tagged = (more = {}) => update({ utm: { parameters: { utm_source: 'mail' } }, ...more });
	const url = 'https://example.com/?utm_source=mail';
	const textsOf = (row: ReturnType<typeof update>, link: object) =>
		paramsOf(changesFor(row, { ...linkLike(), ...link })).map(([name, text]) => `${name}=${text}`);

	it('change the destination of the link', () => {
		expect(readsFirst(tagged())).toBe(true);
		expect(textsOf(tagged(), {})).toEqual([`url=${url}`]);
		expect(textsOf(tagged(), { url })).toEqual([]);
		expect(textsOf(tagged({ alias: 'b' }), {})).toEqual(['alias=b', `url=${url}`]);
	});

	it('change the destinations of rules that are in force', () => {
		const rules = [{ key: 'DE', value: 'https://example.com/' }];
		expect(textsOf(tagged(), { target_type: 1, country_target: rules })).toEqual([
			...[`url=${url}`, 'country[0][key]=DE', `country[0][value]=${url}`],
		]);
		expect(textsOf(tagged(), { target_type: 0, country_target: rules })).toEqual([`url=${url}`]);
		expect(textsOf(tagged(), { target_type: 1, country_target: null })).toEqual([`url=${url}`]);
	});

	it.each([[{ url: undefined }], [{ url: { href: url } }], [{ url: null }]])(
		'fail if the service shows %j',
		(link) => {
			expect(() => textsOf(tagged(), link)).toThrow(
				expect.objectContaining({
					failure: expect.objectContaining({
						message:
							'The service does not return the Destination URL of the link in a known form, so the node cannot apply UTM Parameters',
						advice:
							'Nothing was changed. Set Destination URL in the item as well, so that the node does not need the value of the link.',
					}),
				}),
			);
		},
	);

	it('fail if the destination becomes too long', () => {
		const long = `https://example.com/?a=${'x'.repeat(2010)}`;
		expect(() => textsOf(tagged(), { url: long })).toThrow(
			expect.objectContaining({
				failure: expect.objectContaining({
					message: expect.stringMatching(/^Destination URL /),
					advice: 'Nothing was changed. The address belongs to the link, not to the item.',
				}),
			}),
		);
	});
});
