import fc from 'fast-check';
import { linkContract } from '../../nodes/Link/link.contract';
import { pixelContract } from '../../nodes/Pixel/pixel.contract';
import { project } from '../../nodes/shared/description/output';
import { casesOf } from '../support/randomTests.ts';
import { misfits, type JsonSchema } from '../support/schema.ts';

/** What a service of the family calls the parts of a link or pixel, and names that every object has already. */
const keys =
	`id alias url short_url title target_type country_target platform_target language_target rotation_target disabled
	privacy password expiration_url expiration_clicks clicks space domain pixels ends_at created_at updated_at name type
	value key toString valueOf constructor length`.split(/\s+/);

/** Any JSON, with a leaning to the shapes that the readers look into. */
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
	json: fc.oneof(
		{ depthSize: 'small', withCrossShrink: true },
		fc.jsonValue(),
		fc.constantFrom<unknown>(null, 0, 1, '0', '1', 'true', '', '-0', '1e3', '9007199254740993'),
		fc.constantFrom<unknown>('2020-01-01 00:00:00', '2040-01-01T00:00:00.000000Z', '9999', 'Z'),
		fc.array(tie('json'), { maxLength: 3 }),
		fc.dictionary(fc.constantFrom(...keys), tie('json')),
	),
}));
const resources = fc.dictionary(fc.constantFrom(...keys), json);

describe.each([linkContract, pixelContract])('the output of a $value', ({ output }) => {
	const schema = {
		type: 'object',
		properties: Object.fromEntries(output.map(({ name, from }) => [name, from.schema])),
	} as JsonSchema;

	it('gives every name, and nothing but what its schema tells, whatever the service sent', () => {
		fc.assert(
			fc.property(resources, (resource) => {
				const item = project(output, resource, 'UTC');
				expect(Object.keys(item)).toEqual(output.map(({ name }) => name));
				expect(misfits(item, schema)).toEqual([]);
			}),
			{ numRuns: casesOf(400) },
		);
	});
});

it.each([0, 7, '7'])('the clicks of a link are a number: %j', (clicks) => {
	expect(project(linkContract.output, { clicks }, 'UTC').clicks).toBe(Number(clicks));
});

it.each([undefined, null, '', '1,234', '1 234', '1.5', 1.5, 'many', true, {}])(
	'the clicks of a link are null where they cannot be read: %j',
	(clicks) => {
		expect(project(linkContract.output, { clicks }, 'UTC').clicks).toBeNull();
	},
);

it.each([undefined, null])('the status of a link is null where disabled is %j', (disabled) => {
	const link = { disabled, ends_at: '2020-01-01T00:00:00Z' };
	expect(project(linkContract.output, link, 'UTC').status).toBeNull();
});

it('the status takes a time without a zone as UTC, wherever n8n runs', () => {
	const statusOf = (ends_at: string) =>
		project(linkContract.output, { disabled: 0, ends_at }, 'UTC').status;
	const at = (milliseconds: number) =>
		new Date(Date.now() + milliseconds).toISOString().slice(0, 19);
	const zone = process.env.TZ;
	try {
		for (const TZ of ['Pacific/Kiritimati', 'Pacific/Niue']) {
			process.env.TZ = TZ;
			expect(statusOf(at(60_000))).toBe('active');
			expect(statusOf(`${at(60_000)}Z`)).toBe('active');
			expect(statusOf(at(-60_000).replace('T', ' '))).toBe('expired');
		}
	} finally {
		if (zone === undefined) delete process.env.TZ;
		else process.env.TZ = zone;
	}
});
