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

const texts = Array.from({ length: 5000 }, (_, index) => `no-id-${index}/..`);

const cells: [string, IDataObject, RegExp][] = [
	[
		'5,000 pixel IDs',
		{ pixelIds: JSON.stringify(texts.map((text) => [text])) },
		/^Item \d: Pixels /,
	],
	[
		'5,000 rules',
		{ 'Country Rules': JSON.stringify(texts.map((text) => ({ key: text, value: 'no address' }))) },
		/^Item \d: Country Rules rule 1: /,
	],
	[
		'5,000 rules in another alphabet',
		{
			'Country Rules': JSON.stringify(
				texts.map(() => ({ key: '漢'.repeat(90), value: '"\\'.repeat(90) })),
			),
		},
		/^Item \d: Country Rules rule 1: /,
	],
	[
		'5,000 rules of markup',
		{
			'Country Rules': JSON.stringify(
				texts.map(() => ({ key: '<'.repeat(90), value: '&`'.repeat(90) })),
			),
		},
		/^Item \d: Country Rules rule 1: /,
	],
];

describe.each(cells)('a row with %s that are wrong', (_, cell, message) => {
	const url = 'https://example.com/';
	const parameters = { mappingColumnMode: 'autoMapInputData', domainId: byId(1) };

	it('makes an error of at most 16 kB', async () => {
		const result = await link('create', { items: [{ url, ...cell }], parameters });
		expect(result.error?.message).toMatch(message);
		expect(result.error?.message).toMatch(/ … and \d,\d{3} more$/);
		expect(sizeOfError(result)).toBeLessThanOrEqual(most);
		expect(current().requests).toEqual([]);
	});

	it('makes such an error next to another row too', async () => {
		const items = [{ url: 'no address' }, { url, ...cell }, { url }];
		const result = await link('create', { items, parameters });
		expect(result.error?.message).toBe('2 of 3 items cannot be sent');
		expect(sizeOfError(result)).toBeLessThanOrEqual(most);
	});

	it.each([
		['continueRegularOutput', 0],
		['continueErrorOutput', 1],
	] as const)(
		'makes an item of at most 16 kB, apart from its columns: %s',
		async (onError, output) => {
			const result = await link('create', { items: [{ url, ...cell }], parameters, onError });
			const [item] = result.outputs[output] ?? [];
			const { error, errorDetails } = item?.json ?? {};
			expect(error).toMatch(message);
			expect(sizeOf({ error, errorDetails })).toBeLessThanOrEqual(most);
			const { fieldErrors } = errorDetails as { fieldErrors: Record<string, string[]> };
			expect(Object.values(fieldErrors)[0]?.at(-1)).toMatch(/^… and \d,\d{3} more$/);
		},
	);
});

it('ten rows of markup make an error of at most 16 kB', async () => {
	const items = Array.from({ length: 10 }, (_, index) => ({ url: `${index}${'<'.repeat(300)}` }));
	const parameters = { mappingColumnMode: 'autoMapInputData', domainId: byId(1) };
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

describe.each(answers)('an answer that names thousands of %s', (_, body) => {
	const run = async (onError?: 'continueRegularOutput') => {
		scripted.current().follow(() => ({ status: 422, body }));
		const parameters = {
			...{ url: 'https://example.com/', domainId: byId(1) },
			alias: 'a',
			additionalFields: { pixelIds: Array.from({ length: 5000 }, (_, id) => id + 1).join() },
		};
		return await scripted.link('create', { onError, parameters });
	};

	it('makes an error of at most 16 kB', async () => {
		const result = await run();
		expect(result.error?.message).toMatch(/^The service did not accept the values \(HTTP 422\): /);
		expect(result.error?.context.data).toMatchObject({ statusCode: 422 });
		expect(sizeOfError(result)).toBeLessThanOrEqual(most);
	});

	it('makes an item of at most 16 kB', async () => {
		const [item] = jsonOf(await run('continueRegularOutput'));
		expect(item?.error).toMatch(/^The service did not accept the values \(HTTP 422\): /);
		expect(sizeOf(item)).toBeLessThanOrEqual(most);
	});
});
