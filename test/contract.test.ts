import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { linkContract } from '../nodes/Link/link.contract';
import { pixelContract } from '../nodes/Pixel/pixel.contract';
import { apiPrefix } from '../nodes/shared/transport/baseUrl';
import { countries, languages } from '../nodes/shared/description/codes';
import { endpointOf, pageSizes } from '../nodes/shared/contract/endpoints';
import { parametersOf } from '../nodes/shared/contract/placement';
import { propertiesOf } from '../nodes/shared/description/properties';
import { Invalid, type Field, type ResourceContract } from '../nodes/shared/contract/types';
import * as spec from './spec.ts';

const resources: [string, spec.SpecResource, ResourceContract][] = [
	['link', spec.link, linkContract],
	['pixel', spec.pixel, pixelContract],
];

type Option = INodeProperties | INodePropertyCollection | INodePropertyOptions;

const isProperty = (option: Option): option is INodeProperties => 'type' in option;
const isChoice = (option: Option): option is INodePropertyOptions => 'value' in option;
const isGroup = (option: Option): option is INodePropertyCollection => 'values' in option;

/** What stands under the options of a property: the properties of a collection, or the inputs of a rule. */
const childrenOf = ({ options = [] }: INodeProperties) =>
	options.flatMap((option) =>
		isGroup(option) ? option.values : isProperty(option) ? [option] : [],
	);

const choicesOf = ({ options = [] }: INodeProperties) => options.filter(isChoice);

/** A property and everything inside it. */
const withChildren = (property: INodeProperties): INodeProperties[] => [
	property,
	...childrenOf(property).flatMap(withChildren),
];

/** The texts that a field sends for a value; an invalid value fails the test. */
function textsOf(field: Field, value: unknown): string[] {
	const encoded = field.wire.codec(value, field);
	if (encoded instanceof Invalid) throw new Error(`${field.name}: ${encoded.reasons.join('; ')}`);
	return encoded.map(([suffix, text]) => `${suffix}${text}`);
}

/** Every value that a field allows, as sent; undefined where it is not one of a fixed set. */
function allowedBy(field: Field): string[] | undefined {
	if (field.type === 'boolean') return [false, true].flatMap((value) => textsOf(field, value));
	if (field.type !== 'options') return undefined;
	return choicesOf(field).flatMap(({ value }) => textsOf(field, value));
}

const sorted = (values: readonly string[] | undefined) => values && [...values].sort();

const repeatedIn = (values: readonly unknown[]) =>
	values.filter((value, index) => values.indexOf(value) !== index);

function fieldFor(contract: ResourceContract, { key }: spec.SpecField): Field {
	const field = contract.fields.find(({ wire }) => wire.key === key);
	if (!field) throw new Error(`The table of ${contract.value} has no ${key}`);
	return field;
}

describe.each(resources)('the table of %s and the interface', (_name, resource, contract) => {
	it('have the same endpoints', () => {
		// Create or Update is made of endpoints that the other operations have.
		const own = contract.operations.filter(({ value }) => value !== 'upsert');
		const rows = own.map(({ value }) => {
			const { method, path } = endpointOf(contract, value);
			return `${value}: ${method} ${apiPrefix}${path}`;
		});
		const expected = resource.endpoints.map(
			({ operation, method, path }) => `${operation}: ${method} ${path}`,
		);
		expect(rows.sort()).toEqual(expected.sort());
		expect(rows).toHaveLength(5);
	});

	it('have the same fields, under the same parameters, on the same operations, in the same places', () => {
		const rowOf = (key: string, param: string, on: spec.SpecField['on']) =>
			[key, param, on.create ?? '-', on.update ?? '-', on.getAll ?? '-'].join(' | ');
		const rows = contract.fields.map(({ name, wire }) => {
			const { create, update, getAll, upsert, ...others } = wire.on;
			expect(upsert !== undefined).toBe(create !== undefined);
			// Reading one and deleting take no parameters (4.6).
			expect(others).toEqual({});
			return rowOf(wire.key, name, { create, update, getAll });
		});
		const expected = resource.fields.map(({ key, param, on }) => rowOf(key, param, on));
		expect(rows.sort()).toEqual(expected.sort());
	});

	it('agree on the id parameter', () => {
		expect(contract.id).toMatchObject({ name: resource.idParam, required: true });
		expect(contract.value).toBe(resource.name);
	});

	it('require the same fields', () => {
		// A field that is optional in the interface may still be what Create or Update finds a resource by.
		const required = contract.fields
			.filter((field) => field.required && field.wire.on.create === 'top')
			.map(({ name }) => name);
		const expected = resource.fields.filter((field) => field.requiredOnCreate);
		expect(required.sort()).toEqual(expected.map(({ param }) => param).sort());
	});

	describe.each(resource.fields.map((field) => [field.key, field] as const))('%s', (_key, of) => {
		it('allows the same values', () => {
			expect(sorted(allowedBy(fieldFor(contract, of)))).toEqual(sorted(of.values));
		});

		it('has the stated default', () => {
			const field = fieldFor(contract, of);
			if (of.default !== undefined) expect(textsOf(field, field.default)).toEqual([of.default]);
			// n8n wants a default even where the interface states none: then it is an allowed value.
			else if (of.values) expect(of.values).toContain(textsOf(field, field.default)[0]);
			else
				expect(['', 0, [], {}, { __rl: true, mode: 'list', value: '' }]).toContainEqual(
					field.default,
				);
		});

		it('is emptied as stated, or not at all', () => {
			const pairs = of.empty?.map((suffix) => [suffix, '']);
			expect(fieldFor(contract, of).wire.empty).toEqual(pairs);
		});

		it('has the stated shape on the wire', () => {
			const field = fieldFor(contract, of);
			if (of.array) expect(textsOf(field, ['7', '8'])).toEqual(['[]7', '[]8']);
			expect(field.type === 'fixedCollection').toBe(of.rule !== undefined);
			if (!of.rule) return;
			const inputs = childrenOf(field);
			expect(inputs.map(({ name }) => name).sort()).toEqual([...of.rule.parts].sort());
			expect(field.displayOptions).toEqual({
				show: { targetType: [Number(of.rule.targetType)] },
			});
			if (!of.rule.keys) return;
			const keys = inputs.filter(({ name }) => name === 'key').flatMap(choicesOf);
			expect(keys.map(({ value }) => String(value)).sort()).toEqual(sorted(of.rule.keys));
		});
	});
});

it('the domain of a link is never part of an update', () => {
	const domain = linkContract.fields.filter(({ wire }) => wire.key.startsWith('domain'));
	expect(domain.map(({ wire }) => wire.on)).toEqual([
		{ create: 'top', upsert: 'top', getAll: 'filters' },
	]);
});

it('the page sizes are those of the interface, smallest first', () => {
	expect(pageSizes).toEqual(spec.pageSizes);
});

describe.each(resources)('the node properties of %s', (_name, resource, contract) => {
	// A notice is read, not filled in.
	const properties = propertiesOf(contract).filter(({ type }) => type !== 'notice');

	/** Without those of Create or Update and of AI agents, which the interface does not know. */
	const interfaceProperties = properties.filter(
		({ displayOptions: { show } = {} }) => String(show?.operation) !== 'upsert' && !show?.['@tool'],
	);

	const shownOn = (operation: string) =>
		interfaceProperties.filter(({ displayOptions }) => {
			const { resource: of, operation: on } = displayOptions?.show ?? {};
			return (!of || of.includes(contract.value)) && (!on || on.includes(operation));
		});

	const namesIn = (operation: spec.SpecEndpoint['operation'], place: spec.SpecPlace) =>
		operation === 'get' || operation === 'delete'
			? []
			: [
					...resource.fields.filter(({ on }) => on[operation] === place).map(({ param }) => param),
					...(resource.helpers[operation]?.[place] ?? []),
				].sort();

	it('declare no parameter twice', () => {
		expect(repeatedIn(interfaceProperties.map(({ name }) => name))).toEqual([]);
	});

	it('offer the resource, the five operations, and Create or Update', () => {
		const choices = (name: string) =>
			properties.filter((property) => property.name === name).flatMap(choicesOf);
		expect(choices('resource').map(({ value }) => value)).toEqual([resource.name]);
		expect(
			choices('operation')
				.map(({ value }) => value)
				.sort(),
		).toEqual(['upsert', ...resource.endpoints.map(({ operation }) => operation)].sort());
	});

	it('tell a model about each operation, and when to use it, where the node is a tool', () => {
		const texts = properties.filter(({ displayOptions }) => displayOptions?.show?.['@tool']);
		expect(new Set(texts.map(({ name }) => name))).toEqual(new Set(['toolDescription']));
		for (const { value, description } of contract.operations) {
			const [text, ...others] = texts.filter(
				({ displayOptions }) => String(displayOptions?.show?.operation) === value,
			);
			expect(others).toEqual([]);
			expect(String(text?.default).split(`${description}. Use this `)).toEqual([
				'',
				expect.stringMatching(/\w+\.$/),
			]);
		}
	});

	describe.each(resource.endpoints)('on $operation', ({ operation, path }) => {
		const isList = operation === 'getAll';
		const collection = {
			create: 'additionalFields',
			update: 'updateFields',
			getAll: 'filters',
			get: undefined,
			delete: undefined,
		} as const;
		const place = collection[operation];
		const nested = place ? namesIn(operation, place) : [];

		it('show exactly the parameters that the operation accepts', () => {
			const expected = [
				...['resource', 'operation', 'options'],
				...(path.includes('{id}') ? [resource.idParam] : []),
				...namesIn(operation, 'top'),
				...(isList ? ['returnAll', 'limit'] : []),
				...(operation === 'delete' ? [] : ['output', 'outputFields']),
				...(place && nested.length > 0 ? [place] : []),
			];
			expect(
				shownOn(operation)
					.map(({ name }) => name)
					.sort(),
			).toEqual(expected.sort());
		});

		it('hold exactly the fields of the operation in its collection', () => {
			const shown = shownOn(operation).filter(({ name }) =>
				['additionalFields', 'filters', 'updateFields'].includes(name),
			);
			const fields = shown.flatMap(childrenOf);
			expect(fields.map(({ name }) => name).sort()).toEqual(nested);
			// In a collection n8n asks for nothing, and the way on the wire is no business of the form.
			expect(fields.filter((field) => 'required' in field || 'wire' in field)).toEqual([]);
		});

		it('are the ones that a row reads, apart from those of the whole run', () => {
			const ofRun = ['resource', 'operation', 'options', 'output', 'outputFields'];
			const shown = shownOn(operation).map(({ name }) => name);
			expect(
				parametersOf(contract, operation)
					.map(({ name }) => name)
					.sort(),
			).toEqual(shown.filter((name) => !ofRun.includes(name)).sort());
		});
	});

	it('offer to clear exactly what the service can empty, the two halves of an expiry as one', () => {
		const choices = properties.filter(({ name }) => name === 'clearFields').flatMap(choicesOf);
		const clearable = resource.fields.filter(({ empty }) => empty).map(({ param }) => param);
		const names = clearable.map((name) => name.replace(/^expiration(Date|Time)$/, 'expiration'));
		expect(choices.map(({ value }) => value).sort()).toEqual([...new Set(names)].sort());
	});

	it('mark as required what the interface requires, and the id', () => {
		const required = interfaceProperties
			.filter((property) => property.required)
			.map(({ name }) => name);
		const expected = resource.fields.filter((field) => field.requiredOnCreate);
		expect(required.sort()).toEqual(
			[resource.idParam, ...expected.map(({ param }) => param)].sort(),
		);
	});

	it('show rules only beside their target type, the limit only without Return All, and Fields only when they count', () => {
		const conditions = interfaceProperties
			.filter(({ name }) => name !== 'options')
			.flatMap(withChildren)
			.map(({ name, displayOptions }) => {
				const { resource: of, operation: on, ...own } = displayOptions?.show ?? {};
				return { name, own, scoped: of !== undefined || on !== undefined };
			})
			.filter(({ own }) => Object.keys(own).length > 0)
			.map(({ name, own }) => JSON.stringify([name, own]));
		const rules = resource.fields.flatMap(({ param, rule, on }) =>
			rule
				? Object.keys(on).map(() =>
						JSON.stringify([param, { targetType: [Number(rule.targetType)] }]),
					)
				: [],
		);
		const limit = JSON.stringify(['limit', { returnAll: [false] }]);
		const fields = JSON.stringify(['outputFields', { output: ['selectedFields'] }]);
		expect(conditions.sort()).toEqual([...rules, limit, fields].sort());
	});
});

describe.each(resources)('the structure of the table of %s', (_name, _resource, contract) => {
	const everything = [
		...propertiesOf(contract),
		...[contract.id, ...contract.fields].flatMap(withChildren),
	].flatMap(withChildren);

	it('declares each name and each wire key once', () => {
		expect(repeatedIn([contract.id, ...contract.fields].map(({ name }) => name))).toEqual([]);
		expect(repeatedIn(contract.fields.map(({ wire }) => wire.key))).toEqual([]);
		expect(repeatedIn(contract.fields.map(({ displayName }) => displayName))).toEqual([]);
		expect(repeatedIn(contract.operations.map(({ value }) => value))).toEqual([]);
	});

	it('repeats no name, value or label in any list', () => {
		const repeated = everything.flatMap((property) => [
			...repeatedIn(childrenOf(property).map(({ name }) => name)),
			...repeatedIn(choicesOf(property).map(({ name }) => name)),
			...repeatedIn(choicesOf(property).map(({ value }) => value)),
		]);
		expect(repeated).toEqual([]);
	});

	it('sorts every list of five entries or more by its label', () => {
		const { compare } = new Intl.Collator('en', { sensitivity: 'base' });
		const lists = everything.flatMap((property) => [
			choicesOf(property).map(({ name }) => name),
			property.type === 'collection'
				? childrenOf(property).map(({ displayName }) => displayName)
				: [],
		]);
		const long = lists.filter((list) => list.length >= 5);
		expect(long.length).toBeGreaterThan(0);
		expect(long).toEqual(long.map((list) => [...list].sort(compare)));
	});
});

const codeLists: [string, INodePropertyOptions[], 'language' | 'region', number, RegExp][] = [
	['countries', countries, 'region', 249, /^[A-Z]{2}$/],
	['languages', languages, 'language', 183, /^[a-z]{2}$/],
];

describe.each(codeLists)('the %s', (_name, entries, type, count, form) => {
	const codes = entries.map(({ value }) => String(value));
	const names = entries.map(({ name }) => name);
	const known = new Intl.DisplayNames('en', { type, fallback: 'none' });

	it(`are ${count} distinct two-letter codes and names`, () => {
		expect(new Set(codes).size).toBe(count);
		expect(new Set(names).size).toBe(count);
		expect(entries).toHaveLength(count);
		expect(codes.filter((code) => !form.test(code))).toEqual([]);
	});

	it('are codes that exist, each under its own name', () => {
		expect(codes.filter((code) => known.of(code) === undefined)).toEqual([]);
		// Names change from one ICU to the next, so only the name of another code counts as wrong.
		const all = new Set(codes.map((code) => known.of(code)));
		const stolen = entries.filter(({ name, value }) => {
			return all.has(name) && known.of(String(value)) !== name;
		});
		expect(stolen).toEqual([]);
	});
});

it('the two long lists are the keys of the country and language rules', () => {
	const keysOf = (name: string) =>
		linkContract.fields
			.filter((field) => field.name === name)
			.flatMap(childrenOf)
			.filter((input) => input.name === 'key')
			.flatMap(choicesOf);
	expect(keysOf('country')).toEqual(countries);
	expect(keysOf('language')).toEqual(languages);
});
