import { NodeHelpers, type IDataObject, type INodeParameters } from 'n8n-workflow';
import { sortBy } from '../../../nodes/shared/contract/values';
import { writesIn } from '../../support/account.ts';
import { chosen, hintsOf, messageOf, useColumns } from '../../support/columns.ts';
import { loadPackage } from '../../support/n8n.ts';

const { current, link } = useColumns();

const nodeNames = ['link', 'pixel'] as const;

/** The description of a node. */
async function descriptionOf(name: (typeof nodeNames)[number]) {
	return (await loadPackage()).getNode(name).description;
}

/** The switches in the Options collections of a node, each with an operation that has it. */
async function switchesOf(name: (typeof nodeNames)[number]) {
	const { properties } = await descriptionOf(name);
	const switches = properties
		.filter((property) => property.name === 'options')
		.flatMap(({ options = [], displayOptions }) =>
			options.flatMap((option) =>
				'type' in option && option.type === 'boolean'
					? [{ ...option, operation: String(displayOptions?.show?.operation?.[0]) }]
					: [],
			),
		);
	return sortBy(
		[...new Map(switches.map((option) => [option.name, option])).values()],
		({ displayName }) => displayName,
	);
}

/** What n8n stores of the parameters of a node: it leaves out what has its default. */
async function savedBy(name: (typeof nodeNames)[number], parameters: INodeParameters) {
	const description = await descriptionOf(name);
	const type = `n8n-nodes-link-management.${name}`;
	const node = { id: '1', name, type, typeVersion: 1, position: [0, 0], parameters } as never;
	const { properties } = description;
	return NodeHelpers.getNodeParameters(properties, parameters, false, false, node, description);
}

const wasWritten = () => writesIn(current().requests).length > 0;

const target = { url: 'https://example.com/', domainId: chosen(1) };
const empty = { none: null, blank: ' ' };

const create = async (options: IDataObject, more: INodeParameters = {}) =>
	await link('create', {
		items: [{ ...empty, column: 'kept' }],
		parameters: { ...target, ...more, options: options as never },
	});

describe('a switch under Options', () => {
	it.each([
		['link', 'Dry Run, Ignore Missing, Include Input, Map Passwords'],
		['pixel', 'Dry Run, Ignore Missing, Include Input'],
	] as const)('is on as soon as it is added to %s', async (name, expected) => {
		const switches = await switchesOf(name);
		const names = switches.map(({ displayName }) => displayName).join(', ');
		expect(names).toContain(expected);
		expect(switches.filter((one) => one.default !== true)).toEqual([]);
	});

	it('stays added when the workflow is saved and loaded again', async () => {
		for (const name of nodeNames) {
			for (const { name: option, displayOptions, operation } of await switchesOf(name)) {
				const mappingColumnMode =
					displayOptions?.show?.['/mappingColumnMode']?.[0] ?? 'defineBelow';
				const options = { [option]: true };
				const form = { resource: name, operation, mappingColumnMode, options } as INodeParameters;
				const saved = JSON.parse(JSON.stringify(await savedBy(name, form)));
				expect(saved.options).toEqual(options);
				expect(await savedBy(name, saved)).toEqual(saved);
			}
		}
	});

	it('works after it was saved: Dry Run writes nothing', async () => {
		const operation = 'create';
		const form = { resource: 'link', operation, ...target, options: { dryRun: true } };
		const { options } = (await savedBy('link', form)) ?? {};
		const result = await create(options as IDataObject);
		expect(messageOf(result)).toBe('undefined');
		expect(wasWritten()).toBe(false);
		expect(hintsOf(result).join()).toMatch(/^Dry run: nothing was /);
	});
});

describe('Dry Run', () => {
	it.each<[how: string, options: IDataObject]>([
		['it is not added', {}],
		['it is off', { dryRun: false }],
	])('writes if %s', async (_, options) => {
		expect(messageOf(await create(options))).toBe('undefined');
		expect(wasWritten()).toBe(true);
	});

	it.each<[how: string, dryRun: unknown]>([
		['it is on', true],
		['its expression gives yes', '={{ "yes" }}'],
		['its expression gives null', '={{ $json.none }}'],
		['its expression gives undefined', '={{ $json.nowhere }}'],
		['its expression gives spaces', '={{ $json.blank }}'],
	])('writes nothing if %s', async (_, dryRun) => {
		const result = await create({ dryRun } as IDataObject);
		expect(messageOf(result)).toBe('undefined');
		expect(wasWritten()).toBe(false);
		expect(hintsOf(result).join()).toMatch(/^Dry run: nothing was /);
	});
});
