import type { IDataObject } from 'n8n-workflow';
import type { NodeResult } from '../../support/n8n.ts';
import { useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf, useService } from '../../support/service.ts';

const { current, link } = useService();
const scripted = useScriptedService();

/** Bytes of a value as n8n stores it. */
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** The error of a run as n8n stores it, without the node and the calls in its stack, which have their own size. */
const sizeOfError = ({ error }: NodeResult) =>
	sizeOf({ ...error, node: undefined, stack: error?.stack?.split('\n    at ')[0] });

const most = 16_000;

const texts = Array.from({ length: 2000 }, (_, index) => `no-id-${index}/..`);

const cells: [string, IDataObject, RegExp][] = [
	[
		'2,000 pixel IDs',
		{ pixelIds: JSON.stringify(texts.map((text) => [text])) },
		/^Item \d: Pixels /,
	],
	[
		'2,000 rules',
		{ 'Country Rules': JSON.stringify(texts.map((text) => ({ key: text, value: 'no address' }))) },
		/^Item \d: Country Rules rule 1: /,
	],
	[
		'2,000 rules in another alphabet',
		{
			'Country Rules': JSON.stringify(
				texts.map(() => ({ key: '漢'.repeat(90), value: '"\\'.repeat(90) })),
			),
		},
		/^Item \d: Country Rules rule 1: /,
	],
	[
		'2,000 rules of markup',
		{
			'Country Rules': JSON.stringify(
				texts.map(() => ({ key: '<'.repeat(90), value: '&`'.repeat(90) })),
			),
		},
		/^Item \d: Country Rules rule 1: /,
	],
];

const url = 'https://example.com/';
const parameters = { mappingColumnMode: 'autoMapInputData', domainId: byId(1) };

it.each(cells)(
	'a row with %s that are wrong makes errors of at most 16 kB',
	async (_, cell, message) => {
		const alone = await link('create', { items: [{ url, ...cell }], parameters });
		expect(alone.error?.message).toMatch(message);
		expect(alone.error?.message).toMatch(/ … and \d,\d{3} more$/);
		expect(sizeOfError(alone)).toBeLessThanOrEqual(most);

		const items = [{ url: 'no address' }, { url, ...cell }, { url }];
		const two = await link('create', { items, parameters });
		expect(two.error?.message).toBe('2 of 3 items cannot be sent');
		expect(sizeOfError(two)).toBeLessThanOrEqual(most);
		expect(current().requests).toEqual([]);

		const onError = 'continueErrorOutput';
		const { outputs } = await link('create', { items: [{ url, ...cell }], parameters, onError });
		const { error, errorDetails } = outputs[1]?.[0]?.json ?? {};
		expect(error).toMatch(message);
		expect(sizeOf({ error, errorDetails })).toBeLessThanOrEqual(most);
		const { fieldErrors } = errorDetails as { fieldErrors: Record<string, string[]> };
		expect(Object.values(fieldErrors)[0]?.at(-1)).toMatch(/^… and \d,\d{3} more$/);
	},
);

it('5,000 wrong rows make an error of at most 16 kB', async () => {
	// Shortened, they are all the same.
	const items = Array.from({ length: 5000 }, (_, row) => ({ url: `${'x'.repeat(5000)} ${row}\n` }));
	const result = await link('create', { items, parameters });
	expect(result.error?.message).toBe('5000 of 5000 items cannot be sent');
	expect(result.error?.description).toMatch(
		/^Item 1: Destination URL "x+…" must start with https:\/\/[^]*\nand 4980 more items\.$/m,
	);
	expect(sizeOfError(result)).toBeLessThanOrEqual(most);
});

it('ten rows of markup make an error of at most 16 kB', async () => {
	const items = Array.from({ length: 10 }, (_, index) => ({ url: `${index}${'<'.repeat(300)}` }));
	const result = await link('create', { items, parameters });
	expect(result.error?.message).toBe('10 of 10 items cannot be sent');
	expect(sizeOfError(result)).toBeLessThanOrEqual(most);
});

/** Answers that name thousands of errors. */
const answers: [string, unknown][] = [
	['messages on a field', { message: { alias: texts } }],
	['messages of 10 kB', { message: { alias: texts.map(() => 'x'.repeat(10_000)).slice(0, 200) } }],
	['fields', { errors: Object.fromEntries(texts.map((text) => [text, ['No.']])) }],
	['messages of markup', { message: { alias: texts.map(() => '<&>`'.repeat(200)) } }],
	[
		'entries of a list',
		{
			message: Object.fromEntries(
				texts.map((_, index) => [`pixel_ids.${index}`, ['無効'.repeat(100)]]),
			),
		},
	],
	['names of 10 kB', { message: { ['k'.repeat(10_000)]: texts } }],
];

it.each(answers)(
	'an answer that names thousands of %s makes errors of at most 16 kB',
	async (_, body) => {
		scripted.current().follow(() => ({ status: 422, body }));
		const pixelIds = Array.from({ length: 2000 }, (_, id) => id + 1).join();
		const create = { url, domainId: byId(1), alias: 'a', additionalFields: { pixelIds } };
		const message = /^The service did not accept the values \(HTTP 422\): /;
		const stopped = await scripted.link('create', { parameters: create });
		expect(stopped.error?.message).toMatch(message);
		expect(stopped.error?.context.data).toMatchObject({ statusCode: 422 });
		expect(sizeOfError(stopped)).toBeLessThanOrEqual(most);

		const onError = 'continueRegularOutput';
		const [item] = jsonOf(await scripted.link('create', { onError, parameters: create }));
		expect(item?.error).toMatch(message);
		expect(sizeOf(item)).toBeLessThanOrEqual(most);
	},
);
