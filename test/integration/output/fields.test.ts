import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { linkContract } from '../../../nodes/Link/link.contract';
import { chosen, messageOf, useColumns } from '../../support/columns.ts';
import { byId, jsonOf } from '../../support/service.ts';
import * as spec from '../../spec.ts';

const { link, madePixel } = useColumns();

const url = 'https://example.com/spring';

/** Values that do not follow from the interface: what is written, and what the output shows for it. */
const samples: Readonly<Record<string, readonly [written: unknown, shown: unknown]>> = {
	domain_id: [chosen(2), 2],
	space_id: [chosen(2), 2],
	disabled: [true, true],
	password: ['for-visitors', true],
	privacy_password: ['for-statistics', true],
	expiration: ['2999-06-01T12:30', expect.stringMatching(/^2999-06-01.12:30/)],
	expiration_clicks: [7, 7],
};

/** Returns a value for a field of links, and what the output shows for it. */
async function sampleOf({ key, array, rule, values }: spec.SpecField) {
	if (array) {
		const id = await madePixel('Visitors');
		return [[id], [id]] as const;
	}
	if (rule) {
		const own = { key: rule.keys?.[0] ?? 'de', value: url };
		const entry = rule.parts.includes('key') ? own : { value: url };
		const shown = key === 'country' ? { ...entry, key: 'DE' } : entry;
		return [{ rules: [entry] }, [shown]] as const;
	}
	const text = key.endsWith('url') ? `${url}/${key}` : `new-${key}`;
	return samples[key] ?? (values ? [1, 1] : [text, text]);
}

/** Reads a link, with all fields that Selected Fields offers. */
async function read(id: unknown, output = 'selectedFields'): Promise<IDataObject> {
	const outputFields = linkContract.output.map(({ name }) => name);
	const parameters = { linkId: byId(Number(id)), output, outputFields };
	return jsonOf(await link('get', { parameters }))[0] ?? {};
}

/** Creates a link. */
async function create(fields: IDataObject): Promise<unknown> {
	const { domainId = chosen(1), ...additionalFields } = fields;
	const given = { url, ...additionalFields, domainId, additionalFields };
	const result = await link('create', { parameters: given as INodeParameters });
	expect(messageOf(result)).toBe('undefined');
	return jsonOf(result)[0]?.id;
}

/** The fields that a row writes. A target type comes with its rules. */
const written = spec.link.fields.filter(
	({ key, on }) => (on.create ?? on.update) && key !== 'target_type',
);

it.each(written.map((field) => [field.key, field] as const))(
	'%s arrives at the service, and Raw and Selected Fields show it',
	async (key, { on, param, ...field }) => {
		const contractField = linkContract.fields.find(({ wire }) => wire.key === key);
		const name = contractField?.wire.shownAs ?? param;
		const [value, shown] = await sampleOf({ on, param, ...field });
		const fields = { [param]: value } as IDataObject;
		const first = await create({});
		const before = [await read(first), await read(first, 'raw')];
		expect(before[0]?.[name]).not.toEqual(shown);
		let id = first;
		if (on.update) {
			const parameters = { linkId: byId(Number(id)), updateFields: fields as never };
			expect(messageOf(await link('update', { parameters }))).toBe('undefined');
		} else {
			id = await create(fields);
		}
		expect((await read(id))[name]).toEqual(shown);
		const { updated_at, ...raw } = await read(id, 'raw');
		expect({ ...before[1], updated_at }).not.toEqual({ ...raw, updated_at });
	},
);
