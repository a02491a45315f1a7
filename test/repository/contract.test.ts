import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOn, link, pixel, type SpecField } from '../spec.ts';

const root = join(__dirname, '..', '..');
const contract = readFileSync(join(root, 'docs/service-interface.md'), 'utf8');
const sections = [...contract.matchAll(/^#{2,3} ([\d.]*\d)\.? /gm)].map(([, number]) => number);

/** Returns the text of a section, with the sections in it. */
function sectionOf(number: string): string {
	const level = '#'.repeat(number.split('.').length + 1);
	const [, text = ''] = contract.split(
		new RegExp(`^${level} ${number.replace('.', '\\.')}\\.? `, 'm'),
	);
	return text.split(new RegExp(`^#{2,${level.length}} `, 'm'))[0] ?? '';
}

/** Sources that cite the contract. */
const sources = ['nodes', 'credentials', 'testkit', 'test', 'scripts', 'docs'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => /\.(ts|md)$/.test(file))
		.map((file) => join(folder, file)),
);

it('has a section for every citation', () => {
	const citations = sources.flatMap((file) =>
		[...readFileSync(join(root, file), 'utf8').matchAll(/contract (\d+(?:\.\d+)?)/g)].map(
			([, number]) => `${file}: ${number}`,
		),
	);
	expect(citations.length).toBeGreaterThan(50);
	const dangling = citations.filter((text) => !sections.includes(text.split(': ')[1] ?? ''));
	expect(dangling).toEqual([]);
});

const rowOf = (section: string, key: string) =>
	sectionOf(section)
		.split('\n')
		.find((line) => line.startsWith(`| \`${key}\``) || line.startsWith(`| \`${key}[i]`));

/** The keys of a field in the contract. A field such as Expiration has several, which begin with its own key. */
const keysOf = ({ key, empty = [] }: SpecField) => {
	const endings = empty.filter((ending) => ending.startsWith('_'));
	return endings.length === 0 ? [key] : endings.map((ending) => `${key}${ending}`);
};

it.each([
	{ resource: link, fields: '2.1', list: '4.1' },
	{ resource: pixel, fields: '2.2', list: '4.4' },
])('describes every field and parameter of a $resource.name', ({ resource, fields, list }) => {
	const written = [...fieldsOn(resource, 'create'), ...fieldsOn(resource, 'update')];
	const missing = written.flatMap(keysOf).filter((key) => rowOf(fields, key) === undefined);
	expect({ section: fields, missing }).toEqual({ section: fields, missing: [] });
	for (const { key, values = [], default: preset } of fieldsOn(resource, 'getAll')) {
		const row = rowOf(list, key);
		expect([key, row]).toEqual([key, expect.any(String)]);
		// The types of pixels are listed in the section of the resource.
		const text = key === 'type' ? sectionOf(fields) : row;
		for (const value of values) expect(text).toContain(`\`${value}\``);
		if (preset !== undefined) expect(row).toMatch(new RegExp(`\\| \`${preset}\` +\\|$`));
	}
});

it.each([...link.endpoints, ...pixel.endpoints])('lists $method $path', ({ method, path }) => {
	expect(sectionOf('4').replaceAll(/ +/g, ' ')).toContain(`| \`${method}\` | \`${path}\` |`);
});
