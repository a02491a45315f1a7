import type { IDataObject } from 'n8n-workflow';
import { paramsOf } from '../../../../nodes/shared/contract/encodedRow';
import { changedList } from '../../../../nodes/shared/operations/changedList';
import { linkLike, rowOf } from '../../../support/operationRun.ts';

const at = (name: string) => `https://example.com/${name}`;

/** `DE=a, FR=b` as the rules of a form or of a response. */
const rules = (text: string) =>
	text.split(', ').map((rule) => {
		const [key = '', name = ''] = rule.split('=');
		return { key, value: at(name) };
	});

const form = (kind: string, text: string) => ({ [kind]: { rules: rules(text) } });

/** The fields that an update of a list writes to a link. */
function written(updateFields: IDataObject, link: IDataObject) {
	const row = rowOf('update', { linkId: '1', updateFields });
	const [change, ...others] = row.changes;
	if (!change || others.length > 0) throw new Error('The row must change one list');
	return changedList(row, change, linkLike(link));
}

const add = (kind: string, text: string, link: IDataObject) =>
	written({ ...form(kind, text), ruleMode: 'add' }, link);

const remove = (kind: string, text: string, link: IDataObject) =>
	written({ ...form(kind, text), ruleMode: 'remove' }, link);

const textsOf = (fields: ReturnType<typeof written>) =>
	paramsOf(fields).map(([name, text]) => `${name}=${text}`);

/** The params of rules in a request. */
const sent = (kind: string, text: string) =>
	rules(text).flatMap(({ key, value }, index) => [
		`${kind}[${index}][key]=${key}`,
		`${kind}[${index}][value]=${value}`,
	]);

const geographic = (text: string) => ({ target_type: 1, country_target: rules(text) });

/** Expects that a change fails before a write. */
const expectFailure = (change: () => unknown, message: string, remedy: string) => {
	expect(change).toThrow(
		expect.objectContaining({
			failure: { cause: 'rejected', message, advice: `Nothing was changed. ${remedy}` },
		}),
	);
};

describe('Add', () => {
	it('writes the whole list, and not the target type that the link has', () => {
		expect(textsOf(add('country', 'US=c, DE=d', geographic('DE=a, FR=b')))).toEqual(
			sent('country', 'DE=d, FR=b, US=c'),
		);
		expect(add('country', 'DE=a', geographic('DE=a, FR=b'))).toEqual([]);
	});

	it.each([
		[0, null],
		['0', []],
		// The service may return null for a field that has its default.
		[null, null],
	])('sets the target type of a link with the target type %p and the rules %p', (type, held) => {
		expect(textsOf(add('platform', 'iOS=a', { target_type: type, platform_target: held }))).toEqual(
			[...sent('platform', 'iOS=a'), 'target_type=2'],
		);
	});

	it('turns on rules that the link already has, and sends them along', () => {
		const link = { target_type: 0, country_target: rules('DE=a') };
		expect(textsOf(add('country', 'DE=a', link))).toEqual([
			...sent('country', 'DE=a'),
			'target_type=1',
		]);
	});

	it('changes the target type of a link whose other rules are empty', () => {
		const link = { target_type: 1, country_target: [], language_target: null };
		expect(textsOf(add('language', 'de=a', link))).toEqual([
			...sent('language', 'de=a'),
			'target_type=3',
		]);
	});

	it('refuses to turn off other rules', () => {
		expectFailure(
			() => add('platform', 'iOS=a', { ...geographic('DE=a'), platform_target: null }),
			'The link has Country Rules (Target Type Geographic), and adding Platform Rules would turn them off',
			'Remove the Country Rules first, or set Rule Mode to Replace.',
		);
	});

	it('needs only the list of a field that implies no other field', () => {
		const link = { pixels: [{ id: 1 }], target_type: undefined };
		expect(textsOf(written({ pixelIds: '2', pixelMode: 'add' }, link))).toEqual([
			'pixel_ids[]=1',
			'pixel_ids[]=2',
		]);
	});
});

describe('Remove', () => {
	it('writes the other rules, without the target type', () => {
		expect(textsOf(remove('country', 'DE=x', geographic('DE=a, FR=b')))).toEqual(
			sent('country', 'FR=b'),
		);
		const off = { ...geographic('DE=a, FR=b'), target_type: undefined };
		expect(textsOf(remove('country', 'DE=x', off))).toEqual(sent('country', 'FR=b'));
	});

	it('clears the list with the last rule, and keeps the target type', () => {
		const fields = remove('country', 'DE=x', geographic('DE=a'));
		expect(fields).toMatchObject([{ field: { name: 'country' }, cleared: true }]);
		expect(fields[0]?.values).toEqual(fields[0]?.field.wire.empty);
		expect(fields[0]?.values).not.toEqual([]);
	});

	it.each([[null], [[]], [rules('FR=b')]])('writes nothing if the link has %j', (held) => {
		expect(remove('country', 'DE=x', { target_type: 1, country_target: held })).toEqual([]);
	});
});

describe('a list that the service does not show', () => {
	const replace = 'Set Rule Mode to Replace, and set all values of the link.';
	const of = (form = '') =>
		`The service does not return the Country Rules of the link${form}, so the node cannot add or remove values`;

	it.each([
		['add', add],
		['remove', remove],
	])('cannot be changed (%s)', (_mode, change) => {
		expectFailure(() => change('country', 'US=c', { target_type: 1 }), of(), replace);
	});

	it.each([
		['a text', 'DE'],
		['an object', { DE: at('a') }],
		['keys alone', ['DE']],
		['an unknown key', [{ key: 'Atlantis', value: at('a') }]],
		['an unknown entry after a known one', [...rules('DE=a'), 7]],
	])('in a known form cannot be changed: %s', (_what, held) => {
		for (const change of [add, remove]) {
			expectFailure(
				() => change('country', 'US=c', { target_type: 1, country_target: held }),
				of(' in a known form'),
				replace,
			);
		}
	});
});

describe('a target type that the service does not show', () => {
	it.each([
		['', undefined],
		[' in a known form', 'geographic'],
		[' in a known form', 9],
	])('prevents that rules are added%s (%p)', (form, type) => {
		expectFailure(
			() => add('country', 'US=c', { target_type: type, country_target: [] }),
			`The service does not return the Target Type of the link${form}, so the node cannot add or remove values`,
			'Set Rule Mode to Replace, and set all values of the link.',
		);
	});

	it('does not hide that the other rules cannot be read', () => {
		expectFailure(
			() => add('platform', 'iOS=a', { target_type: 1, platform_target: [] }),
			'The service does not return the Country Rules of the link, so the node cannot add or remove values',
			'Set Rule Mode to Replace, and set all values of the link.',
		);
	});
});
