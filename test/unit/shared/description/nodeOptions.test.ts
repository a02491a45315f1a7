import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import type { ResourceContract } from '../../../../nodes/shared/contract/resourceTypes';
import { hints, optionsCollection } from '../../../../nodes/shared/description/nodeOptions';
import { operationOptions } from '../../../../nodes/shared/description/operationOptions';

const namesOf = (contract: ResourceContract) =>
	optionsCollection(contract).options?.map(({ name }) => name) ?? [];

it.each(['mapPasswords', 'binaryPropertyName'])(
	'offers %s only to a resource that has passwords and QR codes',
	(name) => {
		expect(namesOf(linkContract)).toContain(name);
		expect(namesOf(pixelContract)).not.toContain(name);
	},
);

it('offers the options of a resource only to it', () => {
	const own = (linkContract.options ?? []).map(({ name }) => name);
	expect(namesOf(linkContract)).toEqual(expect.arrayContaining(own));
	expect(namesOf(pixelContract).filter((name) => own.includes(name))).toEqual([]);
});

it('shows no option by its operation, because each operation has only its own', () => {
	const conditions = linkContract.operations.flatMap(({ value }) =>
		operationOptions(linkContract, value).options.flatMap(({ displayOptions }) =>
			Object.keys(displayOptions?.show ?? {}),
		),
	);
	expect(new Set(conditions)).toEqual(new Set(['/mappingColumnMode']));
});

it.each([linkContract, pixelContract])(
	'turns every switch on when it is added ($value)',
	(contract) => {
		const switches = optionsCollection(contract).options?.filter(
			(option) => 'type' in option && option.type === 'boolean',
		);
		expect(switches?.length).toBeGreaterThan(2);
		for (const option of switches ?? []) expect(option).toMatchObject({ default: true });
	},
);

it('warns before many rows, and of a high concurrency', () => {
	expect(hints.map(({ displayCondition }) => displayCondition)).toEqual([
		'={{ $input.all().length > 60 }}',
		'={{ $parameter["options"]?.requests?.settings?.concurrency > 20 }}',
	]);
});
