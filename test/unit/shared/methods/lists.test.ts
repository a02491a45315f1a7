import type { ILoadOptionsFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { Link } from '../../../../nodes/Link/Link.node';
import { LinkTrigger } from '../../../../nodes/LinkTrigger/LinkTrigger.node';
import { Pixel } from '../../../../nodes/Pixel/Pixel.node';
import { entry } from '../../../../nodes/shared/methods/listSearch';

it.each<[id: unknown, name: string, item: object | undefined]>([
	[7, 'Shop', { name: 'Shop', value: 7 }],
	['a', '', { name: 'a', value: 'a' }],
	[null, 'Shop', undefined],
	[{}, 'Shop', undefined],
])('makes an entry of the ID %j', (id, name, item) => {
	expect(entry(id, name)).toEqual(item);
});

it.each<[url: string, isOffered: boolean]>([
	['https://short.example/one', true],
	['HTTP://short.example/one', true],
	['mailto:a@a.example', false],
	['javascript:alert(document.cookie)', false],
	['data:text/html,<script>alert(1)</script>', false],
	[' javascript:alert(1)//https://short.example/', false],
	['//short.example/one', false],
	['short.example/one', false],
])('offers a link to open only if it is one of the web: %s', (url, isOffered) => {
	expect(entry(7, 'Shop', url)).toEqual({ name: 'Shop', value: 7, ...(isOffered && { url }) });
});

it('shortens a long name, and shows it on one line and in one direction', () => {
	const name = entry(7, `a\u202Etxt.elpmaxe\n${'x'.repeat(5000)}`)?.name;
	expect(name).toMatch(/^a txt\.elpmaxe x+…$/);
	expect(name).toHaveLength(200);
});

/** Returns all properties of a node, and the properties inside of them. */
function allProperties(properties: readonly unknown[]): INodeProperties[] {
	return properties.flatMap((each) => {
		const { type, options = [], values = [] } = each as INodeProperties & { values?: unknown[] };
		const inner = allProperties([...options, ...values]);
		return type === undefined ? inner : [each as INodeProperties, ...inner];
	});
}

/** Returns the properties whose list the node knows, and which the editor loads all the same. */
const fixedLists = (properties: readonly INodeProperties[]) =>
	allProperties(properties).filter(
		({ typeOptions, options }) => typeOptions?.loadOptionsMethod !== undefined && options,
	);

// No method may use the context, because it would be a request.
const context = {} as ILoadOptionsFunctions;

it.each([
	['Link', new Link(), ['getCountries', 'getLanguages', 'getOutputFields']],
	['Pixel', new Pixel(), ['getOutputFields']],
	['Link Trigger', new LinkTrigger(), ['getOutputFields']],
] as const)('loads each fixed list of %s without a request', async (_, node, names) => {
	const lists = fixedLists(node.description.properties);
	const methods: Readonly<
		Record<string, (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>>
	> = node.methods.loadOptions;
	const used = new Set(lists.map(({ typeOptions }) => String(typeOptions?.loadOptionsMethod)));
	expect([...used].toSorted()).toEqual(names);
	for (const { typeOptions, options } of lists) {
		const loaded = await methods[String(typeOptions?.loadOptionsMethod)]?.call(context);
		expect(loaded).toEqual(options);
	}
});
