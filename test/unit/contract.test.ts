import {
	NodeHelpers,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { linkContract } from '../../nodes/Link/link.contract';
import { pixelContract } from '../../nodes/Pixel/pixel.contract';
import { apiPrefix } from '../../nodes/shared/transport/account';
import { endpointOf, pageSizes, operationTable } from '../../nodes/shared/contract/operations';
import { rulesByTargetType } from '../../nodes/Link/fields/targeting';
import { layoutOf } from '../../nodes/shared/contract/layout';
import { propertiesOf } from '../../nodes/shared/description/properties';
import { type OperationName, Invalid } from '../../nodes/shared/contract/types';
import type { Field, ResourceContract } from '../../nodes/shared/contract/resourceTypes';
import * as spec from '../spec.ts';

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
		const requestsOf = (operation: OperationName) =>
			operationTable[operation].endpoints
				.map((endpoint) => endpointOf(contract, endpoint))
				.map(({ method, path }) => `${method} ${apiPrefix}${path}`);
		const expected = Object.fromEntries(
			resource.endpoints.map(({ operation, method, path }) => [operation, `${method} ${path}`]),
		) as Record<spec.SpecOperation | 'delete' | 'get', string>;
		expect(Object.keys(expected)).toHaveLength(5);
		for (const [operation, request] of Object.entries(expected))
			expect(requestsOf(operation as OperationName)).toEqual([request]);
		// The nodes make these operations of several requests.
		const { create, delete: remove, getAll, update } = expected;
		expect(requestsOf('upsert')).toEqual([getAll, create, update]);
		expect(requestsOf('sync')).toEqual([getAll, create, update, remove]);
	});

	it('have the same fields, under the same parameters, on the same operations, in the same places', () => {
		const operations = ['create', 'update', 'getAll', ...spec.ownOperations] as const;
		// UTM Parameters are part of the URLs.
		const sent = contract.fields.filter(({ name }) => name !== 'utm');
		const rows = sent.map(({ name, wire }) => {
			// Reading one and deleting take no parameters (4.6).
			expect(operations).toEqual(expect.arrayContaining(Object.keys(wire.on)));
			return [wire.key, name, ...operations.map((one) => wire.on[one] ?? '-')].join(' | ');
		});
		const expected = resource.fields.map(({ key, param, on }) =>
			[key, param, ...operations.map((one) => spec.entryFor(on, one) ?? '-')].join(' | '),
		);
		expect(rows.sort()).toEqual(expected.sort());
	});

	it('agree on the id parameter', () => {
		expect(contract.id).toMatchObject({ name: resource.idParam, required: true });
		expect(contract.value).toBe(resource.name);
	});

	it('require the same fields, and find a resource by the same one', () => {
		const required = contract.fields.filter((field) => field.required).map(({ name }) => name);
		const expected = resource.fields.filter((field) => field.requiredOnCreate);
		expect(required.sort()).toEqual(expected.map(({ param }) => param).sort());
		const keys = resource.fields.filter(({ isKey }) => isKey).map(({ key }) => key);
		expect([contract.key.searchBy]).toEqual(keys);
	});

	describe.each(resource.fields.map((field) => [field.key, field] as const))('%s', (_key, of) => {
		it('allows the same values', () => {
			// A choice may stand for several values, which it sends with a request each.
			const allowed = allowedBy(fieldFor(contract, of));
			expect(allowed && [...new Set(allowed)].sort()).toEqual(sorted(of.values));
		});

		it('has the stated default', () => {
			const field = fieldFor(contract, of);
			if (of.default !== undefined)
				expect(textsOf(field, field.default)).toEqual(of.formDefault ?? [of.default]);
			// n8n wants a default even where the interface states none: then it is an allowed value.
			else if (of.values) expect(of.values).toContain(textsOf(field, field.default)[0]);
			else
				expect(['', 0, [], {}, { __rl: true, mode: 'list', value: '' }]).toContainEqual(
					field.default,
				);
		});

		it('is emptied as stated, or not at all', () => {
			expect(fieldFor(contract, of).wire.empty).toEqual(of.empty);
		});

		it('has the stated shape on the wire', () => {
			const field = fieldFor(contract, of);
			if (of.array) expect(textsOf(field, ['7', '8'])).toEqual(['[]7', '[]8']);
			expect(field.type === 'fixedCollection').toBe(of.rule !== undefined);
			if (!of.rule) return;
			const inputs = childrenOf(field);
			expect(inputs.map(({ name }) => name).sort()).toEqual([...of.rule.parts].sort());
			expect(rulesByTargetType[of.rule.targetType]).toBe(field.name);
			if (!of.rule.keys) return;
			const keys = inputs.filter(({ name }) => name === 'key').flatMap(choicesOf);
			expect(keys.map(({ value }) => String(value)).sort()).toEqual(sorted(of.rule.keys));
		});
	});
});

it('the domain of a link is never part of an update', () => {
	const domain = linkContract.fields.filter(({ wire }) => wire.key.startsWith('domain'));
	expect(domain.map(({ wire }) => wire.on)).toEqual([
		{ create: 'top', sync: 'additionalFields', upsert: 'top', getAll: 'filters' },
	]);
});

it('the page sizes are those of the interface, smallest first', () => {
	expect(pageSizes).toEqual(spec.pageSizes);
});

describe.each(resources)('the node properties of %s', (_name, resource, contract) => {
	// A notice is read, not filled in.
	const properties = propertiesOf(contract).filter(({ type }) => type !== 'notice');

	/** All operations: those of the interface, and those that the nodes make of them. */
	const operations = [
		...resource.endpoints.map(({ operation, path }) => ({
			operation,
			isOnOne: path.includes('{id}'),
		})),
		...spec.ownOperations.map((operation) => ({ operation, isOnOne: false })),
	];
	type OperationName = (typeof operations)[0]['operation'];

	/** What decides beside the operation which fields are asked for. */
	interface Setting {
		readonly mappingColumnMode: 'autoMapInputData' | 'defineBelow';
		readonly matchBy?: string;
	}

	const form: Setting = { mappingColumnMode: 'defineBelow' };
	const settings = (['autoMapInputData', 'defineBelow'] as const).map(
		(mappingColumnMode): Setting => ({ mappingColumnMode }),
	);

	/** What n8n itself shows, where everything that can be opened is open. */
	const shownOn = (operation: OperationName, setting: Setting) => {
		const open = { returnAll: false, output: 'selectedFields' };
		const values = {
			resource: resource.name,
			operation,
			matchBy: resource.matchBy.key,
			...open,
			...setting,
		};
		return properties.filter((property) =>
			NodeHelpers.displayParameter(values, property, null, null),
		);
	};

	const isMapped = (operation: OperationName) => !['delete', 'get', 'getAll'].includes(operation);

	const isMatched = (operation: OperationName, { mappingColumnMode }: Setting) =>
		['sync', 'upsert'].includes(operation) ||
		(operation === 'update' && mappingColumnMode === 'autoMapInputData');

	const namesIn = (operation: OperationName, place: spec.SpecPlace) =>
		[
			...resource.fields
				.filter(({ on }) => spec.entryFor(on, operation) === place)
				.map(({ param }) => param),
			...(spec.entryFor(resource.helpers, operation)?.[place] ?? []),
		].sort();

	it('show no two parameters of one name at the same time, whatever is set', () => {
		for (const { operation } of operations)
			for (const setting of settings) {
				const names = shownOn(operation, setting).map(({ name }) => name);
				expect({ operation, setting, repeated: repeatedIn(names) }).toEqual({
					operation,
					setting,
					repeated: [],
				});
			}
	});

	it('offer the resource, the operations of the interface, and those that the nodes add', () => {
		const choices = (name: string) =>
			properties.filter((property) => property.name === name).flatMap(choicesOf);
		expect(choices('resource').map(({ value }) => value)).toEqual([resource.name]);
		const offered = choices('operation').map(({ value }) => value);
		expect(offered).toEqual(expect.arrayContaining(operations.map(({ operation }) => operation)));
		expect(Object.keys(operationTable)).toEqual(expect.arrayContaining(offered));
		expect(contract.operations.map(({ value }) => value).sort()).toEqual(offered.sort());
	});

	it('offer Sync the parts of a scope, and what to do with unmatched resources', () => {
		const [scope, ...scopes] = properties.filter(({ name }) => name === 'syncScope');
		expect([scope?.type, scope?.default, scopes]).toEqual(['collection', {}, []]);
		const parts = scope ? childrenOf(scope) : [];
		expect(parts.map(({ name }) => name).sort()).toEqual(sorted(resource.scope));
		expect(parts.filter((part) => 'required' in part || 'scope' in part)).toEqual([]);
		const param = `unmatched${contract.name}s`;
		const [action, ...more] = properties.filter(({ name }) => name === param);
		expect([action?.default, more]).toEqual([resource.unmatchedActions[0], []]);
		const ways = action && choicesOf(action).map(({ value }) => String(value));
		expect(sorted(ways)).toEqual(sorted(resource.unmatchedActions));
	});

	it.each(['sync', 'upsert'] as const)('ask on %s for what Match By needs', (operation) => {
		const { key, others, identifiers } = resource.matchBy;
		const asked = (matchBy: string) => {
			const shown = shownOn(operation, { ...form, matchBy });
			return {
				required: shown
					.filter(({ required }) => required)
					.map(({ name }) => name)
					.sort(),
				hasId: shown.some(({ name }) => name === resource.idParam),
			};
		};
		const created = resource.fields.filter(({ requiredOnCreate }) => requiredOnCreate);
		const onCreate = created.map(({ param }) => param).sort();
		const keys = resource.fields.filter(({ isKey }) => isKey).map(({ param }) => param);
		const all = [...new Set([...onCreate, ...keys])].sort();
		expect(asked(key)).toEqual({ required: all, hasId: false });
		for (const other of others) expect(asked(other)).toEqual({ required: onCreate, hasId: false });
		for (const one of identifiers) expect(asked(one)).toEqual({ required: [], hasId: true });
	});

	describe.each(operations)('on $operation', ({ operation, isOnOne }) => {
		const collection = {
			...({ create: 'additionalFields', sync: 'additionalFields' } as const),
			...({ upsert: 'additionalFields', update: 'updateFields', getAll: 'filters' } as const),
			...{ get: undefined, delete: undefined },
		} as const;
		const place = collection[operation];
		const sorting = namesIn(operation, 'sorting');
		const nested = place ? [...namesIn(operation, place), ...sorting].sort() : [];

		it.each(settings)('show exactly the parameters that the operation accepts, %j', (setting) => {
			const isFromColumns = isMapped(operation) && setting.mappingColumnMode === 'autoMapInputData';
			const expected = [
				...['resource', 'operation', 'options'],
				...(isOnOne ? [resource.idParam] : []),
				...namesIn(operation, 'top'),
				...(operation === 'getAll' ? ['returnAll', 'limit'] : []),
				...(operation === 'delete' ? [] : ['output', 'outputFields']),
				...(place && nested.length > 0 ? [place] : []),
				...(isMapped(operation) ? ['mappingColumnMode'] : []),
				...(isFromColumns ? ['inputsToIgnore'] : []),
				...(isMatched(operation, setting) ? ['matchBy'] : []),
				...(operation === 'sync' ? ['syncScope', `unmatched${contract.name}s`] : []),
				...(sorting.length > 0 ? ['sorting'] : []),
			];
			const shown = shownOn(operation, setting).map(({ name }) => name);
			expect(shown.sort()).toEqual(expected.sort());
		});

		it('hold exactly the fields of the operation in its collection', () => {
			const shown = shownOn(operation, form).filter(({ name }) =>
				['additionalFields', 'filters', 'sorting', 'updateFields'].includes(name),
			);
			const fields = shown.flatMap(childrenOf);
			expect(fields.map(({ name }) => name).sort()).toEqual(nested);
			// In a collection n8n asks for nothing, and the way on the wire is no business of the form.
			expect(fields.filter((field) => 'required' in field || 'wire' in field)).toEqual([]);
		});

		it.each(settings)(
			'are the ones that a row reads, apart from those of the run, %j',
			(setting) => {
				const ofRun = [
					...['resource', 'operation', 'options', 'output', 'outputFields'],
					...['mappingColumnMode', 'inputsToIgnore', 'matchBy', `unmatched${contract.name}s`],
				];
				const shown = shownOn(operation, setting).map(({ name }) => name);
				// The ID is shown only where Match By asks for it.
				const isHidden = ['sync', 'upsert'].includes(operation);
				const read = layoutOf(contract, operation).parameters.map(({ name }) => name);
				expect(read.filter((name) => !isHidden || name !== resource.idParam).sort()).toEqual(
					shown.filter((name) => !ofRun.includes(name)).sort(),
				);
			},
		);

		it.each(settings)(
			'mark as required the id, and what is neither left to a column nor given, %j',
			({ mappingColumnMode }) => {
				const expected = resource.fields.filter(({ on, requiredOnCreate, isKey }) => {
					const isAsked = requiredOnCreate ?? (isKey && operation !== 'create');
					return (
						isAsked && mappingColumnMode === 'defineBelow' && spec.entryFor(on, operation) === 'top'
					);
				});
				const required = shownOn(operation, { mappingColumnMode })
					.filter((property) => property.required)
					.map(({ name }) => name);
				const needsId = isOnOne && !isMatched(operation, { mappingColumnMode });
				expect(required.sort()).toEqual(
					[...(needsId ? [resource.idParam] : []), ...expected.map(({ param }) => param)].sort(),
				);
			},
		);
	});

	it('offer to clear exactly what the service can empty', () => {
		const choices = properties.filter(({ name }) => name === 'clearFields').flatMap(choicesOf);
		const clearable = resource.fields.filter(({ empty }) => empty).map(({ param }) => param);
		expect(choices.map(({ value }) => value).sort()).toEqual(clearable.sort());
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
		const choices = everything.map((property) => choicesOf(property).map(({ name }) => name));
		const menus = everything
			.filter(({ type }) => type === 'collection')
			.map((property) => childrenOf(property).map(({ displayName }) => displayName));
		const isLong = (list: readonly string[]) => list.length >= 5;
		expect([...choices, ...menus].some(isLong)).toBe(true);
		for (const list of [...choices, ...menus].filter(isLong))
			expect(list).toEqual([...list].sort(compare));
	});
});
